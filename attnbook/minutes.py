"""How long each notebook takes to read, as its first cell says.

Apart from contents.py, on which every notebook's ``progress()`` rests: so that another minute
executes none of them again.
"""

MINUTES = {
    "00": 25,
    "01": 32,
    "01b": 27,
    "02": 32,
    "02b": 28,
    "03": 35,
    "03b": 45,
    "04": 37,
    "04b": 40,
    "05": 35,
    "05b": 25,
    "05c": 25,
    "06": 30,
    "06b": 35,
    "07": 35,
    "07b": 35,
    "08": 30,
    "08b": 28,
    "09": 28,
    "09b": 35,
    "10": 33,
    "10b": 24,
    "11": 29,
    "11b": 24,
}
