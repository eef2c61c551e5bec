"""Answers to exercise ``comparable``, as learners write them."""

from answering import right, wrong


@wrong("letter by letter")
def comparable(first, second):
    return first == second


@wrong("looks at the tokeniser alone")
def comparable(first, second):
    tok = [p for p in first.split("|") if p.startswith("tok:")]
    return tok == [p for p in second.split("|") if p.startswith("tok:")]


@wrong("position by position")
def comparable(first, second):
    return first.split("|version:")[0] == second.split("|version:")[0]


@wrong("the fields that both signatures have")
def comparable(first, second):
    one = dict(p.split(":") for p in first.split("|"))
    two = dict(p.split(":") for p in second.split("|"))
    return all(one[k] == two[k] for k in one if k in two and k != "version")


@wrong("They differ in case (mixed and lc)")
def comparable(first, second):
    def fields(text):
        return {p for p in text.lower().split("|") if p[:4] not in ("case", "vers")}

    return fields(first) == fields(second)


@wrong("The version is compared, too")
def comparable(first, second):
    return sorted(first.split("|")) == sorted(second.split("|"))


@wrong("names, and not their values")
def comparable(first, second):
    names = [{f.split(":")[0] for f in s.split("|")} - {"version"} for s in (first, second)]
    return names[0] == names[1]


@wrong("last field is taken")
def comparable(first, second):
    return set(first.split("|")[:-1]) == set(second.split("|")[:-1])


@wrong("only the second has")
def comparable(first, second):
    a, b = (dict(f.split(":", 1) for f in s.split("|")) for s in (first, second))
    return all(b.get(name) == value for name, value in a.items() if name != "version")


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


@wrong("Capitals are overlooked")
def comparable(first, second):
    def fields(text):
        return {part for part in text.lower().split("|") if not part.startswith("version")}

    return fields(first) == fields(second)
