"""A whole message without blocks: every card in words, and what can be typed in place of pressing."""

from collections.abc import Callable

from adapters.attached import Attached
from adapters.caution import notice_of
from adapters.cells import gone
from adapters.fitting import cut, split
from adapters.markup import bare
from adapters.plain import text_of, text_of_card
from adapters.slack.drawn import Drawn
from adapters.slack.mrkdwn import escaped, fenced, fitted, marked
from adapters.slack.notification import LONGEST_TEXT, kept
from adapters.slack.tables import letters
from adapters.slack.texts import link
from adapters.unseen import clean, shown
from router.cards import Buttons, Card, Chart, Choice, Code, File, Form, Link, Option, Progress, Reply, Table, Text

LONGEST_QUESTION = 1_200
"""Characters that are kept for the questions and the decision, which are cut last."""

LONGEST_TABLE = 1_200
LONGEST_LABELS = 600
LEAST_ROOM = 100
CUT = "… The whole of it is in the file message.txt."


def in_words(reply: Reply, decision: str = "") -> Drawn:
    """Return the reply as text alone; what does not fit is attached."""
    asked = [ask for card in reply.cards if (ask := _ask(card))]
    question = kept(decision) if decision else fitted("\n".join(asked), LONGEST_QUESTION)
    notice = notice_of(reply, bool(decision))
    room = LONGEST_TEXT - len(question) - len(CUT) - len(notice) - 6
    said, whole = [], True
    for card in reply.cards:
        text, fits = _said(card, room - 2)
        whole = whole and fits
        if text.strip():
            said.append(text)
            room -= len(text) + 2
    parts = (*said, "" if whole else CUT, question, notice)
    text = "\n\n".join(part for part in parts if part.strip())
    return Drawn(text or "Done.", (), () if whole else (Attached("message.txt", text_of(reply)),))


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
            drawn, legend = letters(card, LONGEST_TABLE)
            text = f"{fenced(drawn)}\n{legend}"
            return (text, True) if len(text) <= room else ("", False)
        case Chart():
            return _first(text_of_card(card).strip("\n"), room, fenced)
        case File(name):
            return _first(name, room, escaped)
        case Link(label, url):
            text = link(label, url)
            return (text, True) if len(text) <= room else ("", False)
        case Progress(text, stoppable):
            return _first(f"{bare(text)} (Type “stop” to end it.)" if stoppable else bare(text), room, escaped)
        case _:
            return "", True


def _first(text: str, room: int, dress: Callable[[str], str]) -> tuple[str, bool]:
    if not clean(text).strip():
        return "", True
    if room < LEAST_ROOM:
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
    return cut(bare(prompt).strip(), LONGEST_QUESTION // 3)


def _typed(lead: str, options: tuple[Option, ...]) -> str:
    """Return the labels as alternatives; the router knows them when they are typed."""
    if not options:
        return ""
    labels = [f"“{' '.join(option.label.split())}”" for option in options]
    last = f" or {labels[-1]}" if len(labels) > 1 else ""
    listed = ", ".join(labels[:-1] if last else labels) + last
    return f"{lead} {listed if len(listed) <= LONGEST_LABELS else cut(', '.join(labels), LONGEST_LABELS)}."
