"""Replies of every shape, for properties that hold of all of them."""

from dataclasses import replace
from pathlib import Path
from typing import Literal

from hypothesis import Phase
from hypothesis import strategies as st

from router.cards import (
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
)
from router.jobs.results.chart import kinds_for
from router.memory.thread import ThreadKey

KEY = ThreadKey("slack", "T1", "C1", "1731000000.000100")

QUICK = (Phase.explicit, Phase.reuse, Phase.generate)
"""Texts of 10,000 characters take minutes to shrink; a failure names what Slack refuses, and where."""

NASTY = (
    "",
    " ",
    "\n",
    "<!channel>",
    "`",
    "```",
    "*a* _b_ ~c~",
    ":smile:",
    "> quoted",
    "https://x.y",
    "&amp;",
    "a\x00b",
)
LONG = ("x" * 10_000, "<>&" * 3_000, "word " * 2_000, "`" * 4_000, "مرحبا " * 1_500, "*_~" * 3_000, "a\nb" * 3_000)

texts = st.one_of(st.sampled_from(NASTY), st.text(max_size=60), st.sampled_from(LONG))
short = st.one_of(st.sampled_from(NASTY), st.text(max_size=30))
options = st.builds(Option, texts, texts, st.sampled_from(["plain", "primary", "danger"]))
kinds: st.SearchStrategy[Literal["text", "number", "date", "bool", "blob"]] = st.sampled_from(
    ["text", "number", "date", "bool", "blob"]
)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Draw a table of up to 60 columns and 200 rows; its rows repeat, so that large ones are made quickly."""
    width, height = draw(st.integers(0, 60)), draw(st.integers(0, 200))
    cells = draw(st.lists(st.one_of(st.none(), texts, st.sampled_from(["1", "-2.50", "007"])), min_size=1, max_size=9))
    columns = tuple(Head(draw(short), draw(kinds)) for _ in range(width))
    rows = tuple(tuple(cells[(r + c) % len(cells)] for c in range(width)) for r in range(height))
    return Table(columns, rows, height + draw(st.integers(0, 5000)), draw(st.integers(0, 500)), draw(st.booleans()))


@st.composite
def charts(draw: st.DrawFn) -> Chart:
    """Draw a chart of up to 30 points and 8 series."""
    labels = tuple(draw(st.lists(short, max_size=30)))
    value = st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False, width=32))
    values = st.lists(value, min_size=len(labels), max_size=len(labels)).map(tuple)
    series = tuple(draw(st.lists(st.builds(Series, short, values), max_size=8)))
    chart = Chart(draw(texts), "bar", labels, series)
    return replace(chart, kind=draw(st.sampled_from(kinds_for(chart))))


@st.composite
def choices(draw: st.DrawFn) -> Choice:
    """Draw a menu of up to 300 options; some are alike."""
    few = tuple(draw(st.lists(options, max_size=6)))
    many = tuple(Option(f"menu:{n}", f"table {n}") for n in range(draw(st.sampled_from([0, 0, 95, 294]))))
    given_ = (*few, *many)
    chosen = tuple(option.answer for option in given_[: draw(st.integers(0, 3))])
    return Choice(draw(texts), given_, draw(st.booleans()), chosen)


fields = st.builds(
    Field,
    st.text("abcdef", min_size=1, max_size=20),
    texts,
    st.sampled_from(["line", "text", "code"]),
    texts,
    st.booleans(),
    texts,
)
forms = st.builds(
    Form, texts, st.lists(fields, max_size=4, unique_by=lambda field: field.name).map(tuple), st.one_of(short, texts)
)

cards: st.SearchStrategy[Card] = st.one_of(
    st.builds(Text, texts, st.sampled_from(["plain", "problem", "quiet"])),
    st.builds(Code, texts, short, st.sampled_from(["sql", "python", ""])),
    tables(),
    charts(),
    st.builds(Buttons, texts, st.lists(options, max_size=60).map(tuple)),
    choices(),
    forms,
    st.builds(File, st.just("result.csv"), st.just(Path("/nowhere/result.csv")), st.just("text/csv")),
    st.builds(Link, texts, st.sampled_from(["https://chat.example/l/19%3Aa%40b?t=1&p=2", "https://chat.example/p|q"])),
    st.builds(Progress, texts, st.booleans()),
)

replies = st.builds(
    Reply, st.one_of(st.lists(cards, max_size=5), st.lists(cards, min_size=60, max_size=60)).map(tuple), st.just(7)
)
