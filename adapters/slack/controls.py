"""Buttons and menus as blocks; each carries the thread and the question's number, and nothing else."""

from dataclasses import dataclass

from adapters.rendering.attachment import Attached
from adapters.rendering.controls import QuestionRef, values_of, with_short_labels
from adapters.rendering.text import remove_unseen, split
from adapters.slack.drawing import Block, CardBlocks
from adapters.slack.menus import (
    CHOOSE,
    FORM,
    MENU_OPTIONS_MAX,
    OPTION_MAX_CHARS,
    PRESS,
    STOP,
    TAKE,
    chosen_of,
    options_of,
    plain,
)
from adapters.slack.modals import MODAL_VALUE_MAX_CHARS, fits
from adapters.slack.mrkdwn import marked
from adapters.slack.text_blocks import draw_small, paragraphs, section
from router.cards import Buttons, Choice, Field, Form, Option, Progress

# Slack's limits of an actions block, a button's value and a placeholder.
BUTTONS_OF_A_BLOCK = 25
BUTTON_VALUE_MAX_CHARS = 2_000
PLACEHOLDER_MAX_CHARS = 150
OVERFLOW_OPTIONS_MAX = 5
CONFIRM_TITLE_MAX_CHARS, CONFIRM_MAX_CHARS, CONFIRM_BUTTON_MAX_CHARS = 100, 300, 30

BUTTONS_IN_SIGHT_MAX = 5
"""Buttons in sight; further ones overflow."""

LISTED_OPTIONS_MAX = 10
"""Entries of a menu up to which long ones are listed above it."""

BUTTONS_MAX = 50
PROMPT_MAX_CHARS = 1_500
TOO_LONG = "This query is too long to edit here. Reply with the new version."

MENU_MAX_CHARS = 3_000
"""Characters of all labels above which a menu asks for its entries while the person types."""


def draw_ask(card: Buttons | Choice | Form, asked: QuestionRef) -> CardBlocks:
    """Draw a question that stands."""
    match card:
        case Buttons():
            return draw_buttons(card, asked)
        case Choice():
            return draw_choice(card, asked)
        case Form():
            return draw_form(card, asked)


def draw_buttons(card: Buttons, asked: QuestionRef) -> CardBlocks:
    """Draw a question with its answers: buttons in sight, and what overflows behind dots."""
    card = with_short_labels(card)
    values = values_of(card.options)
    given = zip(card.options, values, strict=True)
    entries = [_Entry(n, option, value) for n, (option, value) in enumerate(given)][:BUTTONS_MAX]
    # A menu has one dialog for all of its entries, so that what is asked about stands by itself.
    free = [each for each in entries if each.option.confirm or not each.option.overflow]
    free.sort(key=lambda each: each.option.overflow)
    room = BUTTONS_IN_SIGHT_MAX
    hidden = [*free[room:], *(each for each in entries if each.option.overflow and not each.option.confirm)]
    safe = [each for each in hidden if not each.option.confirm]
    menus = [safe[n : n + OVERFLOW_OPTIONS_MAX] for n in range(0, len(safe), OVERFLOW_OPTIONS_MAX)]
    menus += [[each] for each in hidden if each.option.confirm]
    elements = [
        *(_pressed(each, asked) for each in free[:room]),
        *(_overflow(each, asked) for each in menus),
    ]
    rows = [elements[n : n + BUTTONS_OF_A_BLOCK] for n in range(0, len(elements), BUTTONS_OF_A_BLOCK)]
    actions = [_actions(row, asked, nth) for nth, row in enumerate(rows)]
    return CardBlocks((*_prompt(card.prompt), *actions), cut=len(card.options) > BUTTONS_MAX)


@dataclass(frozen=True, slots=True)
class _Entry:
    """An answer of a card: its place among them, and what stands for it in a menu."""

    place: int
    option: Option
    value: str

    def action(self, asked: QuestionRef) -> str:
        """Return the id of a button or a menu that begins with it."""
        return f"{PRESS}:{asked.card}:{self.place}"

    @property
    def drawn(self) -> Block:
        """Return it as an entry of a menu."""
        return {"text": plain(self.option.label), "value": self.value}


def _pressed(entry: _Entry, asked: QuestionRef) -> Block:
    option = entry.option
    drawn = button(option.label, entry.action(asked), option.answer, option.style)
    if option.confirm:
        drawn |= {"confirm": _dialog(option)}
    # A server-side check says who may press it; this hides it from those who may not.
    if option.only and all(id.startswith("slack:") for id in option.only):
        drawn |= {"visible_to_user_ids": [id.removeprefix("slack:") for id in option.only]}
    return drawn


def _dialog(option: Option) -> Block:
    """Return the dialog that is asked before a press is sent."""
    return {
        "title": plain(option.label, CONFIRM_TITLE_MAX_CHARS),
        "text": plain(option.confirm, CONFIRM_MAX_CHARS),
        "confirm": plain(option.label, CONFIRM_BUTTON_MAX_CHARS),
        "deny": plain("Cancel", CONFIRM_BUTTON_MAX_CHARS),
        **({"style": "danger"} if option.style == "danger" else {}),
    }


def _overflow(entries: list[_Entry], asked: QuestionRef) -> Block:
    """Return a menu behind three dots; an entry that asks first is alone in it."""
    drawn = {
        "type": "overflow",
        "action_id": entries[0].action(asked),
        "options": [each.drawn for each in entries],
    }
    return drawn | {"confirm": _dialog(entries[0].option)} if entries[0].option.confirm else drawn


def draw_choice(card: Choice, asked: QuestionRef) -> CardBlocks:
    """Draw a menu; one of several entries has a button that sends what was chosen."""
    if not card.options:
        return CardBlocks(tuple(_prompt(card.prompt)))
    if len(card.options) <= LISTED_OPTIONS_MAX:
        card = with_short_labels(card, OPTION_MAX_CHARS, OPTION_MAX_CHARS - len("10. "))
    menu = _menu(card, asked)
    if not card.many:
        return CardBlocks((*_prompt(card.prompt), _actions([menu], asked)))
    # Slack takes a menu of several entries in a section only; beside a longer text, a phone leaves no room for it.
    chosen = section("Choose one or more:") | {"accessory": menu, "block_id": str(asked)}
    taking = _actions([button("OK", f"{TAKE}:{asked.card}", "ok", "primary")], asked, 1)
    return CardBlocks((*_prompt(card.prompt), chosen, taking))


def draw_form(card: Form, asked: QuestionRef) -> CardBlocks:
    """Draw the button that opens the form; what was wrong with its fields stands above."""
    wrong = [f"⚠️ {field.problem}" for field in card.fields if field.problem]
    problems = [block for each in wrong for block in paragraphs(_short(each))]
    if not fits(card):
        long = next(field for field in card.fields if len(field.value) > MODAL_VALUE_MAX_CHARS)
        return CardBlocks((*problems, *paragraphs(TOO_LONG)), (Attached(_file_of(long), long.value),))
    opener = button(card.title or card.submit, f"{FORM}:{asked.card}", "open", "primary")
    return CardBlocks((*problems, _actions([opener], asked), draw_small("Or just type it.")))


def draw_progress(card: Progress, asked: QuestionRef, *, stop: bool) -> CardBlocks:
    """Draw what is being done; with `stop`, a button beside it ends it."""
    prompt = marked(_short(card.text)) or "…"
    if not stop:
        return CardBlocks((draw_small(prompt),))
    return CardBlocks((section(prompt) | {"accessory": button("Stop", STOP, "stop"), "block_id": str(asked)},))


def button(label: str, action: str, value: str, style: str = "plain") -> Block:
    """Return a button."""
    drawn = {"type": "button", "text": plain(label), "action_id": action, "value": value[:BUTTON_VALUE_MAX_CHARS]}
    return drawn if style == "plain" else drawn | {"style": style}


def _menu(card: Choice, asked: QuestionRef) -> Block:
    options = options_of(card)
    outside = len(options) > MENU_OPTIONS_MAX or sum(len(each["text"]["text"]) for each in options) > MENU_MAX_CHARS
    source = {"min_query_length": 0} if outside else {"options": options}
    kind = f"{'multi_' if card.many else ''}{'external' if outside else 'static'}_select"
    chosen = chosen_of(card)
    # Slack sends nothing when the entry is chosen that is ticked already, so that a single menu ticks none.
    ticked = {"initial_options": chosen} if card.many and chosen else {}
    hint = f"Type to find one of {len(options):,}" if outside else "Choose one or more" if card.many else "Choose"
    now = f"Now: {chosen[0]['text']['text']}" if chosen and not card.many else hint
    return {
        "type": kind,
        "action_id": f"{CHOOSE}:{asked.card}",
        "placeholder": plain(now, PLACEHOLDER_MAX_CHARS),
        **source,
        **ticked,
    }


def _actions(elements: list[Block], asked: QuestionRef, nth: int = 0) -> Block:
    """Return a row of elements; zeros before the card's number tell the further rows of one card apart.

    `asked_from` reads the same card from all of them, and Slack sees different ids.
    """
    id = f"{asked.turn}:{'0' * nth}{asked.card}:{asked.key}"
    return {"type": "actions", "block_id": id, "elements": elements}


def _prompt(prompt: str) -> list[Block]:
    return paragraphs(_short(prompt))


def _short(prompt: str) -> str:
    parts = split(remove_unseen(prompt).strip(), PROMPT_MAX_CHARS, marked)
    return parts[0].strip() + " …" if len(parts) > 1 else "".join(parts)


def _file_of(field: Field) -> str:
    return "query.sql" if field.kind == "code" else "text.txt"
