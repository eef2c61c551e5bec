"""How long each notebook takes to read, as its first cell says.

Apart from contents.py, on which every notebook's ``progress()`` rests: so that another minute
executes none of them again.
"""

MINUTES = {
    "00": 15,
    "01": 35,
    "01b": 29,
    "02": 42,
    "02b": 15,
    "03": 34,
    "03b": 22,
    "04": 36,
    "04b": 20,
    "05": 40,
    "05b": 22,
    "05c": 26,
    "06": 26,
    "07": 22,
    "07b": 18,
    "08": 26,
    "08b": 17,
    "09": 27,
    "09b": 21,
    "10": 30,
    "10b": 18,
    "11": 31,
    "11b": 21,
}
