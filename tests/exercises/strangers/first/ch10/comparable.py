"""Answers to exercise ``comparable``, written from its statement alone."""

from answering import right, wrong


@wrong("the version may not differ, either")
def comparable(first, second):
    return sorted(first.split("|")) == sorted(second.split("|"))


@wrong("the order of the fields matters")
def comparable(first, second):
    a = [f for f in first.split("|") if not f.startswith("version:")]
    b = [f for f in second.split("|") if not f.startswith("version:")]
    return a == b


@wrong("only the names are compared, not the values")
def comparable(first, second):
    names = [{f.split(":")[0] for f in s.split("|")} - {"version"} for s in (first, second)]
    return names[0] == names[1]


@wrong("only the tokenizer is compared")
def comparable(first, second):
    a, b = (dict(f.split(":", 1) for f in s.split("|")) for s in (first, second))
    return a["tok"] == b["tok"]


@wrong("the last field is taken for the version")
def comparable(first, second):
    return set(first.split("|")[:-1]) == set(second.split("|")[:-1])


@wrong("a field that only the second has is overlooked")
def comparable(first, second):
    a, b = (dict(f.split(":", 1) for f in s.split("|")) for s in (first, second))
    return all(b.get(name) == value for name, value in a.items() if name != "version")


@wrong("fields that only one has are overlooked")
def comparable(first, second):
    a, b = (dict(f.split(":", 1) for f in s.split("|")) for s in (first, second))
    return all(a[name] == b[name] for name in a.keys() & b.keys() - {"version"})


@right
def comparable(first, second):
    def fields(signature):
        return {f for f in signature.split("|") if f.partition(":")[0] != "version"}

    return fields(first) == fields(second)


@right
def comparable(first, second):
    kept = []
    for signature in (first, second):
        fields = dict(part.split(":", 1) for part in signature.split("|"))
        fields.pop("version", None)
        kept.append(sorted(fields.items()))
    return kept[0] == kept[1]
