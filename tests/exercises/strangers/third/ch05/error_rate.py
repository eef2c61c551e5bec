from answering import right, wrong


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
