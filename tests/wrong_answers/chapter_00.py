"""Wrong answers to the exercise of chapter 0, and a part of the diagnosis meant for each."""

WRONG = [
    ("shares", "def shares(amounts):\n    return amounts / max(amounts)", "The largest share is 1"),
    ("shares", "def shares(amounts):\n    return amounts / amounts.numel()", "This is the mean"),
    (
        "shares",
        "def shares(amounts):\n    return amounts.exp() / amounts.exp().sum()",
        "This is the softmax",
    ),
    ("shares", "def shares(amounts):\n    return amounts.sum()", "The shape is ()"),
    ("shares", "def shares(amounts):\n    return 100 * amounts / amounts.sum()", "sum to 100.00"),
    (
        "shares",
        "def shares(amounts):\n    amounts /= amounts.sum()\n    return amounts",
        "amounts was changed",
    ),
]
