"""How long each notebook takes to read, as its first cell says.

Apart from contents.py, on which every notebook's ``progress()`` rests: so that another minute
executes none of them again.
"""

MINUTES = {
    "00": 15,
    "01": 35,
    "01b": 30,
    "02": 32,
    "02b": 28,
    "03": 35,
    "03b": 45,
    "04": 35,
    "04b": 40,
    "05": 35,
    "05b": 25,
    "05c": 25,
    "06": 28,
    "06b": 20,
    "07": 26,
    "07b": 30,
    "08": 26,
    "08b": 22,
    "09": 23,
    "09b": 33,
    "10": 33,
    "10b": 24,
    "11": 29,
    "11b": 24,
}
