"""When something happens: times that fit a tense and a kind of action."""

from __future__ import annotations

from collections.abc import Callable

from rows import fixed as spelled
from tokens import Both, Dice

Time = Callable[[Dice], Both]


def fixed(korean: str, english_words: str) -> Time:
    """A time written "지난주|에" and translated word for word: "last:0 week:0"."""
    return lambda dice: spelled(korean, english_words)


DAYS = {
    "월요일": "Monday",
    "화요일": "Tuesday",
    "수요일": "Wednesday",
    "목요일": "Thursday",
    "금요일": "Friday",
    "토요일": "Saturday",
    "일요일": "Sunday",
}
PARTS = {"오전": ("morning", 8, 11), "오후": ("afternoon", 1, 5), "저녁": ("evening", 6, 8)}
CLOCK = ["한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉", "열", "열한"]
CLOCK_EN = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"]


def weekday(ko_before: str, en_before: str, days: int = 7) -> Time:
    """지난 토요일에, last Saturday; of five days only those on which people work."""

    def make(dice: Dice) -> Both:
        day = dice.pick(list(DAYS)[:days])
        return fixed(f"{ko_before} {day}|에", f"{en_before}:0 {DAYS[day]}:1")(dice)

    return make


def every_weekday(dice: Dice) -> Both:
    """토요일마다, every Saturday."""
    day = dice.pick(list(DAYS))
    return fixed(f"{day}|마다", f"every:1 {DAYS[day]}:0")(dice)


def clock(day_ko: str, day_en: str) -> Time:
    """어제 오후 세 시에, at three yesterday afternoon; 내일 오전 아홉 시에."""

    def make(dice: Dice) -> Both:
        part = dice.pick(list(PARTS))
        name, first, last = PARTS[part]
        hour = first + int(dice.random() * (last - first + 1)) - 1
        ko = f"{day_ko} {part} {CLOCK[hour]} 시|에"
        return fixed(ko, f"at:4 {CLOCK_EN[hour]}:2,3? {day_en}:0 {name}:1")(dice)

    return make


PAST_DAY = [
    fixed("어제", "yesterday:0"),
    fixed("그저께", "the:?0 day:0 before:0 yesterday:0"),
    weekday("지난", "last"),
]
TODAY = fixed("오늘", "today:0")
LAST_WEEKEND = fixed("지난 주말|에", "last:0 weekend:1")
PAST_HOUR = [
    fixed("어제 아침|에", "yesterday:0 morning:1"),
    fixed("어제 오후|에", "yesterday:0 afternoon:1"),
    fixed("어제 저녁|에", "yesterday:0 evening:1"),
    fixed("오늘 아침|에", "this:0 morning:1"),
]
PAST_LONG = [
    fixed("지난주|에", "last:0 week:0"),
    fixed("지난달|에", "last:0 month:0"),
    fixed("작년|에", "last:0 year:0"),
    fixed("지난여름|에", "last:0 summer:0"),
    fixed("지난겨울|에", "last:0 winter:0"),
]
FUTURE_DAY = [
    fixed("내일", "tomorrow:0"),
    fixed("모레", "the:?0 day:0 after:0 tomorrow:0"),
    weekday("이번", "this"),
]
THIS_WEEKEND = fixed("이번 주말|에", "this:0 weekend:1")
FUTURE_HOUR = [
    fixed("내일 아침|에", "tomorrow:0 morning:1"),
    fixed("내일 오후|에", "tomorrow:0 afternoon:1"),
    fixed("내일 저녁|에", "tomorrow:0 evening:1"),
    fixed("오늘 저녁|에", "this:0 evening:1"),
]
FUTURE_LONG = [
    fixed("다음 주|에", "next:0 week:1"),
    fixed("다음 달|에", "next:0 month:1"),
    fixed("내년|에", "next:0 year:0"),
    fixed("내년 여름|에", "next:0 summer:1"),
]
HABIT_DAY = [
    fixed("매일", "every:0 day:0"),
    fixed("주말|마다", "every:1 weekend:0"),
    every_weekday,
]
HABIT_HOUR = [
    fixed("아침|마다", "every:1 morning:0"),
    fixed("저녁|마다", "every:1 evening:0"),
]
# When something is agreed upon, or leaves.
HOURS = {
    "past": clock("어제", "yesterday"),
    "future": clock("내일", "tomorrow"),
}
NOW = [fixed("지금", "right:0 now:0")]
TIMES: dict[tuple[str, str], list[Time]] = {
    ("past", "day"): [*PAST_DAY, *PAST_HOUR, LAST_WEEKEND],
    ("past", "long"): [*PAST_DAY[2:], *PAST_LONG],
    ("past", "trip"): PAST_LONG,
    ("past", "live"): PAST_LONG[2:],
    ("past", "meal"): [*PAST_DAY, PAST_DAY[2]],
    ("past", "lately"): [*PAST_DAY[:2], PAST_HOUR[1], LAST_WEEKEND],
    ("past", "recent"): [PAST_DAY[0], TODAY],
    ("future", "lately"): [*FUTURE_DAY[:2], FUTURE_HOUR[2], THIS_WEEKEND],
    ("future", "recent"): [FUTURE_DAY[0]],
    ("past", "school"): [weekday("지난", "last", 4)],  # ... and people work on that one, too
    ("past", "then"): PAST_DAY[2:],  # a story that goes on the next day
    ("past", "night"): [fixed("어젯밤|에", "last:0 night:0")],
    ("future", "day"): [*FUTURE_DAY, *FUTURE_HOUR, THIS_WEEKEND],
    ("future", "long"): [*FUTURE_DAY[2:], *FUTURE_LONG],
    ("future", "trip"): FUTURE_LONG,
    ("future", "live"): FUTURE_LONG[2:],
    ("future", "meal"): FUTURE_DAY,
    ("future", "night"): FUTURE_DAY,
    ("past", "morning"): [PAST_DAY[0], PAST_HOUR[0], PAST_HOUR[3]],
    ("future", "morning"): [FUTURE_DAY[0], FUTURE_HOUR[0]],
    ("past", "work"): [*PAST_DAY[:2], weekday("지난", "last", 5)],
    ("future", "work"): [*FUTURE_DAY[:2], *FUTURE_HOUR[:2], weekday("이번", "this", 5)],
    ("past", "weekend"): [LAST_WEEKEND],
    ("future", "weekend"): [THIS_WEEKEND],
    ("habit", "daily"): [HABIT_DAY[0], *HABIT_HOUR],
    ("habit", "week"): HABIT_DAY[1:],
    ("habit", "day"): [*HABIT_DAY, *HABIT_HOUR],
    ("habit", "long"): HABIT_DAY,
    ("habit", "live"): [],
    ("habit", "meal"): HABIT_DAY,
    ("habit", "lately"): HABIT_DAY,
    ("habit", "recent"): HABIT_DAY[:1],
    ("habit", "night"): [fixed("매일 밤", "every:0 night:1")],
    ("habit", "morning"): [HABIT_DAY[0], fixed("매일 아침", "every:0 morning:1")],
    ("now", "day"): NOW,
    ("now", "long"): NOW,
    ("now", "trip"): NOW,
    ("now", "live"): NOW,
    ("now", "meal"): NOW,
    ("now", "night"): NOW,
}
