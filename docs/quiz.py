"""The short questions of a chapter on its page: answered by a click, and judged at once.

The questions are those that the notebook asks a reader who begins. What there is to say to each
choice stands hidden below it, and book.js shows it.
"""

from attnbook.reader import LETTERS, Question, as_html, first_questions


def quiz(chapter: str) -> str:
    """The questions of a chapter in HTML; links lead to cells of notebooks.

    It has no empty line, at which Markdown would begin anew.
    """
    items = "\n".join(map(_item, first_questions(chapter)))
    score = '<p class="score" role="status"></p>'
    return f'<div class="quiz">\n<ol>\n{items}\n</ol>\n{score}\n</div>'


def _item(question: Question) -> str:
    choices = "\n".join(
        f'<button type="button" aria-pressed="false"{" data-right" * (letter == question.right)}>'
        f"<b>{letter}</b> <span>{as_html(choice)}</span></button>"
        f"<template>{as_html(question.verdict(letter))}{_place(question)}</template>"
        for letter, choice in zip(LETTERS, question.choices)
    )
    return (
        f'<li><p>{as_html(question.text)}</p>\n{choices}\n<p class="told" role="status"></p></li>'
    )


def _place(question: Question) -> str:
    """Where the answer stands."""
    name = f"{question.place.number} · {as_html(question.place.title)}"
    return f'Where it stands: <a href="{question.link}">{name}</a>.'
