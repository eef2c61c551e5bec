import math
from collections import Counter, defaultdict
from fractions import Fraction

from answering import right, wrong


@wrong("a word that stands twice in the sentence counts twice")
def closest_caption(sentence, index):
    points = Counter()
    for word in sentence:
        for number in index.get(word, []):
            points[number] += 1 / len(index[word])
    return min(points, key=lambda n: (-points[n], n)) if points else 0


@wrong("every shared word is one point, rare or not")
def closest_caption(sentence, index):
    points = Counter()
    for word in dict.fromkeys(sentence):
        for number in index.get(word, []):
            points[number] += 1
    return min(points, key=lambda n: (-points[n], n)) if points else 0


@wrong("frequent words count more: the number of sentences, not 1 over it")
def closest_caption(sentence, index):
    points = Counter()
    for word in dict.fromkeys(sentence):
        for number in index.get(word, []):
            points[number] += len(index[word])
    return min(points, key=lambda n: (-points[n], n)) if points else 0


@wrong("of equal ones the highest number")
def closest_caption(sentence, index):
    points = Counter()
    for word in dict.fromkeys(sentence):
        for number in index.get(word, []):
            points[number] += 1 / len(index[word])
    return max(points, key=lambda n: (points[n], n)) if points else 0


@wrong("of equal ones the one that was met first")
def closest_caption(sentence, index):
    points = Counter()
    for word in dict.fromkeys(sentence):
        for number in index.get(word, []):
            points[number] += 1 / len(index[word])
    return points.most_common(1)[0][0] if points else 0


@wrong("of equal ones the one that was met first, by max with points.get")
def closest_caption(sentence, index):
    points = {}
    for word in set(sentence):
        for number in index.get(word, ()):
            points[number] = points.get(number, 0) + 1 / len(index[word])
    return max(points, key=points.get, default=0)


@wrong("a word that the index does not know is a KeyError")
def closest_caption(sentence, index):
    points = Counter()
    for word in dict.fromkeys(sentence):
        for number in index[word]:
            points[number] += 1 / len(index[word])
    return min(points, key=lambda n: (-points[n], n)) if points else 0


@wrong("max of an empty dictionary, where the index knows no word")
def closest_caption(sentence, index):
    points = Counter()
    for word in dict.fromkeys(sentence):
        for number in index.get(word, []):
            points[number] += 1 / len(index[word])
    return min(points, key=lambda n: (-points[n], n))


@wrong("None comes back where the index knows no word")
def closest_caption(sentence, index):
    points = Counter()
    for word in dict.fromkeys(sentence):
        for number in index.get(word, []):
            points[number] += 1 / len(index[word])
    if points:
        return min(points, key=lambda n: (-points[n], n))


@wrong("−1 where the index knows no word")
def closest_caption(sentence, index):
    points = Counter()
    for word in dict.fromkeys(sentence):
        for number in index.get(word, []):
            points[number] += 1 / len(index[word])
    return min(points, key=lambda n: (-points[n], n)) if points else -1


@wrong("number and points come back")
def closest_caption(sentence, index):
    points = Counter()
    for word in dict.fromkeys(sentence):
        for number in index.get(word, []):
            points[number] += 1 / len(index[word])
    if not points:
        return 0
    return min(points.items(), key=lambda item: (-item[1], item[0]))


@wrong("the points come back, not the number")
def closest_caption(sentence, index):
    points = Counter()
    for word in dict.fromkeys(sentence):
        for number in index.get(word, []):
            points[number] += 1 / len(index[word])
    return max(points.values(), default=0)


@wrong("integer division: only a word of a single sentence counts")
def closest_caption(sentence, index):
    points = Counter()
    for word in dict.fromkeys(sentence):
        for number in index.get(word, []):
            points[number] += 1 // len(index[word])
    return min(points, key=lambda n: (-points[n], n)) if points else 0


@wrong("setdefault writes the unknown words into the index")
def closest_caption(sentence, index):
    points = Counter()
    for word in dict.fromkeys(sentence):
        numbers = index.setdefault(word, [])
        for number in numbers:
            points[number] += 1 / len(numbers)
    return min(points, key=lambda n: (-points[n], n)) if points else 0


@wrong("takes the numbers out of the index with pop")
def closest_caption(sentence, index):
    points = Counter()
    for word in dict.fromkeys(sentence):
        numbers = index.pop(word, [])
        for number in numbers:
            points[number] += 1 / len(numbers)
    return min(points, key=lambda n: (-points[n], n)) if points else 0


@wrong("0 as soon as one word is unknown")
def closest_caption(sentence, index):
    points = Counter()
    for word in dict.fromkeys(sentence):
        if word not in index:
            return 0
        for number in index[word]:
            points[number] += 1 / len(index[word])
    return min(points, key=lambda n: (-points[n], n)) if points else 0


@wrong("stops at the first unknown word")
def closest_caption(sentence, index):
    points = Counter()
    for word in dict.fromkeys(sentence):
        if word not in index:
            break
        for number in index[word]:
            points[number] += 1 / len(index[word])
    return min(points, key=lambda n: (-points[n], n)) if points else 0


@wrong("only sentences that hold all known words")
def closest_caption(sentence, index):
    known = [set(index[word]) for word in set(sentence) if word in index]
    common = set.intersection(*known) if known else set()
    return min(common) if common else 0


@wrong("the rarest word decides alone")
def closest_caption(sentence, index):
    known = [word for word in dict.fromkeys(sentence) if word in index]
    if not known:
        return 0
    rarest = min(known, key=lambda word: len(index[word]))
    return index[rarest][0]


@wrong("the fewest points win")
def closest_caption(sentence, index):
    points = Counter()
    for word in dict.fromkeys(sentence):
        for number in index.get(word, []):
            points[number] += 1 / len(index[word])
    return min(points, key=lambda n: (points[n], n)) if points else 0


@wrong("words are looked up in lower case")
def closest_caption(sentence, index):
    points = Counter()
    for word in dict.fromkeys(w.lower() for w in sentence):
        for number in index.get(word, []):
            points[number] += 1 / len(index[word])
    return min(points, key=lambda n: (-points[n], n)) if points else 0


@wrong("as many places as the index has words, not sentences")
def closest_caption(sentence, index):
    points = [0.0] * len(index)
    for word in set(sentence):
        for number in index.get(word, []):
            points[number] += 1 / len(index[word])
    return points.index(max(points)) if points else 0


@wrong("split on a list of words")
def closest_caption(sentence, index):
    points = Counter()
    for word in set(sentence.split()):
        for number in index.get(word, []):
            points[number] += 1 / len(index[word])
    return min(points, key=lambda n: (-points[n], n)) if points else 0


@wrong("the points are rounded to one digit, which makes equal ones")
def closest_caption(sentence, index):
    points = Counter()
    for word in dict.fromkeys(sentence):
        for number in index.get(word, []):
            points[number] += 1 / len(index[word])
    return min(points, key=lambda n: (-round(points[n], 1), n)) if points else 0


@wrong("the logarithm of how rare a word is, not 1 over the number")
def closest_caption(sentence, index):
    points = Counter()
    for word in dict.fromkeys(sentence):
        for number in index.get(word, []):
            points[number] += math.log(1 + len(index) / len(index[word]))
    return min(points, key=lambda n: (-points[n], n)) if points else 0


@wrong("1 over the square of the number")
def closest_caption(sentence, index):
    points = Counter()
    for word in dict.fromkeys(sentence):
        for number in index.get(word, []):
            points[number] += 1 / len(index[word]) ** 2
    return min(points, key=lambda n: (-points[n], n)) if points else 0


@wrong("1 over the number of the sentence's words, the same for every word")
def closest_caption(sentence, index):
    points = Counter()
    for word in dict.fromkeys(sentence):
        for number in index.get(word, []):
            points[number] += 1 / len(sentence)
    return min(points, key=lambda n: (-points[n], n)) if points else 0


@wrong("the rarest shared word counts, the others are not added")
def closest_caption(sentence, index):
    points = {}
    for word in dict.fromkeys(sentence):
        for number in index.get(word, []):
            points[number] = max(points.get(number, 0), 1 / len(index[word]))
    return min(points, key=lambda n: (-points[n], n)) if points else 0


@wrong("= for +=: the last word overwrites the points")
def closest_caption(sentence, index):
    points = {}
    for word in dict.fromkeys(sentence):
        for number in index.get(word, []):
            points[number] = 1 / len(index[word])
    return min(points, key=lambda n: (-points[n], n)) if points else 0


@wrong("only the first sentence of each word gets its points")
def closest_caption(sentence, index):
    points = Counter()
    for word in dict.fromkeys(sentence):
        if word in index:
            points[index[word][0]] += 1 / len(index[word])
    return min(points, key=lambda n: (-points[n], n)) if points else 0


@wrong("the return stands in the loop: the first known word decides")
def closest_caption(sentence, index):
    points = Counter()
    for word in dict.fromkeys(sentence):
        for number in index.get(word, []):
            points[number] += 1 / len(index[word])
        if points:
            return min(points, key=lambda n: (-points[n], n))
    return 0


@wrong("sentence 0 is taken for nothing found, and the next best comes back")
def closest_caption(sentence, index):
    points = Counter()
    for word in dict.fromkeys(sentence):
        for number in index.get(word, []):
            if number:
                points[number] += 1 / len(index[word])
    return min(points, key=lambda n: (-points[n], n)) if points else 0


@wrong("a list of all the best comes back")
def closest_caption(sentence, index):
    points = Counter()
    for word in dict.fromkeys(sentence):
        for number in index.get(word, []):
            points[number] += 1 / len(index[word])
    most = max(points.values(), default=0)
    return sorted(n for n in points if points[n] == most)


@wrong("characters instead of words")
def closest_caption(sentence, index):
    points = Counter()
    for word in set("".join(sentence)):
        for number in index.get(word, []):
            points[number] += 1 / len(index[word])
    return min(points, key=lambda n: (-points[n], n)) if points else 0


@wrong("a word that stands twice in the sentence is not counted at all")
def closest_caption(sentence, index):
    points = Counter()
    for word in sentence:
        if sentence.count(word) > 1:
            continue
        for number in index.get(word, []):
            points[number] += 1 / len(index[word])
    return min(points, key=lambda n: (-points[n], n)) if points else 0


@right
def closest_caption(sentence, index):
    points = defaultdict(float)
    for word in dict.fromkeys(sentence):
        if word in index:
            holders = index[word]
            for number in holders:
                points[number] += 1.0 / len(holders)
    if not points:
        return 0
    return max(points, key=lambda number: (points[number], -number))


@right
def closest_caption(sentence, index):
    known = sorted(set(sentence) & set(index))
    best, most = 0, 0.0
    for number in sorted({n for word in known for n in index[word]}):
        got = sum(1 / len(index[word]) for word in known if number in index[word])
        if got > most:
            best, most = number, got
    return best


@right
def closest_caption(sentence, index):
    # Fractions: equal ones are exactly equal.
    scores = Counter()
    for word in set(sentence):
        for number in index.get(word, []):
            scores[number] += Fraction(1, len(index[word]))
    order = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
    return order[0][0] if order else 0


@right
def closest_caption(sentence, index):
    seen, points = [], [0.0]
    for word in sentence:
        if word in seen or word not in index:
            continue
        seen.append(word)
        for number in index[word]:
            points.extend([0.0] * (number + 1 - len(points)))
            points[number] += 1 / len(index[word])
    return points.index(max(points))
