"""Changes of the plan on show: steps to leave out or to keep alone, or values typed, such as an address or a time.

Only what is understood to the last word counts: there are buttons for all else.
"""

from collections.abc import Sequence
from typing import Final, Literal

from router.language.phrases import Token, phrase_at
from router.memory.draft import Step, Wish
from router.understanding.button_words import word_of
from router.understanding.step_parts import ADDRESS, clauses_of, has, longest, marked
from router.understanding.steps import mail_words, read_steps
from router.understanding.values.forms import mail_patch, mail_values
from router.understanding.values.people import copies_blindly

PATCH_MAX_CHARS: Final = 200
"""Characters of a sentence that is looked at."""

_LIST_TO_STEP: Final[dict[str, Step]] = {
    **dict.fromkeys(("mail", "send"), "email"),
    **dict.fromkeys(("picture", "plot"), "chart"),
    **dict.fromkeys(("save", "write", "table"), "write"),
    **dict.fromkeys(("share", "channel"), "share"),
    "csv": "csv",
    "excel": "xlsx",
    "repeat": "repeat",
}
_SMALL: Final = ("fillers", "the", "to", "in", "as", "of", "join", "glue", "courtesy", "me", "it", "rows", "ask")
"""Lists of words that say nothing of a question."""
_WITHOUT: Final = ("without", "deny", "denial.before", "denial.behind")

Steps = tuple[Wish, ...]
Verdict = Literal["", "without", "only"]
"""The fate of the steps that a clause names: they are left out, or kept alone."""


def plan_patch(text: str, plan: Steps, first: int = 0) -> Steps | None:
    """Return the plan as a sentence changes it; None if it changes nothing, or is not understood to its end.

    `first` is the number of the first step on the card, 0 if none is numbered. A Yes beside a change says no more.
    """
    typed = text.strip().rstrip(".!¿¡ ")
    if not typed or len(typed) > PATCH_MAX_CHARS or typed.endswith("?") or copies_blindly(typed):
        return None
    left, kept, said = list(plan), list[Wish](), list[Wish]()
    verdict: Verdict = ""
    for clause in clauses_of(typed):
        named, told = named_steps(clause.tokens, plan, first)
        # "without 2 and 3": a clause that only names steps goes on with the one before
        verdict = told or (verdict if named else "")
        if verdict:
            if not named or not {*named} <= {*plan}:
                return None
            left = [step for step in left if verdict == "only" or step not in named]
            kept += named if verdict == "only" else []
        elif wishes := _said(clause.typed, plan):
            said += wishes
        elif not word_of(clause.typed, ("yes",)):
            return None
    left = [step for step in left if not kept or step in kept]
    changed = _with(left, said)
    return None if changed == plan else changed


def names_steps(text: str) -> bool:
    """Return whether a sentence has a word for a step or an address: it is not about the question."""
    tokens = marked(text)
    listed = tuple(name for name, step in _LIST_TO_STEP.items() if step != "write")
    return has(tokens, *listed) or any(token.word == ADDRESS for token in tokens)


def named_steps(tokens: Sequence[Token], plan: Steps, first: int) -> tuple[list[Wish], Verdict]:
    """Return the steps that words name, by kind or number, and what becomes of them; nothing beside other words.

    A step without a text is one that the plan does not have.
    """
    named, told, at = list[Wish](), set[Verdict](), 0
    while at < len(tokens):
        word = tokens[at].word
        without, only = longest(tokens, at, *_WITHOUT), longest(tokens, at, "only")
        numbered = bool(first) and word.isdigit()
        length = max(without, only, longest(tokens, at, *_SMALL, *_LIST_TO_STEP), int(numbered))
        if not length:
            return [], ""
        for kind in {kind for name, kind in _LIST_TO_STEP.items() if phrase_at(f"steps.{name}", tokens, at)}:
            named += [step for step in plan if step.step == kind] or [Wish(kind)]
        if numbered:
            named += plan[int(word) - first : int(word) - first + 1] if int(word) >= first else [Wish()]
        told |= {"without"} if without else {"only"} if only else set()
        at += length
    return named, "without" if "without" in told else "only" if told else ""


def _said(clause: str, plan: Steps) -> list[Wish]:
    """Return the steps that a clause says: the people of the e-mail, or a step that comes in place of its kind.

    Of an e-mail that is there, what was not said stays as it was.
    """
    if before := next((step.text for step in plan if step.step == "email"), ""):
        known = mail_values(before)
        mail = mail_patch(clause, known.recipients())
        people = mail.recipients(known.recipients())
        named = (*mail.to, *mail.added, *mail.dropped)
        of_mail = named or mail.subject or (mail.form and has(marked(clause), "mail"))
        if of_mail and people and not mail.unread.text and all("@" in who for who in (*mail.to, *mail.added)):
            return [Wish("email", mail_words(people, mail.form or known.form, mail.subject or known.subject))]
    found = read_steps(clause)
    plain = not (found.question or found.denied) and all(step.step != "ask" for step in found.steps)
    return found.steps if plain else []


def _with(plan: Sequence[Wish], said: Sequence[Wish]) -> Steps | None:
    """Return a plan with other steps in place of those of their kinds, or before its further question.

    None if it has several of a kind, or a sentence says several: it is not plain which one is meant.
    """
    by_kind = {step.step: step for step in said}
    several = any(sum(each.step == kind for each in plan) > 1 for kind in by_kind)
    if several or len(by_kind) < len(said):
        return None
    changed = [by_kind.pop(step.step, step) for step in plan]
    return tuple(sorted((*changed, *by_kind.values()), key=lambda step: step.step == "ask"))
