"""The weights that scikit-learn makes, and the scorer that reads them without it."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from router.understanding.scorer import OPEN, SENTENCE_MAX_CHARS, Scorer, shipped_scorer
from router.understanding.sentences import read_sentences, shipped
from tests.sentences.training_sentences import TrainingSentence, digest_of, examples_of, training_sentences

if TYPE_CHECKING:
    from tests.sentences.train import TrainedModel

SENTENCES = Path(__file__).parents[3] / "tests/sentences/training/held_out.jsonl"
STRANGE = ("", " ", "?", "??!", "\u2028é ß ﬁ İstanbul\x1cæ", "a b  c\t\td", "#ab # ab", "SELECT *\nFROM t;", "x" * 900)
SOME = [TrainingSentence(OPEN, each.category, each.text) for each in shipped()]


@pytest.fixture(name="trained", scope="module")
def _trained() -> "TrainedModel":
    from tests.sentences.train import TrainedModel  # scikit-learn is heavy for processes that train nothing

    return TrainedModel(SOME)


def test_the_scorer_scores_as_scikit_learn_does(trained: "TrainedModel") -> None:
    """The scores of every sentence are the same, strange ones too, but for what 32 bits lose of a number."""
    texts = [json.loads(line)["sentence"] for line in SENTENCES.read_text(encoding="utf-8").splitlines()]
    texts = [text[: SENTENCE_MAX_CHARS - len(OPEN) - 1] for text in (*texts, *STRANGE)]
    scorer = Scorer(trained.content())
    for text, expected in zip(texts, trained.scores([f"{OPEN} {text}" for text in texts]), strict=True):
        off = max(abs(one - other) for one, other in zip(expected, scorer.scores(text), strict=True))
        assert off <= 1e-6, text


def test_the_same_sentences_give_the_same_bytes(trained: "TrainedModel") -> None:
    """Training again leads to the same file."""
    assert trained.content() == type(trained)(SOME).content()


def test_the_weights_are_those_of_the_sentences() -> None:
    """A change of the sentences is followed by a training; no sentence has two meanings at one card."""
    sentences = training_sentences()
    assert digest_of(sentences) == shipped_scorer().digest
    assert [each.text for each in shipped()] == [
        each.text for each in read_sentences("examples.toml", examples_of(sentences), own=False).examples
    ]
    meanings: dict[tuple[str, str], set[str]] = {}
    for card, meaning, text in sentences:
        meanings.setdefault((card, text.casefold()), set()).add(meaning)
    assert [] == [each for each, several in meanings.items() if len(several) > 1]
