"""What an e-mail tells of a result, in text and in HTML."""

from dataclasses import replace
from datetime import datetime, timedelta, timezone
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from router.cards import Head, Table
from router.jobs.mail.body import MAILED_COLUMNS, NOTICE, MailReport, as_html, as_text

TABLE = Table(
    (Head("store"), Head("revenue", "number")),
    (("North", "7.50"), ("Süd & Co", "1,234.00"), (None, "8.25")),
    3,
    seconds=0.42,
)
REPORT = MailReport(
    "Dear all,\nhere it is.",
    TABLE,
    "What was the revenue by store?",
    "Sales",
    "SELECT store,\n  sum(amount) AS revenue\nFROM sales",
    "Ana Example",
    datetime(2026, 11, 22, 6, 5, tzinfo=timezone(timedelta(hours=5, minutes=30))),
    "S-ABCDEFGH",
)
EVIL = "<script>alert(1)</script><img src=https://evil.example/x onerror=a()>\"'&"

TEXT = """\
Dear all,
here it is.

Question: What was the revenue by store?
Database: Sales
Rows: 3
Read: 2026-11-22 06:05 (UTC+05:30), in 0.4 s

store       revenue
--------  ---------
North          7.50
Süd & Co   1,234.00
NULL           8.25

AI makes mistakes: check the SQL before you rely on the rows.

SQL:
SELECT store,
  sum(amount) AS revenue
FROM sales

--\x20
Sent by icc-bot for Ana Example, job S-ABCDEFGH.
"""


class Seen(HTMLParser):
    """What a client sees of a page: its elements with their attributes, and its words."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.words.append(data.strip("\n"))


def test_the_plain_text() -> None:
    """Words, facts, rows with numbers on the right, the notice, the SQL, and whose it is."""
    assert TEXT == as_text(REPORT)


def test_the_page_says_the_same() -> None:
    """In the same order; what wraps differs."""
    page = Seen(as_html(REPORT))
    said = " ".join(" ".join(page.words).split()).replace("\xa0", "")
    for words in (
        "Dear all, here it is.",
        "Question What was",
        "Database Sales",
        "Rows 3",
        "Süd & Co 1,234.00",
        NOTICE,
    ):
        assert words in said
    assert said.endswith("FROM sales Sent by icc-bot for Ana Example, job S-ABCDEFGH.")
    sides = [attributes["align"] for tag, attributes in page.tags if tag in ("th", "td") and "align" in attributes]
    assert ["left", "right"] * 4 == sides


def test_what_is_cut_is_said() -> None:
    """Rows, columns and long cells; and where the rest is."""
    heads = tuple(Head(f"c{number}") for number in range(25))
    wide = replace(REPORT, table=Table(heads, (("x" * 300,) * 25,) * 10, 5000, capped=True))
    assert (
        "Shown: the first 10 of 5,000 rows and the first 20 of 25 columns. The rest is not in this e-mail." == wide.cut
    )
    assert wide.cut in as_text(wide)
    assert wide.cut in Seen(as_html(wide)).words
    assert MAILED_COLUMNS == Seen(as_html(wide)).words.count("x" * 99 + "…") // 10
    assert "Rows: 5,000 (there were more)" in as_text(wide)
    assert replace(wide, file="x.csv").cut.endswith(". All that was kept is in the attached file.")
    assert replace(REPORT, file="x.csv", table=replace(TABLE, total=9)).cut.endswith(
        "rows. All of it is in the attached file."
    )
    assert "" == REPORT.cut


def test_markup_is_text_wherever_it_stands() -> None:
    """In words, names, cells, the question and the SQL."""
    table = Table((Head(EVIL), Head(EVIL, "number")), ((EVIL, EVIL),), 1)
    evil = MailReport(EVIL, table, EVIL, EVIL, EVIL, EVIL, REPORT.read, "S-1")
    plain = Seen(as_html(replace(REPORT, table=replace(TABLE, rows=TABLE.rows[:1], total=1), words="x", sql="x")))
    assert {tag for tag, _ in plain.tags} == {tag for tag, _ in Seen(as_html(evil)).tags}
    assert {"style", "align", "scope", "role", "lang"} >= {
        name for tag, attributes in Seen(as_html(evil)).tags for name in attributes if tag not in ("meta", "table")
    }


@given(st.text(max_size=80))
def test_any_text_is_seen_as_it_is(text: str) -> None:
    """Nothing of it is taken for markup."""
    words = " ".join(" ".join(Seen(as_html(replace(REPORT, words=f"({text})"))).words).split())
    assert " ".join(f"({text})".replace("\x00", "\ufffd").split()) in words.replace("\x00", "\ufffd")
