"""A reply of the router as one Slack message that fits into Slack's limits, whatever is in it."""

import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import assert_never

from adapters.rendering.attachment import Attached
from adapters.rendering.cells import CELL_MAX_CHARS, cell_of, cells_of, gone, legend_of
from adapters.rendering.controls import QuestionRef
from adapters.rendering.outcome import concluded
from adapters.rendering.plain_text import NULL, count_of, text_of, text_of_card
from adapters.rendering.speech import spoken
from adapters.rendering.text import bare, by_need, clean, named_in_words, shown, split, waits_for
from adapters.slack.charts import draw_chart
from adapters.slack.controls import button, draw_ask, draw_progress
from adapters.slack.drawing import Block, CardBlocks, Richness, SlackMessage, words_in
from adapters.slack.menus import FEEDBACK, plain
from adapters.slack.mrkdwn import escaped, fenced, fitted, marked
from adapters.slack.text_blocks import (
    PARAGRAPH_MIN_CHARS,
    SECTION_MAX_CHARS,
    draw_code,
    draw_text,
    link,
    preformatted,
    section,
    small,
)
from router.cards import (
    Approver,
    Buttons,
    Card,
    Chart,
    Choice,
    Code,
    File,
    Form,
    Head,
    Link,
    Option,
    Progress,
    Reply,
    Table,
    Text,
    Waiting,
)
from router.language.wording import truncate
from router.memory.thread import ThreadKey

# Notifications and screen readers read a message's `text`, not its blocks.


TEXT_MAX_CHARS = 3_000
DECISION_LINE_MAX_CHARS = 300


def notification(reply: Reply, decision: str = "") -> str:
    """Return the reply in a few lines of mrkdwn that ping nobody; never empty."""
    end = kept(decision)
    text = fitted(spoken(reply, bool(decision)), TEXT_MAX_CHARS - len(end) - 1)
    return "\n".join(filter(None, (text, end))) or "Done."


def kept(decision: str) -> str:
    """Return the mrkdwn that says who decided what, and when; without its marks where it is too long for a line."""
    return decision if len(decision) <= DECISION_LINE_MAX_CHARS else fitted(decision, DECISION_LINE_MAX_CHARS)


# A message without blocks: every card in words, and what can be typed in place of pressing.


KEPT_QUESTION_MAX_CHARS = 1_200
"""Characters that are kept for the questions and the decision, which are cut last."""

WORDED_TABLE_MAX_CHARS = 1_200
WORDED_OPTIONS_MAX_CHARS = 600
WORDED_CARD_MIN_CHARS = 100
CUT_IN_WORDS = "… The whole of it is in the file message.txt."


def in_words(reply: Reply, decision: str = "") -> SlackMessage:
    """Return the reply as text alone; what does not fit is attached."""
    asked = [ask for card in reply.cards if (ask := _ask(card))]
    question = kept(decision) if decision else fitted("\n".join(asked), KEPT_QUESTION_MAX_CHARS)
    notice = reply.sensitivity
    room = TEXT_MAX_CHARS - len(question) - len(CUT_IN_WORDS) - len(notice) - 6
    said, whole = [], True
    for card in reply.cards:
        text, fits = _said(card, room - 2)
        whole = whole and fits
        if text.strip():
            said.append(text)
            room -= len(text) + 2
    parts = (*said, "" if whole else CUT_IN_WORDS, question, notice)
    text = "\n\n".join(part for part in parts if part.strip())
    return SlackMessage(text or "Done.", (), () if whole else (Attached("message.txt", text_of(reply)),))


def _said(card: Card, room: int) -> tuple[str, bool]:
    """Return a card in at most `room` characters of mrkdwn, and whether that is all of it."""
    match card:
        case Text(body, tone):
            return _first(("⚠️ " if tone == "problem" else "") + body.strip(), room, marked)
        case Code(body, caption):
            head = f"{fitted(caption, 150)}:\n" if caption else ""
            text, fits = _first(shown(body).strip("\n"), room - len(head), fenced)
            return (head + text if text else ""), fits
        case Table():
            if not card.rows or not card.columns:
                return _first(gone(card), room, escaped)
            drawn, legend = letters(card, WORDED_TABLE_MAX_CHARS)
            text = f"{fenced(drawn)}\n{legend}"
            return (text, True) if len(text) <= room else ("", False)
        case Chart():
            return _first(text_of_card(card).strip("\n"), room, fenced)
        case File(name):
            return _first(name, room, escaped)
        case Waiting():
            text = mentioning(card)
            return (text, True) if len(text) <= room else ("", False)
        case Link(label, url):
            text = link(label, url)
            return (text, True) if len(text) <= room else ("", False)
        case Progress(text, stoppable):
            return _first(f"{bare(text)} (Type “stop” to end it.)" if stoppable else bare(text), room, escaped)
        case _:
            return "", True


def mentioning(card: Waiting) -> str:
    """Return whom a card waits for as mrkdwn, with Slack's own mention of those who were found."""
    return waits_for(replace(card, what=escaped(card.what)), _mention)


def _mention(approver: Approver) -> str:
    id = approver.id.removeprefix("slack:")
    return f"<@{id}>" if id else escaped(named_in_words(approver))


def _first(text: str, room: int, dress: Callable[[str], str]) -> tuple[str, bool]:
    if not clean(text).strip():
        return "", True
    if room < WORDED_CARD_MIN_CHARS:
        return "", False
    parts = split(text, room, dress)
    return dress(parts[0].strip("\n")), len(parts) == 1


def _ask(card: Card) -> str:
    """Return a question with what can be typed; empty for a card that asks nothing."""
    match card:
        case Buttons(prompt, options):
            lead = "type" if prompt.rstrip().endswith(":") else "Type"
            return f"{_prompt(prompt)} {_typed(lead, options)}".strip()
        case Choice(prompt, options, many):
            lead = "Type one or more of these, with commas:" if many else "Type"
            return f"{_prompt(prompt)} {_typed(lead, options)}".strip()
        case Form(title, fields):
            wrong = " ".join(field.problem for field in fields if field.problem)
            return f"{_prompt(title)}: send it as a message here. {wrong}".strip()
        case _:
            return ""


def _prompt(prompt: str) -> str:
    return truncate(bare(prompt).strip(), KEPT_QUESTION_MAX_CHARS // 3)


def _typed(lead: str, options: tuple[Option, ...]) -> str:
    """Return the labels as alternatives; the router knows them when they are typed."""
    if not options:
        return ""
    labels = [f"“{' '.join(option.label.split())}”" for option in options]
    last = f" or {labels[-1]}" if len(labels) > 1 else ""
    listed = ", ".join(labels[:-1] if last else labels) + last
    if len(listed) > WORDED_OPTIONS_MAX_CHARS:
        listed = truncate(", ".join(labels), WORDED_OPTIONS_MAX_CHARS)
    return f"{lead} {listed}."


# Below an answer: that AI errs, and thumbs to say whether it did.


LABELS = {"up": "Good answer", "down": "Bad answer"}


def thumbs(result: str, richness: Richness) -> Block:
    """Return thumbs whose value says which result they are about: `up:ID` or `down:ID`."""
    if richness < Richness.FULL:
        # Two buttons need two action_ids.
        rated = [
            button(f"{sign} {LABELS[way]}", f"{FEEDBACK}:{n}", f"{way}:{result}")
            for n, (way, sign) in enumerate((("up", "👍"), ("down", "👎")), 1)
        ]
        return {"type": "actions", "elements": rated}
    up, down = ({"text": plain(label), "value": f"{way}:{result}"} for way, label in LABELS.items())
    element = {"type": "feedback_buttons", "action_id": FEEDBACK, "positive_button": up, "negative_button": down}
    return {"type": "context_actions", "elements": [element]}


MESSAGE_BLOCKS_MAX = 50
"""Blocks of a message (Slack's limit)."""

MESSAGE_MAX_CHARS = 10_500
"""Characters of a message outside the cells of tables; Slack was seen to refuse about 13,200."""

KEPT_BLOCKS, KEPT_CHARACTERS = 4, 700
"""Blocks kept free for the lines at the end."""

CUT = "⚠️ Not all of this fits into a message: the whole of it is in the file message.txt."


def draw(
    reply: Reply, key: ThreadKey, richness: Richness = Richness.FULL, *, decision: str = "", rate: str = ""
) -> SlackMessage:
    """Return the reply as a message.

    `decision` is mrkdwn that says how its question was answered: then nothing can be pressed. `rate` is the id of the
    stored result that thumbs are given for.
    """
    if decision:
        reply = concluded(reply)
    files = tuple(Attached(card.name, card.path) for card in reply.cards if isinstance(card, File))
    if richness == Richness.TEXT:
        said = in_words(reply, decision)
        return SlackMessage(said.text, (), (*said.files, *files))
    parts, whole = _parts(reply, key, richness, decision)
    files = (*(file for part in parts for file in part.files), *files)
    if not whole:
        files = (*files, Attached("message.txt", text_of(reply)))
    ends = _ends(reply, richness, decision, rate, whole)
    return SlackMessage(
        notification(reply, decision), (*(block for part in parts for block in part.blocks), *ends), files
    )


def handed_over(reply: Reply) -> SlackMessage | None:
    """Return a reply that is files, and words about them at most: the text is their comment, which may be empty."""
    if not any(isinstance(card, File) for card in reply.cards):
        return None
    if not all(isinstance(card, File | Text) for card in reply.cards):
        return None
    words = replace(reply, cards=tuple(card for card in reply.cards if isinstance(card, Text)))
    said = in_words(words) if words.cards or reply.sensitivity else SlackMessage("")
    files = tuple(Attached(card.name, card.path) for card in reply.cards if isinstance(card, File))
    return None if said.files else replace(said, files=files)


def _parts(reply: Reply, key: ThreadKey, richness: Richness, decision: str) -> tuple[list[CardBlocks], bool]:
    """Return the cards as they were drawn, in their order, and whether that is all of them."""
    parts, whole = [CardBlocks()] * len(reply.cards), True
    blocks, room = MESSAGE_BLOCKS_MAX - KEPT_BLOCKS, MESSAGE_MAX_CHARS - KEPT_CHARACTERS
    for number in by_need(reply.cards):
        part = _part(reply, number, key, richness, decision, room)
        if len(part.blocks) > blocks or words_in(part.blocks) > room:
            part = CardBlocks(files=part.files, cut=True)
        whole = whole and not part.cut
        blocks, room = blocks - len(part.blocks), room - words_in(part.blocks)
        parts[number] = part
    return parts, whole


def _part(reply: Reply, number: int, key: ThreadKey, richness: Richness, decision: str, room: int) -> CardBlocks:
    card, asked = reply.cards[number], QuestionRef(key, reply.turn, number)
    match card:
        case Buttons() | Choice() | Form():
            return draw_ask(card, asked, richness)
        case Progress(_, stoppable):
            stop = stoppable and not decision and _nth(reply, number) == 0
            return draw_progress(card, asked, alone=len(reply.cards) == 1, stop=stop)
        case Code():
            return draw_code(card, richness, room, asked=_asks(reply) and not decision, decided=bool(decision))
        case Table():
            return draw_table(card, richness, room, first=_nth(reply, number) == 0)
        case Chart():
            return draw_chart(card, richness, room, _nth(reply, number))
        case Text():
            return draw_text(card, richness, room)
        case Waiting():
            return CardBlocks((small(mentioning(card)),))
        case Link(label, url):
            return CardBlocks((section(link(label, url)),))
        case File():
            return CardBlocks()
        case _:
            assert_never(card)


def _ends(reply: Reply, richness: Richness, decision: str, rate: str, whole: bool) -> list[Block]:
    """Return the lines below the cards: how it was decided, what is missing, that AI errs, and the thumbs."""
    lines = [kept(decision), "" if whole else CUT, reply.sensitivity]
    ends = [small(line) for line in lines if line.strip()]
    return [*ends, thumbs(rate, richness)] if rate else ends


def _asks(reply: Reply) -> bool:
    return any(isinstance(card, Buttons | Choice | Form) for card in reply.cards)


def _nth(reply: Reply, number: int) -> int:
    """Return how many cards of the same kind stand before this one."""
    return sum(type(card) is type(reply.cards[number]) for card in reply.cards[:number])


# A page of a result as a table that fits into a message; what is left out is named.


# Slack's limits: 20 columns; data_table: 100 rows below the head, 20,000 characters; table: 100 rows with the head,
# 10,000 characters. Some room is left, for Slack does not say what it counts.
SLACK_TABLE_COLUMNS = 20
SLACK_TABLE_ROWS = {Richness.FULL: 100, Richness.TABLE: 99}
SLACK_TABLE_MAX_CHARS = {Richness.FULL: 19_000, Richness.TABLE: 9_500}
CELL_WIDTHS = (CELL_MAX_CHARS, 200, 120, 80, 60, 40, 30, 20, 12)
"""The widths that cells may be cut at; the largest is taken that fits."""

TABLE_PAGE_ROWS = 10
"""Rows that a data_table shows at once; people page through the others in place."""

TABLE_TITLE_MAX_CHARS, TABLE_CAPTION_MAX_CHARS = 300, 700

TEXT_WIDTHS = (32, 20, 12)
TEXT_ROWS, TEXT_COLUMNS = 30, 5
TEXT_TABLE_LINE_MAX_CHARS = 45
"""The longest line of a table of letters: on a phone, longer lines wrap."""

EXACT_NUMBER_MAX = 2**53
_PLAIN_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,15})(\.[0-9]{1,15})?")


def draw_table(table: Table, richness: Richness, room: int, first: bool = True) -> CardBlocks:
    """Draw a Table card; Slack takes one table a message, so that all but the first are drawn in letters."""
    if not table.columns or not table.rows:
        return CardBlocks((small(escaped(gone(table))),))
    if richness < Richness.TABLE or not first:
        return _in_letters(table, richness, room)
    page = replace(table, rows=table.rows[: SLACK_TABLE_ROWS[richness]])
    width, columns = _fit(page, SLACK_TABLE_MAX_CHARS[richness])
    draw = _data_table if richness == Richness.FULL else _table
    legend = small(escaped(legend_of(table, len(page.rows), columns, width)))
    return CardBlocks((*_title_of(table), draw(page, width, columns), legend))


def _title_of(table: Table) -> list[Block]:
    """Return the line above a table: what the rows are, and the database that they came from."""
    title = f"*{fitted(table.title, TABLE_TITLE_MAX_CHARS)}*" if table.title else ""
    line = " · ".join(filter(None, (title, fitted(table.source, TABLE_TITLE_MAX_CHARS))))
    return [section(line)] if line else []


def letters(table: Table, most: int = SECTION_MAX_CHARS) -> tuple[str, str]:
    """Return as much of a table as `most` characters of fixed width hold, and the line below it."""
    columns, width = min(TEXT_COLUMNS, len(table.columns)), TEXT_WIDTHS[0]
    page = replace(table, rows=table.rows[:TEXT_ROWS])
    while True:
        drawn = _tabulated(page, width, columns)
        wide = max(map(len, drawn.splitlines())) > TEXT_TABLE_LINE_MAX_CHARS
        if not wide and len(drawn) <= most:
            break
        if wide and width > TEXT_WIDTHS[-1]:
            width = next(each for each in TEXT_WIDTHS if each < width)
        elif not wide and len(page.rows) > 1:
            page = replace(table, rows=table.rows[: len(page.rows) * 3 // 4])
        elif columns > 1:
            columns -= 1
        else:
            break
    return drawn, escaped(legend_of(table, len(page.rows), columns, width))


def _in_letters(table: Table, richness: Richness, room: int) -> CardBlocks:
    if room < 2 * PARAGRAPH_MIN_CHARS:
        return CardBlocks(cut=True)
    drawn, legend = letters(table, min(SECTION_MAX_CHARS, room) // 2)
    return CardBlocks((*_title_of(table), *preformatted(drawn, richness), small(legend)))


def _fit(table: Table, most: int) -> tuple[int, int]:
    """Return the width of cells and the number of columns with which the rows have at most `most` characters."""
    cells = cells_of(table, CELL_WIDTHS[0], min(SLACK_TABLE_COLUMNS, len(table.columns)))
    lengths = [[len(cell) for cell in column] for column in zip(*cells, strict=True)]
    for columns in range(len(lengths), 0, -1):
        for width in CELL_WIDTHS:
            if sum(min(length, width) for column in lengths[:columns] for length in column) <= most:
                return width, columns
    return CELL_WIDTHS[-1], 1


def _data_table(table: Table, width: int, columns: int) -> Block:
    head, *rows = _rows(table, width, columns, number=True)
    return {
        "type": "data_table",
        "caption": _caption(table),
        "page_size": min(TABLE_PAGE_ROWS, len(rows)),
        "rows": [head, *rows],
    }


def _caption(table: Table) -> str:
    """Return what a screen reader says of a table: what is in it, from where, and how many rows."""
    named = " · ".join(filter(None, (clean(table.title), clean(table.source))))
    return truncate(f"{named}: {count_of(table)}" if named else count_of(table), TABLE_CAPTION_MAX_CHARS)


def _table(table: Table, width: int, columns: int) -> Block:
    return {
        "type": "table",
        "rows": _rows(table, width, columns, number=False),
        "column_settings": [{"align": _align(head)} for head in table.columns[:columns]],
    }


def _rows(table: Table, width: int, columns: int, *, number: bool) -> list[list[Block]]:
    """Return the cells, those of the head first; with `number`, what is one is sorted as one."""
    names, *_ = cells_of(table, width, columns)
    rows = [
        [_raw(cell, head, width, number=number) for cell, head in zip(row, table.columns[:columns], strict=False)]
        for row in table.rows
    ]
    return [[{"type": "raw_text", "text": name} for name in names], *rows]


def _raw(cell: str | None, head: Head, width: int, number: bool) -> Block:
    """Return a cell: NULL slanted, so that it is not taken for the text; a number only where none of it is lost."""
    if cell is None:
        text = {"type": "text", "text": NULL, "style": {"italic": True}}
        return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [text]}]}
    if number and head.kind == "number" and len(cell) <= width and (value := exact(cell)) is not None:
        return {"type": "raw_number", "value": value, "text": cell}
    return {"type": "raw_text", "text": cell_of(cell, width)}


def exact(text: str) -> int | float | None:
    """Return the number that the text is, where a float holds it without loss; else None."""
    if not _PLAIN_NUMBER.fullmatch(text):
        return None
    value = float(text) if "." in text else int(text)
    return value if abs(value) < EXACT_NUMBER_MAX and Decimal(str(value)) == Decimal(text) else None


def _align(head: Head) -> str:
    return "right" if head.kind == "number" else "left"


def _tabulated(table: Table, width: int, columns: int) -> str:
    from tabulate import tabulate  # heavy where no rows are shown as text

    head, *rows = cells_of(table, width, columns)
    align: Callable[[Head], str] = _align
    return tabulate(
        rows,
        head,
        tablefmt="simple",
        colalign=[align(each) for each in table.columns[:columns]],
        disable_numparse=True,
    ).rstrip("\n")
