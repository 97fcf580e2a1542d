"""The figures of talks, as text."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from tabulate import tabulate

from bot.evaluation.answers import Answer
from bot.evaluation.summary import summary
from bot.evaluation.talks import Talk
from router.intents.categories import Category

ALONE = ("first", "new")
"""The kinds of turns that are questions of their own."""


def talk_summary(talks: Iterable[Talk], given: Mapping[str, Answer]) -> Iterator[str]:
    """Say how many turns and whole talks are right, by the number of the turn and by what it changes."""
    whole = [talk for talk in talks if all(turn.id in given for turn in talk.turns)]
    yield from summary(given[turn.id] for talk in whole for turn in talk.turns)
    if not whole:
        return
    yield ""
    for title, some in (("", whole), (" of those held out", [talk for talk in whole if talk.held_out])):
        if some:
            right = sum(all(given[turn.id].right for turn in talk.turns) for talk in some)
            share = f"{right / len(some):.0%}"
            yield f"{right} of {len(some)} talks{title} are right from the first turn to the last: {share}."
    turns = [(talk, number, given[turn.id]) for talk in whole for number, turn in enumerate(talk.turns)]
    yield from _table("turn", turns, lambda talk, number: str(number + 1))
    yield from _table("kind", turns, lambda talk, number: talk.kinds[number] or "other")
    yield from _table(
        "talks",
        [turn for turn in turns if turn[1] > 0],
        lambda talk, number: "later turns, held out" if talk.held_out else "later turns, others",
    )
    if any(answer.intent for _, _, answer in turns):
        said = [(talk.kinds[at] in ALONE, answer.intent == Category.REFINE_QUESTION) for talk, at, answer in turns]
        follow = [followed for alone, followed in said if not alone]
        own = [followed for alone, followed in said if alone]
        yield ""
        yield f"{sum(follow)} of {len(follow)} follow-ups were understood as such."
        yield f"{sum(own)} of {len(own)} questions of their own were taken for one."
        asked = sum(answer.asked_back for _, _, answer in turns)
        yield f"{asked} of {len(turns)} turns were asked back about; the likely answer was taken."


def _table(title: str, turns: list[tuple[Talk, int, Answer]], name: Callable[[Talk, int], str]) -> Iterator[str]:
    groups: dict[str, list[Answer]] = {}
    for talk, number, answer in turns:
        groups.setdefault(name(talk, number), []).append(answer)
    rows = [
        (
            key,
            len(answers),
            sum(answer.right for answer in answers),
            f"{sum(a.right for a in answers) / len(answers):.0%}",
        )
        for key, answers in groups.items()
    ]
    yield ""
    yield tabulate(rows, (title, "turns", "right", "share"))
