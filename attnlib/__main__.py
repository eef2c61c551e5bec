"""``python -m attnlib``: the command line."""

import sys

from .translator.cli.parser import main

if __name__ == "__main__":
    sys.exit(main())
