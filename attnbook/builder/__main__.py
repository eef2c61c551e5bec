"""``python -m attnbook.builder [NAME ...]``, in a checkout: see ``notebooks``."""

import sys

from .notebooks import main

if __name__ == "__main__":
    sys.exit(main())
