"""Two runs beside each other: which questions changed side, and whether that can be chance."""

from collections.abc import Iterator
from math import comb
from statistics import median

from bot.evaluation.answers import Answer, Answers


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


def _same(answer: Answer, new: Answers) -> Answer | None:
    """Return what the other run made of the same question; another question may have the same id."""
    found = new.given.get(answer.id)
    return found if found and (found.place, found.question) == (answer.place, answer.question) else None


def _change(before: Answer, after: Answer) -> Iterator[str]:
    yield f"  {after.id} ({after.place}) {after.question}"
    yield f"    before: {before.fault or 'right'}: {_line(before.sql)}"
    yield f"    now:    {after.fault or 'right'}: {_line(after.sql)}"


def _line(sql: str) -> str:
    return " ".join(sql.split()) or "no SQL"
