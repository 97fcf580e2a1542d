"""The figures of a run, as text."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from math import comb, sqrt
from statistics import fmean, median, quantiles

from tabulate import tabulate

from bot.evaluation.answers import Answers, MeasuredAnswer
from bot.evaluation.questions import MeasuredTalk
from router.understanding.categories import Category

# Two runs beside each other: which questions changed side, and whether that can be chance.


def chance(gained: int, lost: int) -> float:
    """Return how likely a difference at least this large is if both are equally good (McNemar's exact test)."""
    changed = gained + lost
    if not changed:
        return 1.0
    tail: float = sum(comb(changed, few) for few in range(min(gained, lost) + 1)) / 2**changed
    return min(1.0, 2 * tail)


def versus(old: Answers, new: Answers) -> Iterator[str]:
    """Say how the second run differs from the first, on the questions that both answered."""
    both = [(answer, same) for answer in old.given.values() if (same := _same(answer, new))]
    if not both:
        yield "The two files have no question in common."
        return
    gained = [(before, after) for before, after in both if after.right and not before.right]
    lost = [(before, after) for before, after in both if before.right and not after.right]
    rights = [sum(pair[place].right for pair in both) for place in (0, 1)]
    before, now = (f"{count} ({count / len(both):.1%})" for count in rights)
    yield f"{len(both)} questions in both: {before} right before, {now} now."
    yield (
        f"{len(gained)} became right, {len(lost)} became wrong; a difference like that comes by chance in "
        f"{chance(len(gained), len(lost)):.1%} of cases."
    )
    seconds = [median(pair[place].seconds for pair in both) for place in (0, 1)]
    tokens = [median(pair[place].evaluated for pair in both) for place in (0, 1)]
    yield (
        f"The median question took {seconds[0]:.1f} seconds before and {seconds[1]:.1f} now, and {tokens[0]:,.0f} "
        f"tokens were evaluated for it before and {tokens[1]:,.0f} now."
    )
    for title, pairs in (("Became right", gained), ("Became wrong", lost)):
        if pairs:
            yield ""
            yield f"{title}:"
            for pair in pairs:
                yield from _change(*pair)


def _same(answer: MeasuredAnswer, new: Answers) -> MeasuredAnswer | None:
    """Return what the other run made of the same question; another question may have the same id."""
    found = new.given.get(answer.id)
    return found if found and (found.place, found.question) == (answer.place, answer.question) else None


def _change(before: MeasuredAnswer, after: MeasuredAnswer) -> Iterator[str]:
    yield f"  {after.id} ({after.place}) {after.question}"
    yield f"    before: {before.fault or 'right'}: {_line(before.sql)}"
    yield f"    now:    {after.fault or 'right'}: {_line(after.sql)}"


def _line(sql: str) -> str:
    return " ".join(sql.split()) or "no SQL"


_ABOUT = re.compile(r"`[^`]*`|“[^”]*”|'(?:[^']|'')*'|\d[\d.,:-]*\d|\d")
"""Names, values, numbers and days in a repair's sentence."""

REPAIR_NOTE_MAX_CHARS = 60
"""Letters of a repair's sentence that are shown."""


def question_summary(talks: Iterable[MeasuredTalk], given: Mapping[str, MeasuredAnswer]) -> Iterator[str]:
    """Say the figures of questions."""
    yield from summary(given[turn.id] for talk in talks for turn in talk.turns if turn.id in given)


def summary(answers: Iterable[MeasuredAnswer]) -> Iterator[str]:
    """Say how many are right, what went wrong, how long it took and what it cost."""
    given = list(answers)
    if not given:
        yield "No question was asked."
        return
    count, right = len(given), sum(answer.right for answer in given)
    share = right / count
    error = sqrt(share * (1 - share) / count)
    yield f"{right} of {count} questions are answered rightly: {share:.1%} (standard error {error:.1%})."
    yield f"{sum(answer.runs for answer in given) / count:.1%} of the queries run."
    yield from _times(given)
    yield (
        f"Tokens a question: {fmean(a.read for a in given):,.0f} read, {fmean(a.evaluated for a in given):,.0f} of "
        f"them evaluated, {fmean(a.written for a in given):,.0f} written, in {fmean(a.calls for a in given):.2f} calls."
    )
    yield from _doubted([answer for answer in given if answer.runs and answer.sure])
    yield from _table("database", ((answer.place, answer) for answer in given))
    yield from _counted("fault", Counter(answer.fault for answer in given if answer.fault))
    yield from _counted("repair", Counter(_kind(note) for answer in given for note in answer.repairs))


def _table(title: str, grouped: Iterable[tuple[str, MeasuredAnswer]]) -> Iterator[str]:
    """Say how many answers of each group are right, in which time."""
    groups: dict[str, list[MeasuredAnswer]] = {}
    for name, answer in grouped:
        groups.setdefault(name, []).append(answer)
    rows = [
        (
            name,
            len(some),
            sum(a.right for a in some),
            f"{fmean(a.right for a in some):.0%}",
            median(a.seconds for a in some),
        )
        for name, some in groups.items()
    ]
    yield ""
    yield tabulate(rows, (title, "questions", "right", "share", "median s"), floatfmt=".1f")


OWN_QUESTION_KINDS = ("first", "new")
"""The kinds of turns that are questions of their own."""


def talk_summary(talks: Iterable[MeasuredTalk], given: Mapping[str, MeasuredAnswer]) -> Iterator[str]:
    """Say how many turns and whole talks are right, by the number of the turn and by what it changes."""
    whole = [talk for talk in talks if all(turn.id in given for turn in talk.turns)]
    yield from question_summary(whole, given)
    if not whole:
        return
    yield ""
    for title, some in (("", whole), (" of those held out", [talk for talk in whole if talk.held_out])):
        if some:
            right = sum(all(given[turn.id].right for turn in talk.turns) for talk in some)
            share = f"{right / len(some):.0%}"
            yield f"{right} of {len(some)} talks{title} are right from the first turn to the last: {share}."
    turns = [(talk, number, turn, given[turn.id]) for talk in whole for number, turn in enumerate(talk.turns, 1)]
    yield from _table("turn", ((str(number), answer) for _, number, _, answer in turns))
    yield from _table("kind", ((turn.kind or "other", answer) for _, _, turn, answer in turns))
    later = ((talk, answer) for talk, number, _, answer in turns if number > 1)
    yield from _table("later turns", (("held out" if talk.held_out else "others", answer) for talk, answer in later))
    if any(answer.intent for *_, answer in turns):
        taken = [
            (turn.kind in OWN_QUESTION_KINDS, answer.intent == Category.REFINE_QUESTION) for *_, turn, answer in turns
        ]
        follow_ups = [followed for own, followed in taken if not own]
        questions = [followed for own, followed in taken if own]
        asked = sum(answer.asked_back for *_, answer in turns)
        yield ""
        yield f"{sum(follow_ups)} of {len(follow_ups)} follow-ups were understood as such."
        yield f"{sum(questions)} of {len(questions)} questions of their own were taken for one."
        yield f"{asked} of {len(turns)} turns were asked back about; the likely answer was taken."


RELIABILITY_BANDS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01)
"""Limits of likelihood between which answers are counted together."""


def _doubted(given: list[MeasuredAnswer]) -> Iterator[str]:
    """Say which answers carry a doubt, and how often those of a likelihood are right."""
    right, wrong = ([answer for answer in given if answer.right is kind] for kind in (True, False))
    if not right or not wrong:
        return
    told = [sum(bool(answer.doubts) for answer in some) / len(some) for some in (wrong, right)]
    yield (
        f"A doubt is shown with {told[0]:.0%} of the wrong answers that run, and with {told[1]:.0%} of the right ones; "
        f"area under the curve {ranked_higher(right, wrong):.2f}."
    )
    yield ""
    bands = [
        [f"{low:.0%} to {min(high, 1):.0%}", len(some), f"{sum(answer.right for answer in some) / len(some):.0%}"]
        for low, high in pairwise(RELIABILITY_BANDS)
        if (some := [answer for answer in given if low <= answer.sure < high])
    ]
    yield tabulate(bands, ("said to be right", "answers", "are right"))


def ranked_higher(right: list[MeasuredAnswer], wrong: list[MeasuredAnswer]) -> float:
    """Return how often a right answer is surer than a wrong one: 0.5 by chance, 1 if always (area under the ROC)."""
    won = sum((a.sure > b.sure) + (a.sure == b.sure) / 2 for a in right for b in wrong)
    return won / (len(right) * len(wrong))


def _times(given: list[MeasuredAnswer]) -> Iterator[str]:
    for title, times in (
        ("", [answer.seconds for answer in given]),
        (" on a new database", [answer.seconds for answer in given if answer.first]),
        (" on a known one", [answer.seconds for answer in given if not answer.first]),
    ):
        if times:
            slow = quantiles(times, n=10)[-1] if len(times) > 1 else times[0]
            yield f"Seconds a question{title}: median {median(times):.1f}, nine of ten within {slow:.1f}."


def _counted(title: str, counts: Counter[str]) -> Iterator[str]:
    if counts:
        yield ""
        yield tabulate(counts.most_common(), (title, "times"))


def _kind(note: str) -> str:
    """Return a repair's sentence without what it is about, so that it is the same for all of a kind."""
    text = _ABOUT.sub("…", note)
    return text if len(text) <= REPAIR_NOTE_MAX_CHARS else f"{text[:REPAIR_NOTE_MAX_CHARS].rsplit(' ', 1)[0]}…"
