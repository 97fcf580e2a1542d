"""Telling what a sentence wants, beside counting the words that it shares with each example.

`uv run python -m tests.bench.bench_intents` says milliseconds a sentence (median and 99 of 100), how many of the
sentences are told right, and how long it takes until the first sentence is told, and after a house changed its own
examples. The sentences are examples with other words between theirs, so that none of them is known.
"""

import statistics
import time
from collections import Counter
from collections.abc import Callable

from tabulate import tabulate

from router.understanding.categories import Category
from router.understanding.classifier import Classifier
from router.understanding.scorer import bare, tokens
from router.understanding.sentences import ExampleSentence, Sentences, shipped

EVERY = 97
"""One sentence of so many is told."""


def altered(example: ExampleSentence) -> str:
    """Return the sentence as nobody wrote it down: politely, and with its last word twice."""
    return f"please, {example.text} {example.text.split()[-1]}"


def counted(text: str) -> Category:
    """Return the category of the example that shares most words with a text."""
    asked = Counter(tokens(bare(text)))
    return max(shipped(), key=lambda each: (asked & Counter(tokens(bare(each.text)))).total()).category


def measured(name: str, tell: Callable[[str], Category | None], sentences: list[ExampleSentence]) -> tuple[str, ...]:
    """Return a row of the table."""
    taken, right = [], 0
    for each in sentences:
        begun = time.perf_counter()
        right += tell(altered(each)) == each.category
        taken.append((time.perf_counter() - begun) * 1000)
    last = sorted(taken)[int(len(taken) * 0.99)]
    return name, f"{statistics.median(taken):.2f}", f"{last:.2f}", f"{right} of {len(sentences)}"


def main() -> None:
    """Print the table."""
    begun = time.perf_counter()
    classifier = Classifier()
    classifier.decide("how many orders are there?")
    first = time.perf_counter() - begun
    sentences = list(shipped()[::EVERY])
    rows = [
        measured("by weights", lambda text: classifier.decide(text).likely, sentences),
        measured("by counting words", counted, sentences[::8]),
    ]
    print(tabulate(rows, ("way", "median ms", "99 of 100 ms", "right")))
    own = Sentences(tuple(ExampleSentence(f"{each.text} gnarf", each.category, own=True) for each in sentences[:50]))
    begun = time.perf_counter()
    Classifier(own)
    print(
        f"first sentence after {first * 1000:.0f} ms; 50 own examples are learnt in "
        f"{(time.perf_counter() - begun) * 1000:.0f} ms"
    )


if __name__ == "__main__":
    main()
