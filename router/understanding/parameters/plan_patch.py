"""Changes of the plan on show: steps to leave out or to keep alone, or values typed, such as an address or a time.

Only what is understood to the last word counts: there are buttons for all else.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final, Literal

from router.language.phrases import Token, phrase_at
from router.memory.draft import Step, Wish
from router.understanding.button_words import word_of
from router.understanding.recurrences import recurrence_of
from router.understanding.step_parts import ADDRESS, clauses_of, has, longest, marked
from router.understanding.steps import chart_kind_wished, mail_words, read_steps
from router.understanding.values.forms import mail_patch, mail_values
from router.understanding.values.people import copies_blindly

PATCH_MAX_CHARS: Final = 200
"""Characters of a sentence that is looked at."""

_LIST_TO_KIND: Final[dict[str, Step]] = {
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

Steps = tuple[Wish, ...]
Verdict = Literal["", "without", "only"]
"""What becomes of steps that a clause names: they are left out, or kept alone."""


def plan_patch(text: str, steps: Steps, numbered: Mapping[str, Steps] | None = None) -> Steps | None:
    """Return the plan as a sentence changes it; None where it changes nothing, or is not understood to its end.

    `numbered` are the steps by the number of their line on the card. A Yes beside a change says nothing more.
    """
    typed = text.strip().rstrip(".!¿¡ ")
    if not typed or len(typed) > PATCH_MAX_CHARS or typed.endswith("?") or copies_blindly(typed):
        return None
    plan, kept = steps, set[Wish]()
    verdict: Verdict = ""
    for clause in clauses_of(typed):
        named, said = _named(clause.tokens, steps, numbered or {})
        # "without 2 and 3": a clause that only names steps goes on with the one before
        verdict = said or (verdict if named and named <= {*steps} else "")
        if verdict:
            if not named or named - {*steps}:
                return None
            plan = tuple(step for step in plan if verdict == "only" or step not in named)
            kept |= named if verdict == "only" else set()
        elif wishes := _said(clause.typed, plan):
            changed = _with(plan, wishes, steps)
            if changed is None:
                return None
            plan = changed
        elif not word_of(clause.typed, ("yes",)):
            return None
    plan = tuple(step for step in plan if not kept or step in kept or step not in steps)
    return None if plan == steps else plan


def names_steps(text: str) -> bool:
    """Return whether a sentence has a word for a step, an address or a time of day: it is not about the question."""
    tokens = marked(text)
    kinds = {kind for at in range(len(tokens)) for kind in _kinds_at(tokens, at)}
    return any(token.word == ADDRESS for token in tokens) or bool(kinds - {"write"} or recurrence_of(text).at)


def says_only_lines(text: str, lines: Collection[str]) -> bool:
    """Return whether a sentence says nothing but which steps or lines of the card it is about: "only 1 and 2"."""
    named, _ = _named(marked(text), (), {line: (Wish("ask", line),) for line in lines})
    return bool(named)


def _kinds_at(tokens: Sequence[Token], at: int) -> set[Step]:
    return {kind for name, kind in _LIST_TO_KIND.items() if phrase_at(f"steps.{name}", tokens, at)}


def _named(tokens: Sequence[Token], steps: Steps, numbered: Mapping[str, Steps]) -> tuple[set[Wish], Verdict]:
    """Return the steps that a sentence names, and what becomes of them; nothing beside other words.

    A step without a text is one of a kind that the plan does not have.
    """
    named, said, at = set[Wish](), set[Verdict](), 0
    while at < len(tokens):
        lengths: dict[Verdict, int] = {
            "without": longest(tokens, at, "without", "deny", "denial.before", "denial.behind"),
            "only": longest(tokens, at, "only"),
        }
        line = numbered.get(tokens[at].word, ())
        length = max(*lengths.values(), longest(tokens, at, *_SMALL, *_LIST_TO_KIND), len(line[:1]))
        if not length:
            return set(), ""
        for kind in _kinds_at(tokens, at):
            named |= {step for step in steps if step.step == kind} or {Wish(kind, "")}
        named |= {*line}
        said |= {verdict for verdict, found in lengths.items() if found}
        at += length
    return named, "without" if "without" in said else "only" if said else ""


def _said(clause: str, plan: Steps) -> Steps:
    """Return the steps that a clause says: the people of the e-mail, or a step that comes in place of its kind.

    Of an e-mail that is there, what was not said stays as it was.
    """
    before = {step.step: step.text for step in plan}
    if "email" in before:
        known = mail_values(before["email"])
        mail = mail_patch(clause, known.recipients())
        people = mail.recipients(known.recipients())
        named = (*mail.to, *mail.added, *mail.dropped)
        of_mail = named or mail.subject or (mail.form and has(marked(clause), "mail"))
        if of_mail and people and not mail.unread.text and all("@" in who for who in (*mail.to, *mail.added)):
            return (Wish("email", mail_words(people, mail.form or known.form, mail.subject or known.subject)),)
    if kind := chart_kind_wished(clause):
        return (Wish("chart", f"draw it as a {kind} chart"),)
    found = read_steps(clause)
    plain = not (found.question or found.denied) and all(step.step != "ask" for step in found.steps)
    return tuple(found.steps) if plain else ()


def _with(plan: Steps, said: Steps, before: Steps) -> Steps | None:
    """Return a plan with other steps in place of those of their kinds, or before its further question.

    None where it has several of a kind, or one that the same sentence said: it is not plain which one is meant.
    """
    for step in said:
        there = [each for each in plan if each.step == step.step]
        if there[1:] or not {*there} <= {*before}:
            return None
        plan = tuple(step if each in there else each for each in plan) if there else (*plan, step)
    return tuple(sorted(plan, key=lambda step: step.step == "ask"))
