"""From clauses to sentences: who is named and who is not."""

from __future__ import annotations

from events import Event, Parts, Saying, realise
from joining import BARE, ENDINGS, FINITE, OPENERS, STOPS, Clause, Said, english_of
from lexicon import Lexicon
from nouns import Actor
from predicates import ASKING, Mood
from rows import Draft, fixed
from tokens import NOTHING, Both, En, Ko


class Teller:
    """Tells clauses as sentences, in one register."""

    def __init__(self, lexicon: Lexicon, register: str, spoken: bool = False) -> None:
        self.lexicon, self.register, self.spoken = lexicon, register, spoken
        self.met: list[Actor] = []  # who has been named
        self.named = 0  # how many times whom it is about has been named
        self.last: Actor | None = None  # whom Korean need not name again
        self.hero: Actor | None = None  # whom Korean names first
        self.unclear = False  # whether "she" could also be the nurse just spoken of
        self.shifted = False  # whether the clause before was about somebody else

    def tell(
        self,
        clauses: list[Clause],
        kind: str,
        time: Both = NOTHING,
        *,
        stop: str = ".",
        ending: str = "final",
    ) -> Draft:
        """A story; clauses whose link is "." end a sentence."""
        ko: list[Ko] = [*time[0]]
        en: list[En] = [*time[1]]
        if time[0]:
            en.append(En(",", [], time[0][-1:]))
        ends: list[Ko] = []
        start = 0
        heroes = [c.actor for c in clauses if c.actor is not None and not c.silent]
        self.hero = heroes[0] if heroes else None
        if en and clauses[0].link in FINITE:  # if it rains tomorrow
            clauses[0].time, ko, en = time, [], []
        for number, clause in enumerate(clauses):
            if clause.link not in STOPS and number < len(clauses) - 1:
                continue
            sentence = clauses[start : number + 1]
            more_ko, more_en, more_ends = self._sentence(sentence, ending, bool(en) and not start)
            if start:
                end = Ko(".", glued=True)
                en.append(En(".", [], [end, ko[-1]]))
                ko.append(end)
                more_en[0].text = more_en[0].text[0].upper() + more_en[0].text[1:]
            ko, en, start = [*ko, *more_ko], [*en, *more_en], number + 1
            ends += more_ends
        return Draft((ko, en), kind, stop, ends, combinations(clauses))

    def _sentence(
        self, clauses: list[Clause], ending: str, dated: bool
    ) -> tuple[list[Ko], list[En], list[Ko]]:
        said = [self._say(clauses, number, ending) for number in range(len(clauses))]
        ko: list[Ko] = []
        ends = []
        pauses: list[list[Ko]] = []
        for number, one in enumerate(said):
            ko += one.ko
            ends.append(ko[-1])
            pauses.append([])
            if number + 1 < len(said) and self._pause(said, number):
                pauses[-1] = [Ko(",", glued=True)]
                ko += pauses[-1]
        return ko, english_of(said, pauses, dated), ends

    def _pause(self, said: list[Said], number: int) -> bool:
        """Whether Korean writes a comma: where the subject changes in a longer sentence."""
        link = said[number].clause.link
        changes = said[number + 1].clause.actor is not said[number].clause.actor
        if link in ("but", "yet", "and-so"):
            return changes or len(said) > 2
        return link == "and" and changes

    # One clause -------------------------------------------------------------------------------

    def _say(self, clauses: list[Clause], number: int, ending: str) -> Said:
        clause = clauses[number]
        last = number == len(clauses) - 1
        following = None if last else clauses[number + 1]
        link = "." if last or clause.link in STOPS else clause.link
        mark = ending if link == "." else ENDINGS[link]
        same = following is not None and following.actor is clause.actor is not None
        if mark == "and" and same and not clause.mood.negated:
            mark = "go"
        actor = clause.actor
        form = "ing" if link in BARE and not clause.event.own else "finite"
        if link in ("to", "for") or mark in ASKING:
            form = "base"
        asked = mark == "question"
        subject_ko, subject_en = ([], []) if mark in ASKING else self._subject(clause, link)
        inverted = asked and not _only_asks(clause.event)
        inverted = inverted and not (subject_en and subject_en[0].text in WORDS)  # who came?
        you = asked and (actor.agrees if actor else clause.event.own[-1].text) in ("2", "you")
        how = Saying(
            mark,
            clause.mood,
            self.register,
            actor is not None and actor.honoured or you and self.register != "plain",
            actor.agrees if actor else "3sg",
            form,
            asked=inverted,
            short=self.register == "polite" or inverted,  # why didn't she come?
            owner=clause.owner if actor is None else actor.group,
            before=(*clause.time[0], *clause.adverb[0], *clause.place[0]),
        )
        if link in ("if", "when") and clause.mood.tense == "future":
            how.mood = Mood("habit", clause.mood.modal, clause.mood.negated)
        parts = realise(clause.event, clause.things, self.lexicon, how)
        often = self.named > (self.hero is None or not self.hero.alone)
        self.shifted = self._of_another(clause) and (link == "." or not often)
        for key in clause.event.slots():
            if key in clause.things:
                clause.things[key] = clause.things[key].again()
        if parts.own and clause.hero is self.hero:
            subject_ko = self._name_hero(clause, parts)
            self.shifted = self.shifted and not subject_ko
        front_ko, front_en = fixed(*OPENERS[clause.opener]) if clause.opener else ([], [])
        said = Said(clause, parts, [*front_ko, *subject_ko, *parts.ko], subject_en, front_en)
        if mark in ASKING:
            said.subject = [*parts.own, *_request(mark, parts, self.register)]
        elif parts.own:
            said.subject = parts.own
        elif actor is not None and not subject_en:
            said.subject = [actor.pronoun(0, parts.predicate.ko)]
            if self.unclear and actor.entry is not None and actor.entry.kind == "name":
                said.subject[0].text = actor.entry.en
        speaks_of_hero = any(item.text == "me" for item in clause.event.en)
        self.unclear = bool(parts.own) and parts.own[-1].text in STRANGERS and not speaks_of_hero
        if inverted:  # where does Minsu live?
            first = _asking_words(clause.event) if said.subject[0].text in WORDS else 0
            aux = parts.group.aux
            aux[1:1], said.subject = said.subject[first:], said.subject[:first]
        return said

    def _subject(self, clause: Clause, link: str) -> Both:
        """The subject where it is said; ([], []) where Korean leaves it out."""
        actor = clause.actor
        if actor is None:
            return [], []
        changed = self.shifted or self.last is not None and actor is not self.last
        self.shifted = False
        if actor is self.last and not changed or clause.silent and not (actor.alone and changed):
            self.last = actor
            if actor not in self.met:
                self.met.append(actor)
            return [], []
        self.named += actor is self.hero
        known = actor in self.met
        phrase = actor.phrase(self.register, self.spoken)
        apart = link in ("if", "when", "so", "that", "since", "because") and self.last is not None
        mark = "subject" if apart and not known else clause.mark
        ko = phrase.marked(mark)
        en = phrase.en
        if known and not self._confusing(actor) and not self.unclear:
            en = [En(actor.pronoun(0).text, ko[:-1], ko[-1:])]
        self.last = actor
        if not known:
            self.met.append(actor)
        return ko, en

    def _of_another(self, clause: Clause) -> bool:
        """Whether a clause tells what another person does: who comes next is named again."""
        slots = [item.slot for item in clause.event.own if item.slot]
        return any(
            slot == "w" or len(slot) > 1 and self.lexicon.by_ko[slot].kind == "person"
            for slot in slots
        )

    def _name_hero(self, clause: Clause, parts: Parts) -> list[Ko]:
        """민수는 자전거가 고장 나서, Minsu's bicycle broke, so he ...; Sora called Minsu, but he
        ...: English names the hero where it first speaks of them, and so does Korean, as the
        topic, where something is theirs."""
        hero = clause.hero
        if hero is None or hero in self.met:
            return []
        mine = hero.alone and not clause.silent and clause.link not in STOPS
        if not mine and (hero.entry is None or hero.entry.kind != "name"):
            return []
        object_ = any(item.text == "me" for item in clause.event.en)
        owner, spoken_of = hero.pronoun(2).text, hero.pronoun(1).text
        for word in [*parts.own, *parts.after]:
            owns = word.text == owner and any(word is one for one in parts.own)
            whose = owns or word.text == owner and not object_
            if not whose and word.text != spoken_of or mine and not owns:
                continue
            if hero.entry is not None:
                word.text = hero.entry.en + "'s" * whose
            word.maybe = []
            self.met.append(hero)
            ko = hero.phrase(self.register).marked("topic")
            word.sure, word.maybe = ko[:-1], ko[-1:]
            self.last = hero
            self.named += 1
            return ko
        return []

    def _confusing(self, actor: Actor) -> bool:
        """Whether a pronoun could also be somebody else who has been named."""
        unknown = actor.agrees == "3sg" and not actor.gender
        return unknown or any(o is not actor and o.group == actor.group for o in self.met)


STRANGERS = {"neighbor", "teacher", "nurse", "clerk", "dentist", "doctor", "friend"}
WORDS = {"what", "where", "when", "who", "why", "how"}


def _asking_words(event: Event) -> int:
    """How many words come before the subject: *what time* does the meeting begin?"""
    slots = [number for number, item in enumerate(event.own) if item.slot]
    return slots[0] if slots else len(event.own) - 1


def _only_asks(event: Event) -> bool:
    """Whether the subject is what is asked for: who came?"""
    return len(event.own) == 1 and event.own[0].text in WORDS


def _request(ending: str, parts: Parts, register: str) -> list[En]:
    """please, please do not, let's, shall we: what stands before the verb."""
    tail = parts.predicate.rest()
    if ending == "lets":
        return [En("let's", tail)]
    if ending == "shall":
        return [En("shall", tail), En("we", [], tail)]
    polite = [En("please", [], tail)] if register != "plain" else []
    if ending == "dont":
        parts.group.verb[:0] = parts.group.aux
        parts.group.aux = []
        no = parts.group.verb.pop(0)
        if register == "formal":
            return [*polite, En("do", [], tail), no]
        return [*polite, En("don't", no.sure, tail)]
    return polite


def combinations(clauses: list[Clause]) -> set[tuple[str, str]]:
    """Which verb has which object in these clauses."""
    return {
        (clause.event.verb.stem, clause.things[slot].entry.ko)
        for clause in clauses
        for slot in clause.event.objects()
        if slot in clause.things
    }
