"""Questions that are alike by their words: rare ones weigh more, names of values hardly anything."""

from hypothesis import given
from hypothesis import strategies as st

from router.knowledge.examples import SimilarityIndex

SHOP = (
    ("Which five customers brought the most revenue?", "SELECT name FROM customers ORDER BY revenue DESC LIMIT 5"),
    ("How many orders are there in each region?", "SELECT region, COUNT(*) FROM orders GROUP BY region"),
    ("How many orders did Barbara Liskov place?", "SELECT COUNT(*) FROM orders WHERE customer = 'Barbara Liskov'"),
    ("What does Barbara Liskov owe us?", "SELECT owed FROM accounts WHERE customer = 'Barbara Liskov'"),
)

WORDS = ("orders", "open", "customers", "region", "which", "revenue", "5", "Ada", "of", "the")
questions = st.lists(st.sampled_from(WORDS), min_size=1)
examples = st.lists(questions.map(" ".join), min_size=1, max_size=8, unique=True)


def _found(of: list[str], question: str, least: float) -> list[tuple[float, str]]:
    found = SimilarityIndex((each, "SELECT 1") for each in of).nearest(question, least)
    return sorted((likeness, of[number]) for likeness, number in found)


def test_the_same_question_is_as_like_as_can_be() -> None:
    """Case, signs, fillers and endings make no difference, and neither does the order of the words."""
    asked = ("Which five customers brought the most revenue?", "which 7 customer brought most revenue, please")

    assert [[(1.0, 0)], [(1.0, 0)]] == [SimilarityIndex(SHOP).nearest(each, 0.6) for each in asked]


def test_a_name_does_not_make_questions_alike() -> None:
    """Another question about the same customer is no example, the same question about another one is."""
    found = SimilarityIndex(SHOP).nearest("How many orders did Grace Hopper place?", 0.6)

    assert [2] == [number for _, number in found]
    assert [] == SimilarityIndex(SHOP).nearest("When was Barbara Liskov born?", 0.6)


def test_nothing_is_like_a_question_without_words() -> None:
    """A question that says nothing has no examples, and no examples are found among none."""
    assert [[], [], []] == [
        SimilarityIndex(SHOP).nearest("???", 0.1),
        SimilarityIndex(()).nearest("how", 0.1),
        SimilarityIndex([("", "")]).nearest("how", 0),
    ]


@given(of=examples, question=questions.map(" ".join), least=st.sampled_from((0.1, 0.5, 0.9)), data=st.data())
def test_the_order_of_examples_does_not_matter(of: list[str], question: str, least: float, data: st.DataObject) -> None:
    """The same examples in any order are as like as before."""
    assert _found(of, question, least) == _found(data.draw(st.permutations(of)), question, least)


@given(of=examples, asked=questions, data=st.data())
def test_the_order_of_words_does_not_matter(of: list[str], asked: list[str], data: st.DataObject) -> None:
    """The same words in any order are as like as before, where none of them is written as a name."""
    low = [word.lower() for word in asked]
    other = data.draw(st.permutations(low))

    assert _found(of, " ".join(low), 0.3) == _found(of, " ".join(other), 0.3)


@given(of=examples, question=questions.map(" ".join))
def test_what_is_not_looked_at_is_not_near(of: list[str], question: str) -> None:
    """Those found with a high bar are the nearest of those found with a low one: none is overlooked."""
    low, high = _found(of, question, 0.05), _found(of, question, 0.6)

    assert [each for each in low if each[0] >= 0.6] == high
