"""Makes the weights that tell what sentences want, by scikit-learn: a linear support vector machine on TF-IDF.

`uv run python -m router.understanding.training` writes the files of weights anew from their examples, in less than a
minute; the same examples, machine and versions give the same bytes. scikit-learn is there for development alone: the
bot reads the files by `scorer.py`.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import hstack
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.svm import LinearSVC
from threadpoolctl import threadpool_limits

from router.understanding.card_meanings import card_sentences
from router.understanding.categories import Category
from router.understanding.scorer import CARD_WEIGHTS, INTENT_WEIGHTS, PIECE_CHARS, PIECE_MARK, SENTENCE_MAX_CHARS, TOKEN
from router.understanding.sentences import shipped_sentences

WORD_TERMS_MAX, PIECE_TERMS_MAX = 20_000, 10_000
"""So many of the most frequent words and pairs of words, and of the most frequent pieces of words, are kept."""

EXAMPLES_MIN = 3
"""A term that fewer examples have is left out."""

REGULARIZATION = 0.5
"""`C` of the support vector machine: the smaller, the less a single example counts."""

SHARPNESS = 4.0
"""The factor of the scores before the softmax: what is said with a share of 0.9 is right nine times of ten."""

WEIGHT_MAX = 127
"""The largest weight in the file, in steps: they are signed bytes."""


class TrainedModel:
    """The vectorizers and the weights that some examples lead to; `weights` are in steps, a row for each label.

    `examples` are pairs of a label and a text; `thresholds` stand in the file for whoever reads it.
    """

    def __init__(
        self,
        examples: Sequence[tuple[str, str]],
        labels: Sequence[str],
        thresholds: Mapping[str, float] | None = None,
    ) -> None:
        self._labels, self._thresholds = list(labels), dict(thresholds or {})
        self._digest = digest_of(examples, self._thresholds)
        texts = [text[:SENTENCE_MAX_CHARS] for _, text in examples]
        how: dict[str, Any] = {"strip_accents": "unicode", "sublinear_tf": True, "min_df": EXAMPLES_MIN}
        words = TfidfVectorizer(token_pattern=TOKEN, ngram_range=(1, 2), max_features=WORD_TERMS_MAX, **how)
        sizes = (PIECE_CHARS, PIECE_CHARS)
        pieces = TfidfVectorizer(analyzer="char_wb", ngram_range=sizes, max_features=PIECE_TERMS_MAX, **how)
        self._vectorizers = (words.fit(texts), pieces.fit(texts))
        machine = LinearSVC(C=REGULARIZATION, random_state=0)
        with threadpool_limits(1):  # several threads add in any order, and wait for one another
            machine.fit(self.vectors(texts), [self._labels.index(label) for label, _ in examples])
        self.intercept = machine.intercept_
        self.step = float(np.abs(machine.coef_).max() / WEIGHT_MAX)
        self.weights = np.round(machine.coef_ / self.step).astype(np.int8)

    def vectors(self, texts: Sequence[str]) -> Any:
        """Return a sparse matrix with a row for each text and a column for each term."""
        return hstack([each.transform(texts) for each in self._vectorizers], format="csr")

    def scores(self, texts: Sequence[str]) -> Any:
        """Return an array with a row for each text and a score for each label, by the weights of the file."""
        return self.vectors(texts) @ (self.weights.T * self.step) + self.intercept

    def content(self) -> bytes:
        """Return the bytes of the file, as `scorer.py` describes them."""
        words, pieces = self._vectorizers
        terms = [*words.get_feature_names_out(), *(f"{PIECE_MARK}{each}" for each in pieces.get_feature_names_out())]
        header = {
            "labels": self._labels,
            "thresholds": self._thresholds,
            "terms": len(terms),
            "sharpness": SHARPNESS,
            "step": self.step,
            "digest": self._digest,
        }
        floats = np.concatenate([words.idf_, pieces.idf_, self.intercept]).astype("<f4")
        text = "".join(f"{line}\n" for line in (json.dumps(header), *terms))
        return b"".join((text.encode(), floats.tobytes(), self.weights.T.tobytes()))


def digest_of(examples: Iterable[tuple[str, str]], thresholds: Mapping[str, float] | None = None) -> str:
    """Return a text that is another one once the examples or the thresholds are others."""
    lines = [f"{label} {text}" for label, text in examples]
    lines += [f"{label} {share}" for label, share in (thresholds or {}).items()]
    return sha256("\n".join(lines).encode()).hexdigest()[:16]


def trained_intents() -> TrainedModel:
    """Return the model of what sentences want."""
    sentences = shipped_sentences()
    thresholds = {str(category): share for category, share in sentences.thresholds.items()}
    return TrainedModel(sentences.labelled, list(Category), thresholds)


def trained_card_meanings() -> TrainedModel:
    """Return the model of what sentences mean at a card."""
    sentences = card_sentences()
    return TrainedModel(sentences, sorted({meaning for meaning, _ in sentences}))


def main() -> None:
    """Write the weights that are shipped."""
    for name, model in ((INTENT_WEIGHTS, trained_intents()), (CARD_WEIGHTS, trained_card_meanings())):
        Path(__file__).with_name(name).write_bytes(model.content())


if __name__ == "__main__":
    main()
