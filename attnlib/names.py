"""One sentence for a name that does not exist, with the nearest that does."""

import difflib
from collections.abc import Sequence


def check_name(what: str, name: str, known: Sequence[str]) -> None:
    """Raise ValueError unless ``name`` is one of ``known``; suggest the nearest.

    >>> check_name("attention", "genral", ("dot", "general"))
    Traceback (most recent call last):
    ValueError: attention must be one of dot, general, got 'genral'; did you mean 'general'?
    """
    if name in known:
        return
    near = difflib.get_close_matches(str(name), known, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise ValueError(f"{what} must be one of {', '.join(known)}, got {name!r}{hint}")
