"""Which columns of two queries belong together: by their names, and where those say nothing, by what is in them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Literal

from router.sql.comparing.contents import Contents, contents_of, overlap
from router.sql.comparing.forms import form_of
from router.sql.comparing.naming import folded, words
from router.sql.comparing.plan import Form, Pair
from router.sql.comparing.sampling import Sample

Reason = Literal["same name", "same words", "similar name", "same values"]

NEAR = 0.75
"""From here on, two names are taken for similar."""

COMMON = 0.5
"""The share of values of the smaller side that must be on the other side too, where names say nothing."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Two columns that seem to belong together, why, and how sure that is, from 0 to 1; texts are read as `form`."""

    left: int
    right: int
    reason: Reason
    score: float
    form: Form

    @property
    def pair(self) -> Pair:
        """The pair for a plan."""
        return Pair(self.left, self.right, self.form)


@dataclass(frozen=True, slots=True)
class Matched:
    """What was found, in the order of the left columns; the places that are left over on either side."""

    proposals: tuple[Proposal, ...]
    left_over: tuple[int, ...]
    right_over: tuple[int, ...]


def match_columns(left: Sample, right: Sample) -> Matched:
    """Return which columns seem to belong together: sure ones first, each column once at most."""
    lefts = [contents_of(left, place) for place in range(len(left.columns))]
    rights = [contents_of(right, place) for place in range(len(right.columns))]
    found: dict[int, Proposal] = {}
    for way in (_by(str, "same name", 1.0), _by(folded, "same words", 0.95), _by_similar_names, _by_values):
        taken = {proposal.right for proposal in found.values()}
        free = [each for each in lefts if each.place not in found]
        for proposal in way(free, [each for each in rights if each.place not in taken]):
            found[proposal.left] = replace(proposal, form=_form(left, right, proposal))
    rest = {proposal.right for proposal in found.values()}
    return Matched(
        tuple(found[place] for place in sorted(found)),
        tuple(each.place for each in lefts if each.place not in found),
        tuple(each.place for each in rights if each.place not in rest),
    )


def paired(left: Sample, right: Sample, here: int, there: int) -> Pair:
    """Return a pair that a person chose, with how its texts are read."""
    return Pair(here, there, _form_at(left, right, here, there))


Way = Callable[[Sequence[Contents], Sequence[Contents]], Iterator[Proposal]]


def _by(key: Callable[[str], str], reason: Reason, score: float) -> Way:
    """Pair names that are one by `key`; which of two is meant, only a person can say."""

    def pairs(lefts: Sequence[Contents], rights: Sequence[Contents]) -> Iterator[Proposal]:
        mine, others = [key(each.name) for each in lefts], [key(each.name) for each in rights]
        for left, name in zip(lefts, mine, strict=True):
            if mine.count(name) == others.count(name) == 1:
                yield Proposal(left.place, rights[others.index(name)].place, reason, score, "auto")

    return pairs


def _by_similar_names(lefts: Sequence[Contents], rights: Sequence[Contents]) -> Iterator[Proposal]:
    """Pair names that are nearly one, or of which one has all the words of the other, if the values could be."""
    yield from _best(
        Proposal(left.place, right.place, "similar name", round(0.9 * near, 2), "auto")
        for left in lefts
        for right in rights
        if (near := _nearness(left.name, right.name)) >= NEAR and left.fits(right)
    )


def _by_values(lefts: Sequence[Contents], rights: Sequence[Contents]) -> Iterator[Proposal]:
    """Pair columns that have many values in common; a few values, such as yes and no, prove nothing."""
    yield from _best(
        Proposal(left.place, right.place, "same values", round(0.8 * common, 2), "auto")
        for left in lefts
        for right in rights
        if left.fits(right) and (common := overlap(left, right)) >= COMMON
    )


def _best(found: Iterable[Proposal]) -> Iterator[Proposal]:
    """Give the surest first, each column once; where two are as sure for one column, neither of them."""
    proposals = sorted(found, key=lambda each: -each.score)
    lefts: set[int] = set()
    rights: set[int] = set()
    for each in proposals:
        if each.left in lefts or each.right in rights:
            continue
        free = (p for p in proposals if p.score == each.score and p.left not in lefts and p.right not in rights)
        if sum(p.left == each.left or p.right == each.right for p in free) == 1:
            lefts.add(each.left)
            rights.add(each.right)
            yield each


def _nearness(left: str, right: str) -> float:
    """Return how near two names are: by their letters, or by their words."""
    letters = SequenceMatcher(None, folded(left), folded(right), autojunk=False).ratio()
    mine, others = set(words(left)), set(words(right))
    shared = len(mine & others) / min(len(mine), len(others)) if mine and others else 0.0
    return max(letters, 0.85 if shared == 1.0 and len(mine | others) <= 3 else 0.0)


def _form(left: Sample, right: Sample, proposal: Proposal) -> Form:
    return _form_at(left, right, proposal.left, proposal.right)


def _form_at(left: Sample, right: Sample, here: int, there: int) -> Form:
    mine, others = [row[here] for row in left.rows], [row[there] for row in right.rows]
    return form_of((left.columns[here].kind, right.columns[there].kind), mine, others)
