"""A reply of the router as one Teams message that fits into Teams' limits, whatever is in it."""

from collections.abc import Callable
from typing import assert_never

from adapters.rendering.attachment import Attached
from adapters.rendering.controls import QuestionRef, asks_in
from adapters.rendering.outcome import conclude_reply
from adapters.rendering.plain_text import text_of
from adapters.rendering.speech import speak
from adapters.rendering.text import label_of, remove_unseen
from adapters.teams.charts import draw_chart
from adapters.teams.controls import PROMPT_MAX_CHARS, STOP, data_of, draw_ask, execute
from adapters.teams.drawing import DETAILS, CardElements, Detail, Element, TeamsMessage, adaptive, size_of
from adapters.teams.forms import draw_form
from adapters.teams.markdown import escaped, marked
from adapters.teams.mentions import draw_waiting, mentions_of
from adapters.teams.tables import draw_table
from adapters.teams.text_elements import block, draw_code, draw_small, draw_text, run
from router.cards import Buttons, Card, Chart, Choice, Code, File, Form, Link, Progress, Reply, Table, Text, Waiting
from router.language.wording import truncate
from router.memory.thread import ThreadKey

CARD_MAX_BYTES = 76_000
"""Of a card's JSON: Teams takes about 80,000 of a whole message, with what is around the card."""

IN_SIGHT_MAX = 4
"""Buttons of a message in sight, one at least of each question; the others are behind its "…"."""

CARD_TEXT_MAX_CHARS, SUMMARY_MAX_CHARS, DECIDED_MAX_CHARS, LABEL_MAX_CHARS = 3_000, 300, 300, 100

CUT = "⚠️ Not all of this fits into a message: the whole of it is in the file message.txt."

FindLink = Callable[[Attached], str]
"""Returns an address under which a person can fetch what belongs to the message."""


def draw(
    reply: Reply, key: ThreadKey, *, decision: str = "", link: FindLink | None = None, most: int = CARD_MAX_BYTES
) -> TeamsMessage:
    """Return the reply as a message whose card has at most so many bytes; if none fits, as words and a file.

    `decision` is plain text that says how its question was answered: then nothing can be pressed. Without `link`, what
    belongs to the message is named and has to be handed over.
    """
    if decision:
        reply = conclude_reply(reply)
        decision = truncate(" ".join(remove_unseen(decision).split()), DECIDED_MAX_CHARS)
    said = "\n".join(filter(None, (speak(reply, bool(decision)), decision))) or "Done."
    summary = truncate(" ".join(said.split()), SUMMARY_MAX_CHARS)
    if (sentence := _sentence(reply, decision)) is not None:
        return TeamsMessage(sentence, summary=summary)
    text = escaped(said, CARD_TEXT_MAX_CHARS)
    for detail in DETAILS:
        body, files = _body(reply, key, decision, link, detail)
        card = adaptive(body, summary)
        if not decision and (entities := mentions_of(reply)):
            card["msteams"] |= {"entities": entities}
        if size_of(card) <= most:
            return TeamsMessage(text, card, files, summary)
    files = tuple(dict.fromkeys((*files, Attached("message.txt", text_of(reply)))))
    links = [f"[{escaped(each.name, LABEL_MAX_CHARS)}]({link(each)})" for each in files] if link else []
    return TeamsMessage("\n\n".join((text, *links)), None, files, summary)


def _sentence(reply: Reply, decision: str) -> str | None:
    """Return a reply that is a sentence or two as Markdown; None if it needs a card."""
    if decision or not reply.cards:
        return None
    said = []
    for card in reply.cards:
        if not isinstance(card, Text) or card.tone == "quiet":
            return None
        text = marked(("⚠️ " if card.tone == "problem" else "") + card.body)
        if text is None:
            return None
        said.append(text)
    text = "\n\n".join(filter(None, said))
    return text if 0 < len(text) <= CARD_TEXT_MAX_CHARS // 2 else None


def _body(
    reply: Reply, key: ThreadKey, decision: str, link: FindLink | None, detail: Detail
) -> tuple[list[Element], tuple[Attached, ...]]:
    """Return all elements, each card's picture above and its other files below it; and the files."""
    body: list[Element] = []
    files: list[Attached] = []
    cut = False
    for number, card in enumerate(reply.cards):
        part = _part(card, reply, QuestionRef(key, reply.turn, number), detail, bool(decision))
        drawn = [draw_file(file, link) for file in part.files]
        pictures = [each for each in drawn if each["type"] == "Image"]
        body += [*pictures, *part.elements, *(each for each in drawn if each not in pictures)]
        files += part.files
        cut = cut or part.cut
    if reply.sensitivity:
        body.append(draw_small(reply.sensitivity))
    if cut:
        whole = Attached("message.txt", text_of(reply))
        files.append(whole)
        body += [draw_small(CUT), draw_file(whole, link)]
    if decision:
        body.append(draw_small(decision) | {"spacing": "Small"})
    return body, tuple(files)


def _part(card: Card, reply: Reply, asked: QuestionRef, detail: Detail, decided: bool) -> CardElements:
    match card:
        case Buttons() | Choice() | Form():
            return _question(card, len(asks_in(reply)), asked, detail)
        case Progress():
            return _draw_progress(card, asked, detail, stop=card.stoppable and not decided)
        case Code():
            return draw_code(card, detail.chars, f"code:{asked.card}")
        case Table():
            return draw_table(card, detail)
        case Chart():
            return draw_chart(card, detail, sum(isinstance(each, Chart) for each in reply.cards[: asked.card]))
        case Text():
            return draw_text(card, detail.chars)
        case Waiting():
            return draw_waiting(card)
        case Link(label, url):
            return CardElements((_opener(label, url),))
        case File():
            return CardElements(files=(Attached(card.name, card.path),))
        case _:
            assert_never(card)


def _question(card: Buttons | Choice | Form, questions: int, asked: QuestionRef, detail: Detail) -> CardElements:
    if isinstance(card, Form):
        return draw_form(card, asked, 2 * detail.chars)
    return CardElements(tuple(draw_ask(card, asked, max(1, IN_SIGHT_MAX // questions))))


def _draw_progress(card: Progress, asked: QuestionRef, detail: Detail, *, stop: bool) -> CardElements:
    """Draw what is being done; with `stop`, a button ends it."""
    line = draw_text(Text(truncate(remove_unseen(card.text).strip(), PROMPT_MAX_CHARS) or "…", "quiet"), detail.chars)
    if not stop:
        return line
    stopper = execute("Stop", f"{STOP}:{asked.card}", data_of(asked, STOP))
    return CardElements((*line.elements, {"type": "ActionSet", "actions": [stopper]}))


# Files: Teams lets a bot attach none, so that a card links to them or names them.


def draw_file(file: Attached, link: FindLink | None) -> Element:
    """Draw what belongs to a message: a picture as itself if it has an address, anything else as a link."""
    if link is None:
        return draw_small(f"File: {label_of(file.name, LABEL_MAX_CHARS)}")
    url = link(file)
    if not file.name.endswith(".png"):
        return _opener(f"📎 {file.name}", url)
    alt, opener = "The chart as a picture.", {"type": "Action.OpenUrl", "url": url}
    return {"type": "Image", "url": url, "size": "Stretch", "altText": alt, "selectAction": opener}


def _opener(label: str, url: str) -> Element:
    """Return a line that opens an address."""
    opener = {"type": "Action.OpenUrl", "url": url}
    return block(run(label_of(label, LABEL_MAX_CHARS), color="Accent", underline=True, selectAction=opener))
