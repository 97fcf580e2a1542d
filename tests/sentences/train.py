"""Makes the weights of the classifier, by scikit-learn: a linear support vector machine on TF-IDF.

`uv run python -m tests.sentences.train` reads the sentences in `training/`, each behind the card that it is typed at
and its meaning, and writes `weights.bin`, and `examples.toml` with some of them, for models of vectors, into
`router/understanding/`. The same sentences, machine and versions give the same bytes. scikit-learn is there for
development alone: the bot reads the weights by `scorer.py`.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import hstack
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.svm import LinearSVC
from threadpoolctl import threadpool_limits

from router.understanding.scorer import PIECE_CHARS, PIECE_MARK, SENTENCE_MAX_CHARS, TOKEN, WEIGHTS, at_card
from tests.sentences.training_sentences import TrainingSentence, digest_of, examples_of, training_sentences

SHIPPED = Path(__file__).parents[2] / "router" / "understanding"

WORD_TERMS_MAX, PIECE_TERMS_MAX = 12_000, 6_000
"""So many of the most frequent words and pairs of words, and of the most frequent pieces of words, are kept."""

SENTENCES_MIN = 3
"""A term that fewer sentences have is left out."""

REGULARIZATION = 0.5
"""`C` of the support vector machine: the smaller, the less a single sentence counts."""

SHARPNESS = 4.0
"""The factor of the scores before the softmax: what is said with a share of 0.9 is right nine times of ten."""

WEIGHT_MAX = 127
"""The largest weight in the file, in steps: they are signed bytes."""


class TrainedModel:
    """The vectorizers and the weights that some sentences lead to; `weights` are in steps, a row for each label."""

    def __init__(self, sentences: Sequence[TrainingSentence]) -> None:
        self._digest = digest_of(sentences)
        texts = [at_card(each.text, each.card)[:SENTENCE_MAX_CHARS] for each in sentences]
        how: dict[str, Any] = {"strip_accents": "unicode", "sublinear_tf": True, "min_df": SENTENCES_MIN}
        words = TfidfVectorizer(token_pattern=TOKEN, ngram_range=(1, 2), max_features=WORD_TERMS_MAX, **how)
        sizes = (PIECE_CHARS, PIECE_CHARS)
        pieces = TfidfVectorizer(analyzer="char_wb", ngram_range=sizes, max_features=PIECE_TERMS_MAX, **how)
        self._vectorizers = (words.fit(texts), pieces.fit(texts))
        machine = LinearSVC(C=REGULARIZATION, random_state=0)
        with threadpool_limits(1):  # several threads add in any order, and wait for one another
            machine.fit(self.vectors(texts), [each.meaning for each in sentences])
        self._labels = [str(each) for each in machine.classes_]
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
            "terms": len(terms),
            "sharpness": SHARPNESS,
            "step": self.step,
            "digest": self._digest,
        }
        floats = np.concatenate([words.idf_, pieces.idf_, self.intercept]).astype("<f4")
        text = "".join(f"{line}\n" for line in (json.dumps(header), *terms))
        return b"".join((text.encode(), floats.tobytes(), self.weights.T.tobytes()))


def main() -> None:
    """Write the weights and the examples that are shipped."""
    sentences = training_sentences()
    SHIPPED.joinpath("examples.toml").write_text(examples_of(sentences), "utf-8")
    SHIPPED.joinpath(WEIGHTS).write_bytes(TrainedModel(sentences).content())


if __name__ == "__main__":
    main()
