"""The pictures on the first page, each drawn by a program."""
