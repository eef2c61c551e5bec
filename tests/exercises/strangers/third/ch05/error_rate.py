from answering import right, wrong


@wrong("the possible links stand below the line instead of the sure ones")
def error_rate(found, sure, possible):
    return 1 - (len(found & sure) + len(found & possible)) / (len(found) + len(possible))


@wrong("the score, not the error: 1 − is missing")
def error_rate(found, sure, possible):
    return (len(found & sure) + len(found & possible)) / (len(found) + len(sure))


@wrong("unions in place of intersections")
def error_rate(found, sure, possible):
    return 1 - (len(found | sure) + len(found | possible)) / (len(found) + len(sure))


@wrong("a sure link that is found counts once: sure ones are taken out of the possible ones")
def error_rate(found, sure, possible):
    both = len(found & sure) + len(found & (possible - sure))
    return 1 - both / (len(found) + len(sure))


@wrong("all three sets below the line")
def error_rate(found, sure, possible):
    above = len(found & sure) + len(found & possible)
    return 1 - above / (len(found) + len(sure) + len(possible))


@wrong("an intersection of all three, counted twice")
def error_rate(found, sure, possible):
    return 1 - 2 * len(found & sure & possible) / (len(found) + len(sure))


@wrong("the parentheses: only the second part is divided")
def error_rate(found, sure, possible):
    return 1 - len(found & sure) + len(found & possible) / (len(found) + len(sure))


@wrong("whole-number division")
def error_rate(found, sure, possible):
    return 1 - (len(found & sure) + len(found & possible)) // (len(found) + len(sure))


@wrong("the size of the union of found and sure below, where links in both count once")
def error_rate(found, sure, possible):
    return 1 - (len(found & sure) + len(found & possible)) / len(found | sure)


@wrong("in percent")
def error_rate(found, sure, possible):
    return 100 * (1 - (len(found & sure) + len(found & possible)) / (len(found) + len(sure)))


@wrong("found is cut down to the possible links in place")
def error_rate(found, sure, possible):
    size = len(found) + len(sure)
    hits = len(found & sure)
    found &= possible
    return 1 - (hits + len(found)) / size


@right
def error_rate(found, sure, possible):
    hits = 0
    for link in found:
        hits += (link in sure) + (link in possible)
    return 1 - hits / (len(found) + len(sure))


@right
def error_rate(found, sure, possible):
    links = len(found) + len(sure)
    missed = len(sure - found)
    beyond = len(found - possible)
    return (missed + beyond) / links
