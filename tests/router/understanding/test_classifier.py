"""The intents of free sentences."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from router.understanding.categories import CATEGORY_TO_AGENT, LABELS, Category, category_of
from router.understanding.classifier import Classifier, SecondOpinion
from router.understanding.sentences import ExampleSentence, Sentences, read_sentences, shipped
from tests.sentences.training_sentences import training_sentences

CLASSIFIER = Classifier()

ROOT = Path(__file__).parents[3]


def test_every_category_has_all_it_needs() -> None:
    """An agent, a label of its own, its own name back, and sentences."""
    count = Counter(each.category for each in shipped())

    assert set(Category) == set(CATEGORY_TO_AGENT) == set(LABELS) == set(count)
    assert len(Category) == len(set(LABELS.values()))
    assert list(Category) == [category_of(category) for category in Category]
    assert {40} == set(count.values())


@settings(max_examples=60, deadline=None)
@given(some.text(max_size=600))
def test_any_text_at_all(text: str) -> None:
    """Shares are in order and add up to 1, and the same text is told the same way again."""
    found = CLASSIFIER.decide(text)

    assert found == CLASSIFIER.decide(text)
    if found.likely:
        shares = [each.share for each in found.ranked]
        assert sorted(shares, reverse=True) == shares
        assert sum(shares) == pytest.approx(1)
        assert found.likely == found.ranked[0].category
    else:
        assert not text.strip()


def test_own_examples_teach() -> None:
    """An own example is told at once, and helps with sentences like it; what is shipped stays as it was."""
    own = Sentences(
        tuple(ExampleSentence(f"flurb the {word}", Category.SCHEDULE, own=True) for word in ("gnarf", "zork", "wug"))
    )
    taught = Classifier(own)

    assert (Category.SCHEDULE, True) == ((found := taught.decide("Flurb the gnarf!")).likely, found.confidence > 0.9)
    assert Category.SCHEDULE == taught.decide("please flurb the blorp").likely
    assert Category.NONSENSE == CLASSIFIER.decide("please flurb the blorp").likely


def test_vectors_help_where_words_leave_a_doubt() -> None:
    """What a model says counts beside the words; where they are sure, or it says nothing, they alone count."""
    asked: list[str] = []

    def likely(text: str, examples: object) -> SecondOpinion | None:
        asked.append(text)
        return (
            SecondOpinion([float(category == Category.HELP) for category in Category], 0.5) if "zork" in text else None
        )

    helped = Classifier(likely=likely)

    doubt = "zork mail sort export when delete hello"
    words, both = (each.decide(doubt) for each in (CLASSIFIER, helped))
    assert words.confidence < 0.85
    assert _share(both.ranked, Category.HELP) == pytest.approx(0.5 + 0.5 * _share(words.ranked, Category.HELP))
    assert CLASSIFIER.decide(doubt.replace("zork", "wug")) == helped.decide(doubt.replace("zork", "wug"))
    assert Category.SMALL_TALK == helped.decide("thank you very much").likely
    assert "thank you very much" not in asked


def test_own_names_of_sections_and_faults() -> None:
    """A file's sections may have other names; what is wrong in it is left out and said, the rest is used."""
    said = read_sentences(
        "intents.toml",
        '[email]\nexamples = ["to Ana"]\nthreshold = 0.8\n[holidays]\n[help]\nexamples = 5\nx = 1\n',
    )

    assert (ExampleSentence("to Ana", Category.EMAIL, own=True),) == said.examples
    assert {Category.EMAIL: 0.8} == said.thresholds
    parts = ("[holidays] is no category", "[help] examples", "[help] x")
    assert [True, True, True] == [part in problem for part, problem in zip(parts, said.problems, strict=True)]


def _share(ranked: tuple[object, ...], category: Category) -> float:
    return next(each.share for each in ranked if each.category == category)  # type: ignore[attr-defined]


def test_the_sentences_that_ship_are_understood() -> None:
    """None of them is among the examples; 95 of 100 are told right, and no more than 1.1 of 100 wrong."""
    known = {each.text.casefold() for each in training_sentences()}
    lines = (ROOT / "tests/sentences/training/held_out.jsonl").read_text(encoding="utf-8").splitlines()
    asked = [(given["sentence"], Category(given["category"])) for given in map(json.loads, lines)]
    assert len(asked) >= 300
    assert not known & {text.casefold() for text, _ in asked}
    decided = [(CLASSIFIER.decide(text).category, right) for text, right in asked]
    wrong = sum(found is not None and found != right for found, right in decided)
    assert sum(found == right for found, right in decided) / len(asked) >= 0.95
    assert wrong / len(asked) <= 0.011
