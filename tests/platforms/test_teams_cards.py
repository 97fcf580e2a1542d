"""The stand-in for Teams knows which cards Teams shows, and what a person reads in them."""

from typing import Any

import pytest

from tests.platforms.teams.cards.judge import card_faults, card_problems
from tests.platforms.teams.cards.words import words_of
from tests.support.rows import every_row

TEXT = {"type": "TextBlock", "text": "Hello"}
CODE = {"type": "CodeBlock", "codeSnippet": "SELECT 1", "language": "Sql"}
CHART = {"type": "Chart.Line", "title": "Sales", "data": [{"legend": "North", "values": [{"x": "May", "y": 3}]}]}
RUN = {"type": "Action.Execute", "title": "Run", "verb": "run"}


def card(*body: Any, **more: Any) -> dict[str, Any]:
    """Return a card of these elements."""
    return {"type": "AdaptiveCard", "version": "1.5", "body": list(body), **more}


def cell(text: str) -> dict[str, Any]:
    """Return a cell of a table."""
    return {"type": "TableCell", "items": [{"type": "RichTextBlock", "inlines": [text]}]}


def table(*rows: list[str]) -> dict[str, Any]:
    """Return a table of two columns."""
    made = [{"type": "TableRow", "cells": [cell(each) for each in row]} for row in rows]
    return {"type": "Table", "columns": [{"width": 1}, {"width": 1}], "rows": made}


CHOICES = {"type": "Input.ChoiceSet", "id": "db", "choices": [{"title": "Sales", "value": "s"}]}
TYPEAHEAD = {
    "type": "Input.ChoiceSet",
    "id": "t",
    "style": "filtered",
    "choices.data": {"type": "Data.Query", "dataset": "t"},
}
GOOD = [
    TEXT,
    {"type": "TextBlock", "text": "Hello", "weight": "bolder", "wrap": True, "isVisible": False, "id": "x"},
    {"type": "RichTextBlock", "inlines": ["a", {"type": "TextRun", "text": "b", "fontType": "monospace"}]},
    {"type": "FactSet", "facts": [{"title": "Rows", "value": "3"}]},
    {"type": "ColumnSet", "columns": [{"type": "Column", "width": "stretch", "items": [TEXT]}]},
    {"type": "Container", "style": "emphasis", "items": [TEXT], "selectAction": RUN},
    {"type": "ActionSet", "actions": [RUN, {"type": "Action.ShowCard", "title": "More", "card": card(TEXT)}]},
    {**CODE, "fallback": {"type": "RichTextBlock", "inlines": ["SELECT 1"]}},
    {**CHART, "fallback": table(["May", "3"])},
    {"type": "Badge", "text": "new", "fallback": "drop"},
    table(["a", "b"], ["1", "2"]),
    CHOICES,
    TYPEAHEAD,
]


@pytest.mark.parametrize("element", GOOD, ids=lambda each: each["type"])
def test_a_good_element_is_taken(element: dict[str, Any]) -> None:
    """Teams' own extensions are good with a fallback."""
    assert card_problems(card(element)) == []
    assert card_faults(card(element)) == []


@every_row(
    ("bad", "problem"),
    [
        (card({**TEXT, "colour": "Good"}), "card.body[0]: TextBlock has no field colour"),
        (card({**TEXT, "color": "Green"}), "card.body[0].color: 'Green' is none of"),
        (card({**TEXT, "text": 3}), "card.body[0].text: 3 is no str"),
        (card({"type": "TextBlock"}), "card.body[0]: TextBlock needs text"),
        (card({"type": "Text"}), "card.body[0]: there is no 'Text'"),
        (card(RUN), "card.body[0]: Action.Execute has no place here"),
        (card("Hello"), "card.body[0]: is no object"),
        (card(CODE), "card: CodeBlock is an extension of Teams and needs a fallback"),
        (card({**TEXT, "fallback": CHART}), "card: Chart.Line is an extension of Teams and needs a fallback"),
        (card({"type": "Container", "items": [{"type": "Nope"}]}), "card.body[0].items[0]: there is no 'Nope'"),
        (card({"type": "Input.Text"}), "card.body[0]: Input.Text needs id"),
        (card(CHOICES, CHOICES), "card: 2 inputs have the id 'db'"),
        (card(TEXT, actions=[RUN] * 7), "card.actions: 7 of at most 6"),
        (card({"type": "ActionSet", "actions": [RUN] * 7}), "card: an ActionSet has 7 of at most 6 actions"),
        (card(TEXT, version="1.6"), "card.version: 1.6 is above 1.5"),
        ({"type": "AdaptiveCard", "body": [TEXT]}, "card: AdaptiveCard needs version"),
        ({"body": []}, "card: is no AdaptiveCard"),
    ],
)
def test_a_bad_card_is_refused(bad: dict[str, Any], problem: str) -> None:
    """The path of what is wrong is told."""
    assert any(each.startswith(problem) for each in card_problems(bad)), card_problems(bad)


@pytest.mark.parametrize(
    "element",
    [
        {"type": "TextBlock", "text": "[win](http://evil.example)"},
        {"type": "TextBlock", "text": "<at>Kim</at>"},
        {"type": "FactSet", "facts": [{"title": "x", "value": "[win](http://evil.example)"}]},
        {"type": "Input.ChoiceSet", "id": "db"},
        {"type": "ActionSet", "actions": [{"type": "Action.Execute", "verb": "run"}]},
        table(["a", "b"], ["1"]),
    ],
)
def test_what_a_person_would_suffer_from_is_a_fault(element: dict[str, Any]) -> None:
    """Teams takes it: data read as Markdown, nothing to choose, an empty button, a ragged table."""
    assert card_problems(card(element)) == []
    assert len(card_faults(card(element))) == 1


def test_data_in_inlines_is_no_fault() -> None:
    """A RichTextBlock and a CodeBlock show what they are given."""
    code = {**CODE, "codeSnippet": "a < b", "fallback": {"type": "RichTextBlock", "inlines": ["a < b"]}}

    assert card_faults(card({"type": "RichTextBlock", "inlines": ["[x](y)"]}, code)) == []


def test_words_are_what_a_person_reads() -> None:
    """Runs stand in one line, rows too, hidden things and fallbacks not at all, and data of buttons neither."""
    hidden = {**TEXT, "text": "secret", "isVisible": False}
    runs = {"type": "RichTextBlock", "inlines": ["a ", {"type": "TextRun", "text": "b"}]}
    chart = {**CHART, "fallback": table(["fall", "back"])}
    facts = {"type": "FactSet", "facts": [{"title": "Rows", "value": "3"}]}
    button = {**RUN, "data": {"title": "nobody reads this"}}
    made = card(TEXT, hidden, runs, table(["a", "b"]), chart, facts, CHOICES, actions=[button])

    read = ["Hello", "a b", "a | b", "Sales", "North", "May 3", "Rows 3", "Sales", "Run"]
    assert read == words_of(made).splitlines()
