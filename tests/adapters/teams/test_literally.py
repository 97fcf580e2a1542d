"""Every kind of card, with everything that Teams could read as something else in each of its texts."""

import json
from pathlib import Path
from typing import get_args

import pytest

from adapters.teams.cards import draw
from adapters.teams.drawing import Element, size_of
from router.cards import (
    Approver,
    Buttons,
    Card,
    Chart,
    Choice,
    Code,
    Field,
    File,
    Form,
    Head,
    Link,
    Option,
    Progress,
    Reply,
    Series,
    Table,
    Text,
    Waiting,
)
from router.memory.thread import ThreadKey
from tests.platforms.teams.cards.judge import card_faults, card_problems, marked, parts_of

KEY = ThreadKey("teams", "tenant", "19:abc@thread.tacv2;messageid=1795293296857", "")
MOST_BYTES = 80_000
"""Of a whole message in UTF-16; the fields that the connector adds take about 1,000."""

HARD = (
    "[x](http://evil)",
    "![x](https://evil.example/spy.png)",
    "<at>all</at>",
    "<b>bold</b><script>alert(1)</script>",
    "&lt;b&gt; &amp;",
    "# head\n- item\n1. item\n> quoted\n---",
    "**bold** __bold__ ~~gone~~ | a | b |",
    "{{DATE(2026-01-01T00:00:00Z, SHORT)}} ${name}",
    "https://evil.example www.evil.example @all",
    '"\\' * 300,
)
LONG = ("x" * 10_000, "<at>" * 2_500, "\U0001d518" * 10_000, '"\\' * 5_000, "مرحبا " * 2_000, "a\n" * 5_000)


def cards(hard: str) -> dict[type, Card]:
    """Return a card of each kind with this in every text that it has."""
    people = (Approver("a@b", "teams:1", f"{hard} x"), Approver(f"{hard}@example.com"), Approver("c@d", "", hard))
    options = tuple(Option(f"menu:{n}", f"{hard}{n}") for n in range(9))
    heads = (Head(hard), Head(f"{hard}2", "number"))
    return {
        Text: Text(hard),
        Code: Code(f"SELECT 1 -- {hard}", hard, hard),
        Table: Table(heads, ((hard, "1"), (None, hard)) * 10, 20, result=hard, connection=hard),
        Chart: Chart(hard, "bar", (hard, f"{hard}2"), (Series(hard, (1.0, 2.0)), Series(f"{hard}2", (1.0, None)))),
        Buttons: Buttons(hard, options),
        Choice: Choice(hard, options, many=True, chosen=("menu:1",)),
        Form: Form(hard, (Field("sql", hard, "code", hard, problem=hard), Field("note", hard)), hard),
        File: File(f"{hard}.csv", Path("/nowhere/result.csv"), "text/csv", hard),
        Link: Link(hard, "https://bot.example/l/19%3Aa?b=1&c=2"),
        Waiting: Waiting(people, hard),
        Progress: Progress(hard),
    }


def drawings(reply: Reply, decision: str = "") -> list[tuple[str, str, Element | None]]:
    """Return text, summary and card of a reply as it stands, and as it is decided and has links to its files."""
    open_ = draw(reply, KEY)
    link = "https://bot.example/files/abc"
    decided = draw(reply, KEY, decision=f"✓ {decision} · Ana · 14:03", link=lambda _: link)
    return [(each.text, each.summary, each.card) for each in (open_, decided)]


def require_taken(text: str, summary: str, card: Element | None) -> None:
    """Fail if Teams would refuse the message, or read anything in it as something else than it is."""
    assert marked(text, "the text") == []
    attached = [{"contentType": "application/vnd.microsoft.card.adaptive", "content": card}]
    content = {"attachments": attached} if card else {"text": text}
    assert size_of({"summary": summary, **content}) <= MOST_BYTES - 1_000
    if card is None:
        return
    assert (card_problems(card), card_faults(card)) == ([], [])
    parts = list(parts_of(card, fallbacks=True))
    blocks = [part for part in parts if part.get("type") in ("TextBlock", "FactSet")]
    assert [part for part in blocks if not str(part.get("text")).startswith("Waiting for <at>")] == []
    assert "{{DATE(" not in json.dumps([part.get("text") for part in parts])
    choices = [each["title"] for part in parts for each in part.get("choices") or []]
    assert [each for each in choices if "](" in each] == []


def test_no_kind_is_forgotten() -> None:
    """There is a card of each kind."""
    assert set(cards("")) == set(get_args(Card))


@pytest.mark.parametrize("hard", HARD, ids=range(len(HARD)))
def test_each_kind_is_literal(hard: str) -> None:
    """Whatever is in a card is seen as it is, alone or among all others, before and after it was decided."""
    every = cards(hard)
    for held in (*((card,) for card in every.values() if not isinstance(card, Chart)), tuple(every.values())):
        for text, summary, card in drawings(Reply(held, turn=1), hard):
            require_taken(text, summary, card)


@pytest.mark.parametrize(
    "long",
    [pytest.param(text, marks=pytest.mark.thorough if number else ()) for number, text in enumerate(LONG)],
    ids=["letters", "tags", "astral", "escapes", "arabic", "lines"],
)
def test_each_kind_is_small_enough(long: str) -> None:
    """Ten thousand characters in every text of a card, or of all cards together, make a message that Teams takes."""
    every = cards(long)
    for held in (*((card,) for card in every.values()), tuple(every.values())):
        for text, summary, card in drawings(Reply(held, turn=1), long):
            require_taken(text, summary, card)


def test_unknown_elements_are_refused() -> None:
    """The stand-in, which says so above, refuses an element and a field that Teams does not know."""
    text, _, card = drawings(Reply((Text("**x**"),), turn=1))[0]
    assert card is not None, text
    for body in ([{"type": "Marquee", "text": "x"}], [{"type": "RichTextBlock", "inlines": [], "blink": True}]):
        assert card_problems(card | {"body": body}) != []
