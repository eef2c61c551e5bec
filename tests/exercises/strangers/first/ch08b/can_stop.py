"""Answers to exercise ``can_stop``, written from its statement alone."""

from answering import wrong


@wrong("the penalty is ignored: log-probability against score")
def can_stop(best, live, t, max_length, alpha):
    return t >= max_length or best >= live
