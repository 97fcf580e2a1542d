"""Makes the weights that tell what sentences want, by scikit-learn: a linear support vector machine on TF-IDF.

`uv run python -m router.understanding.training` writes `weights.bin` anew from `examples.toml`, and `wrapping.bin` from
that and `wrapping.toml`, in a few seconds; the same examples, machine and versions give the same bytes. scikit-learn is
there for development alone: the bot reads the files by `scorer.py`.
"""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import hstack
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.svm import LinearSVC
from threadpoolctl import threadpool_limits

from router.understanding.categories import Category
from router.understanding.scorer import PIECE_CHARS, PIECE_MARK, SENTENCE_MAX_CHARS, TOKEN
from router.understanding.sentences import Sentences, shipped_sentences
from router.understanding.wrapping import Clauses, as_clause, clauses_of, shipped_clauses

WORD_TERMS_MAX, PIECE_TERMS_MAX = 20_000, 10_000
"""So many of the most frequent words and pairs of words, and of the most frequent pieces of words, are kept."""

EXAMPLES_MIN, CLAUSES_MIN = 3, 2
"""A term that fewer examples, or fewer clauses, have is left out."""

SMALL_TALK_COUNTS, CONTENT_COUNTS = 0.3, 2.0
"""How much an example of small talk counts as a clause that wraps, and how much a clause with content counts."""

WISHES = frozenset(Category) - {
    Category.SMALL_TALK,
    Category.HELP,
    Category.HUMAN_HANDOFF,
    Category.OTHER_SYSTEMS,
    Category.OTHER_PEOPLE,
    Category.NONSENSE,
    Category.ABUSE,
}
"""The categories whose examples are content beside any other clause."""

REGULARIZATION = 0.5
"""`C` of the support vector machine: the smaller, the less a single example counts."""

SHARPNESS = 4.0
"""The factor of the scores before the softmax: what is said with a share of 0.9 is right nine times of ten."""

WEIGHT_MAX = 127
"""The largest weight in the file, in steps: they are signed bytes."""


class Trained:
    """The vectorizers and the weights that some texts lead to; `weights` are in steps, a row for each category."""

    def __init__(
        self,
        texts: Sequence[str],
        labels: Sequence[int],
        counted: Sequence[float],
        *,
        least: int,
        header: Mapping[str, Any],
        digest: str,
    ) -> None:
        """`labels` are numbers of categories, `counted` says how much each text counts.

        A term that fewer than `least` texts have is left out.
        """
        self._header, self._digest = header, digest
        texts = [each[:SENTENCE_MAX_CHARS] for each in texts]
        how: dict[str, Any] = {"strip_accents": "unicode", "sublinear_tf": True, "min_df": least}
        words = TfidfVectorizer(token_pattern=TOKEN, ngram_range=(1, 2), max_features=WORD_TERMS_MAX, **how)
        sizes = (PIECE_CHARS, PIECE_CHARS)
        pieces = TfidfVectorizer(analyzer="char_wb", ngram_range=sizes, max_features=PIECE_TERMS_MAX, **how)
        self._vectorizers = (words.fit(texts), pieces.fit(texts))
        machine = LinearSVC(C=REGULARIZATION, random_state=0)
        with threadpool_limits(1):  # several threads add in any order, and wait for one another
            machine.fit(self.vectors(texts), labels, sample_weight=counted)
        self.intercept = machine.intercept_
        self.step = float(np.abs(machine.coef_).max() / WEIGHT_MAX)
        self.weights = np.round(machine.coef_ / self.step).astype(np.int8)

    def vectors(self, texts: Sequence[str]) -> Any:
        """Return a sparse matrix with a row for each text and a column for each term."""
        return hstack([each.transform(texts) for each in self._vectorizers], format="csr")

    def scores(self, texts: Sequence[str]) -> Any:
        """Return an array with a row for each text and a score for each category, by the weights of the file."""
        return self.vectors(texts) @ (self.weights.T * self.step) + self.intercept

    def content(self) -> bytes:
        """Return the bytes of the file, as `scorer.py` describes them."""
        words, pieces = self._vectorizers
        terms = [*words.get_feature_names_out(), *(f"{PIECE_MARK}{each}" for each in pieces.get_feature_names_out())]
        header = {
            **self._header,
            "terms": len(terms),
            "sharpness": SHARPNESS,
            "step": self.step,
            "digest": self._digest,
        }
        floats = np.concatenate([words.idf_, pieces.idf_, self.intercept]).astype("<f4")
        text = "".join(f"{line}\n" for line in (json.dumps(header), *terms))
        return b"".join((text.encode(), floats.tobytes(), self.weights.T.tobytes()))


class TrainedIntents(Trained):
    """What the examples of intents lead to."""

    def __init__(self, sentences: Sentences) -> None:
        texts, categories = [each.text for each in sentences.examples], list(Category)
        header = {"categories": categories, "thresholds": dict(sentences.thresholds)}
        labels = [categories.index(each.category) for each in sentences.examples]
        counted, digest = [1.0] * len(texts), digest_of(sentences)
        super().__init__(texts, labels, counted, least=EXAMPLES_MIN, header=header, digest=digest)


class TrainedWrapping(Trained):
    """What clauses lead to that wrap a wish, clauses with content, and the examples of wishes."""

    def __init__(self, clauses: Clauses, sentences: Sentences) -> None:
        known = {as_clause(each) for each in clauses.wrapping}
        wishes = (as_clause(each.text) for each in sentences.examples if each.category in WISHES)
        small_talk = (each.text for each in sentences.examples if each.category == Category.SMALL_TALK)
        counted = {each: (0, 1.0) for each in wishes if len(clauses_of(each)) == 1 and each not in known}
        counted |= {as_clause(each): (1, SMALL_TALK_COUNTS) for each in small_talk if len(clauses_of(each)) == 1}
        counted |= dict.fromkeys(known, (1, 1.0))
        counted |= {as_clause(each): (0, CONTENT_COUNTS) for each in clauses.content}
        counted = dict(sorted(counted.items()))
        header, digest = {"categories": ["wrapping"], "thresholds": {}}, digest_of_clauses(clauses, sentences)
        labels, weights = zip(*counted.values(), strict=True)
        super().__init__(list(counted), labels, weights, least=CLAUSES_MIN, header=header, digest=digest)


def digest_of(sentences: Sentences) -> str:
    """Return a text that is another one once the examples or the thresholds are others."""
    lines = [f"{each.category} {each.text}" for each in sentences.examples]
    lines += [f"{category} {share}" for category, share in sentences.thresholds.items()]
    return sha256("\n".join(lines).encode()).hexdigest()[:16]


def digest_of_clauses(clauses: Clauses, sentences: Sentences) -> str:
    """Return a text that is another one once the clauses or the examples are others."""
    lines = [digest_of(sentences), *clauses.wrapping, "", *clauses.content]
    return sha256("\n".join(lines).encode()).hexdigest()[:16]


def main() -> None:
    """Write the weights that are shipped."""
    sentences = shipped_sentences()
    Path(__file__).with_name("weights.bin").write_bytes(TrainedIntents(sentences).content())
    Path(__file__).with_name("wrapping.bin").write_bytes(TrainedWrapping(shipped_clauses(), sentences).content())


if __name__ == "__main__":
    main()
