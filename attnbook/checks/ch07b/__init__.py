"""Chapter 7, second file: whether scheduled sampling helps, and which loss is reported."""

#: In the order of the chapter, with the minutes that it states.
EXERCISES = {
    "inverse_sigmoid": 8,
    "sign_test": 10,
    "token_cross_entropy": 10,
}
