"""The command line: ``python -m attnlib``."""
