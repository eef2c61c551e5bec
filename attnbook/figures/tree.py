"""The tree of a beam search: what its records must hold."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

Records: TypeAlias = Sequence[Mapping[str, Any]]

#: What may have become of a hypothesis of a beam search.
STATUSES = ("best", "finished", "live", "pruned")


def parse_tree(records: Records) -> dict[Any, Mapping[str, Any]]:
    """The records of a beam search by id, once they are known to make a tree.

    Arguments: records, one dictionary a hypothesis, parents before children:

    - ``id``: a number or string of its own; ``parent``: the id of the hypothesis that this one
      extends by one token, None at the start
    - ``step``: the number of tokens so far (0 at the start); ``token``: the last one's text
    - ``log_prob``: of all tokens so far, in nats
    - ``status``: "live" (kept in the beam), "pruned", "finished" (ended) or "best" (the answer)

    Raises ValueError for a missing key, an id used twice, a parent that does not come earlier, or
    an unknown status.
    """
    nodes: dict[Any, Mapping[str, Any]] = {}
    keys = {"id", "parent", "step", "token", "log_prob", "status"}
    for n, record in enumerate(records):
        if keys - record.keys():
            wrong = f"the key {min(keys - record.keys())!r}"
        elif record["id"] in nodes:
            wrong = "an id of its own"
        elif record["parent"] not in (None, *nodes):
            wrong = "a parent that comes before it"
        elif record["status"] not in STATUSES:
            wrong = f"a status of {', '.join(STATUSES)}"
        else:
            nodes[record["id"]] = record
            continue
        raise ValueError(f"records[{n}] must have {wrong}, got {dict(record)}; see parse_tree")
    if not nodes:
        raise ValueError("records must hold at least one hypothesis, got none; search first")
    return nodes


def best_path(nodes: Mapping[Any, Mapping[str, Any]]) -> list[Any]:
    """Ids from the best hypothesis back to the start; empty where none is the best."""
    path = [i for i, node in nodes.items() if node["status"] == "best"][:1]
    while path and nodes[path[-1]]["parent"] is not None:
        path.append(nodes[path[-1]]["parent"])
    return path
