"""The data of buttons, menus and forms: the question that they belong to, and the entries of a menu.

They carry the number of a question, never SQL and never rows.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from textwrap import shorten
from typing import TypeVar

from router.cards import Buttons, Choice, Field, Form, Option, Reply
from router.language.folding import caseless
from router.language.wording import or_list, truncate
from router.memory.thread import ThreadKey, key_from

Question = Buttons | Choice | Form


def asks_in(reply: Reply) -> list[Question]:
    """Return the cards of a reply that can be answered."""
    return [card for card in reply.cards if isinstance(card, Buttons | Choice | Form)]


def is_lasting(reply: Reply) -> bool:
    """Return whether a reply's buttons work whatever was asked since, as those of a result."""
    asks = asks_in(reply)
    return bool(asks) and all(isinstance(ask, Buttons | Choice) and ask.lasting for ask in asks)


BUTTON_LABEL_MAX_CHARS = 40
"""Characters of an answer up to which it is the label of its button: clients cut longer ones within words."""

SHORT_LABEL_MAX_CHARS = 28
"""Characters of the label that stands for a longer answer."""

C = TypeVar("C", bound=Buttons | Choice)


def with_short_labels(card: C, most: int = BUTTON_LABEL_MAX_CHARS, short: int = SHORT_LABEL_MAX_CHARS) -> C:
    """Return a question whose answers, if one is long, stand above as a numbered list, and begin their buttons' labels.

    A Yes says what it does, and what is for some people alone is for no list; nor is a word or two.
    """
    listed = {n: each.label for n, each in enumerate(card.options) if each.answer != "yes" and not each.only}
    if max(map(len, listed.values()), default=0) <= most:
        return card
    long = {n for n, label in listed.items() if len(label) > short}
    lines = [f"{n + 1}. {' '.join(each.label.split())}" for n, each in enumerate(card.options) if n in long]
    options = tuple(
        replace(each, label=f"{n + 1}. {first_words(each.label, short)}") if n in long else each
        for n, each in enumerate(card.options)
    )
    return replace(card, prompt="\n".join(filter(None, (card.prompt, *lines))), options=options)


def first_words(label: str, most: int) -> str:
    """Return as many words as there is room for; a part of the first one if that is longer."""
    found = shorten(label, most, placeholder="…")
    return found if found != "…" else truncate(" ".join(label.split()), most)


MENU_VALUE_MAX_CHARS = 150
"""Characters of what stands for an answer; Slack takes no more."""

# A comma would part one value into two, if several come in one string.
_UNFIT = re.compile(r"#\d{1,9}|[^,]*,.*", re.DOTALL)

_NO_MATCH = 4


@dataclass(frozen=True, slots=True)
class QuestionRef:
    """One card of one question in one thread."""

    key: ThreadKey
    turn: int
    card: int

    def __str__(self) -> str:
        return f"{self.turn}:{self.card}:{self.key}"


def asked_from(text: str) -> QuestionRef:
    """Return what the string of a QuestionRef says; raises ValueError if it says nothing of ours."""
    turn, card, key = text.split(":", 2)
    return QuestionRef(key_from(key), int(turn), int(card))


def values_of(options: Sequence[Option]) -> list[str]:
    """Return what stands for each answer: the answer itself, or `#n` if it is unfit, too long or there twice."""
    times = Counter(option.answer for option in options)
    return [
        answer
        if 0 < len(answer) <= MENU_VALUE_MAX_CHARS and times[answer] == 1 and not _UNFIT.fullmatch(answer)
        else f"#{n}"
        for n, answer in enumerate(option.answer for option in options)
    ]


def answers_of(options: Sequence[Option], values: Sequence[str]) -> tuple[str, ...]:
    """Return the router's answers for the values that were chosen; a value that the menu does not have says nothing."""
    answers = dict(zip(values_of(options), (option.answer for option in options), strict=True))
    return tuple(answers[value] for value in values if value in answers)


def matching(options: Sequence[Option], typed: str) -> list[int]:
    """Return which entries fit what was typed so far: those that begin so, then by words, then by any part."""
    wanted = caseless(typed)
    ranked = sorted((_rank(option, wanted), n) for n, option in enumerate(options))
    return [n for rank, n in ranked if rank < _NO_MATCH]


def _rank(option: Option, wanted: str) -> int:
    label = caseless(option.label)
    if not wanted or label.startswith(wanted):
        return 0
    starts = re.split(r"[\W_]+", label)
    if all(any(start.startswith(word) for start in starts) for word in re.split(r"[\W_]+", wanted) if word):
        return 1
    if wanted in label:
        return 2
    return 3 if all(word in label for word in wanted.split()) else _NO_MATCH


_NAME_END = re.compile(r",| \(")
"""The sign between the name of a choice and what is said of it: "By e-mail, as CSV", "Totals (counts and sums)"."""


def condition_of(field: Field, form: Form) -> str:
    """Return when a field applies, in words, for platforms that show all fields at all times."""
    name, values = field.when
    options = next((other.options for other in form.fields if other.name == name), ())
    fits = dict.fromkeys(_NAME_END.split(option.label)[0] for option in options if option.answer in values)
    return f" (only for: {or_list(list(fits))})" if fits else ""
