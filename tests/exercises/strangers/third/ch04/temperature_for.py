import math

from answering import right, wrong


@wrong("the 2 of the exponent is forgotten")
def temperature_for(n, target):
    if not 1 / n < target < 1:
        raise ValueError("no temperature gives this weight")
    return 1 / math.log(target * (n - 1) / (1 - target))


@wrong("upside down: the logarithm divided by 2")
def temperature_for(n, target):
    if not 1 / n < target < 1:
        raise ValueError("no temperature gives this weight")
    return math.log(target * (n - 1) / (1 - target)) / 2


@wrong("only targets of 1 and more are refused, those below 1/n get a negative temperature")
def temperature_for(n, target):
    if target >= 1 or target <= 0:
        raise ValueError(f"a weight of {target} is impossible")
    x = target * (n - 1) / (1 - target)
    return 2 / math.log(x) if x != 1 else math.inf


@wrong("returns None for impossible targets instead of raising")
def temperature_for(n, target):
    if target >= 1 or target <= 1 / n:
        return None
    return 2 / math.log(target * (n - 1) / (1 - target))


@wrong("solved wrongly for x: n keys instead of n − 1")
def temperature_for(n, target):
    if target >= 1 or target <= 1 / n:
        raise ValueError("impossible target")
    return 2 / math.log(target * n / (1 - target))


@wrong("the logarithm to the base 10")
def temperature_for(n, target):
    if target >= 1 or target <= 1 / n:
        raise ValueError("impossible target")
    return 2 / math.log10(target * (n - 1) / (1 - target))


@wrong("the sign is lost when the equation is turned: the temperature is negative")
def temperature_for(n, target):
    if target >= 1 or target <= 1 / n:
        raise ValueError("impossible target")
    return 2 / math.log((1 - target) / (target * (n - 1)))


@wrong("1/n exactly is let through: < where it should be <=")
def temperature_for(n, target):
    if target >= 1 or target < 1 / n:
        raise ValueError("impossible target")
    x = target * (n - 1) / (1 - target)
    return math.inf if abs(x - 1) < 1e-9 else 2 / math.log(x)


@wrong("refuses what no cosine reaches without a temperature, though a colder one would do it")
def temperature_for(n, target):
    best = math.exp(2) / (math.exp(2) + n - 1)
    if target > best or target <= 1 / n:
        raise ValueError("impossible target")
    return 2 / math.log(target * (n - 1) / (1 - target))


@right
def temperature_for(n, target):
    if target * n <= 1 or target >= 1:
        raise ValueError(f"with {n} keys a weight lies between {1 / n} and 1, not at {target}")
    odds = math.log(target) - math.log(1 - target)
    return 2 / (odds + math.log(n - 1))


@right
def temperature_for(n, target):
    if target >= 1 or target <= 1 / n:
        raise ValueError(f"no temperature gives {target}")
    low, high = -60.0, 60.0  # the logarithm of the temperature
    for _ in range(200):
        middle = (low + high) / 2
        weight = 1 / (1 + (n - 1) * math.exp(-min(2 / math.exp(middle), 700.0)))
        if weight > target:
            low = middle
        else:
            high = middle
    return math.exp(middle)
