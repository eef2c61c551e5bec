"""``python -m attnbook publish URL``: what whoever publishes the book types, and no reader."""

import sys
from collections.abc import Sequence

from .publish import EXAMPLE, normalize_address, publish


def main(argv: Sequence[str]) -> int:
    """Write the address of the book's repository wherever it stands; the exit status."""
    if len(argv) != 2 or argv[0] != "publish" or argv[1].startswith("-"):
        print(f"usage: python -m attnbook publish {EXAMPLE}", file=sys.stderr)
        return 2
    try:
        address = normalize_address(argv[1])
        changed = len(publish(address))
    except ValueError as problem:
        print(f"attnbook: {problem}", file=sys.stderr)
        return 1
    print(f"{address} is written everywhere; {changed} files changed.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
