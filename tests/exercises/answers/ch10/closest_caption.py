"""Answers to exercise ``closest_caption``, as learners write them."""

from collections import Counter

from answering import right, wrong


@wrong("Every shared word gives one point")
def closest_caption(sentence, index):
    points = Counter()
    for word in set(sentence):
        for number in index.get(word, []):
            points[number] += 1
    return min(points, key=lambda n: (-points[n], n), default=0)


@wrong("yours stops with ValueError")
def closest_caption(sentence, index):
    points = Counter()
    for word in set(sentence):
        for number in index.get(word, []):
            points[number] += 1 / len(index[word])
    return min(points, key=lambda n: (-points[n], n))


@wrong("Number 4 shares Hund: 1/1 = 1 points")
def closest_caption(sentence, index):
    points = Counter()
    for word in set(sentence):
        for number in index.get(word, []):
            points[number] += len(index[word])
    return min(points, key=lambda n: (-points[n], n), default=0)


@wrong("Only the rarest word decides")
def closest_caption(sentence, index):
    known = [word for word in sentence if word in index]
    if not known:
        return 0
    return min(index[min(known, key=lambda word: len(index[word]))])


@right
def closest_caption(sentence, index):
    shared = Counter()
    for word in set(sentence) & set(index):
        shared.update(dict.fromkeys(index[word], 1 / len(index[word])))
    best, most = 0, 0.0
    for number in sorted(shared):
        if shared[number] > most:
            best, most = number, shared[number]
    return best


@right
def closest_caption(sentence, index):
    numbers = sorted({number for word in set(sentence) for number in index.get(word, [])})
    scores = [
        sum(1 / len(index[w]) for w in set(sentence) if number in index.get(w, []))
        for number in numbers
    ]
    return numbers[scores.index(max(scores))] if numbers else 0
