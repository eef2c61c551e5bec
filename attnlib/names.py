"""One sentence for a name that does not exist, with the nearest that does."""

import difflib
from collections.abc import Sequence


def check_name(
    what: str, name: str, known: Sequence[str], error: type[ValueError] = ValueError
) -> None:
    """Raise ``error`` unless ``name`` is one of ``known``; suggest the nearest.

    A name with other digits is never suggested: fp16 is no misspelt fp32.

    >>> check_name("attention", "genral", ("dot", "general"))
    Traceback (most recent call last):
    ValueError: attention must be one of dot, general, got 'genral'; did you mean 'general'?
    """
    if name in known:
        return
    alike = [other for other in known if _digits(other) == _digits(str(name))]
    near = difflib.get_close_matches(str(name), alike, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise error(f"{what} must be one of {', '.join(known)}, got {name!r}{hint}")


def _digits(name: str) -> str:
    return "".join(filter(str.isdigit, name))
