"""Answers to exercise ``comparable``, as learners write them."""

from answering import wrong


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


@wrong("forgives every wrong capital letter")
def comparable(first, second):
    def fields(text):
        return {p for p in text.lower().split("|") if p[:4] not in ("case", "vers")}

    return fields(first) == fields(second)
