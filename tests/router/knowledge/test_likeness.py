"""Questions that are alike by their words: rare ones weigh more, names of values hardly anything."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from router.knowledge.example_store import KeptExample
from router.knowledge.examples import LIKENESS_MIN, index_of, without_names
from router.understanding.classifier import weigh

SHOP = (
    "Which 5 customers brought the most revenue?",
    "How many orders are there in each region?",
    "How many orders did Barbara Liskov place?",
    "What does Barbara Liskov owe us?",
)

WORDS = ("orders", "open", "customers", "region", "which", "revenue", "5", "Ada", "of", "the")
questions = st.lists(st.sampled_from(WORDS), min_size=1)
examples = st.lists(questions.map(" ".join), min_size=1, max_size=8, unique=True)


def _near(question: str, of: Sequence[str] = SHOP, least: float = LIKENESS_MIN) -> list[tuple[float, str]]:
    kept = [KeptExample("shop", "main", each, "SELECT 1") for each in of]
    found = index_of(kept, weigh).nearest(without_names(question), least)
    return sorted((likeness, of[number]) for likeness, number in found)


def test_the_same_question_is_as_like_as_can_be() -> None:
    """Case and numbers make no difference."""
    assert [(1.0, SHOP[0])] == _near("which 5 customers brought the most revenue?")


def test_a_name_does_not_make_questions_alike() -> None:
    """Another question about the same customer is no example, the same question about another one is."""
    assert SHOP[2] in [text for _, text in _near("How many orders did Grace Hopper place?")]
    assert [] == _near("When was Barbara Liskov born?")


@given(of=examples, question=questions.map(" ".join))
def test_what_is_not_looked_at_is_not_near(of: list[str], question: str) -> None:
    """Those found with a high bar are the nearest of those found with a low one: none is overlooked."""
    low, high = _near(question, of, 0.05), _near(question, of, 0.6)

    assert [each for each in low if each[0] >= 0.6] == high
