"""The weights that scikit-learn makes, and the scorer that reads them without it."""

import json
from pathlib import Path

import pytest

from router.understanding.categories import Category
from router.understanding.scorer import SENTENCE_MAX_CHARS, Scorer
from router.understanding.sentences import Sentences, shipped
from router.understanding.training import TrainedModel

SENTENCES = Path(__file__).parents[3] / "bot/evaluation/intents.jsonl"
STRANGE = ("", " ", "?", "??!", "\u2028é ß ﬁ İstanbul\x1cæ", "a b  c\t\td", "#ab # ab", "SELECT *\nFROM t;", "x" * 900)


@pytest.fixture(name="trained", scope="module")
def _trained() -> TrainedModel:
    return _train(_some())


def _train(sentences: Sentences) -> TrainedModel:
    return TrainedModel(sentences.labelled, list(Category), sentences.thresholds)


def _some() -> Sentences:
    """Return a few examples of each category, so that training takes a second."""
    by_category = {category: [each for each in shipped() if each.category == category] for category in Category}
    return Sentences(tuple(each for of_it in by_category.values() for each in of_it[:60]), {Category.HELP: 0.7})


def test_the_scorer_scores_as_scikit_learn_does(trained: TrainedModel) -> None:
    """The scores of every sentence are the same, strange ones too, but for what 32 bits lose of a number."""
    texts = [json.loads(line)["sentence"] for line in SENTENCES.read_text(encoding="utf-8").splitlines()]
    texts = [text[:SENTENCE_MAX_CHARS] for text in (*texts, *STRANGE)]
    scorer = Scorer(trained.content())
    assert {"help": 0.7} == scorer.thresholds
    for text, expected in zip(texts, trained.scores(texts), strict=True):
        assert list(expected) == pytest.approx(scorer.scores(text), abs=1e-6), text


def test_the_same_examples_give_the_same_bytes(trained: TrainedModel) -> None:
    """Training again leads to the same file."""
    assert trained.content() == _train(_some()).content()
