"""Measures what sentences are taken for, on a file of sentences whose categories are known."""

import json
import statistics
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from tabulate import tabulate

from bot.intents import intents_file
from bot.settings import Settings
from router.errors import JobFailed
from router.intents.categories import Category, category_of
from router.intents.classifier import Classifier
from router.intents.decision import decide
from router.intents.own import Intents

Say = Callable[[str], None]

SENTENCE_KEYS = ("sentence", "text", "utterance", "question", "message", "input")
CATEGORY_KEYS = ("category", "intent", "label", "expected", "class")

MOST_WRONG, MOST_CLARIFIED, LEAST_GOOD = 0.02, 0.10, 0.95
"""What --strict demands, as shares of all sentences."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A sentence, what it is, what it was taken for, what was offered instead, and how long that took."""

    sentence: str
    category: Category
    taken: Category
    offered: tuple[str, ...]
    confidence: float
    seconds: float

    @property
    def outcome(self) -> str:
        """right, wrong, or clarified; "lost" is a clarification that does not offer the right thing."""
        if self.offered:
            return "clarified" if self.category in self.offered else "lost"
        return "right" if self.taken == self.category else "wrong"


def measure(settings: Settings, say: Say, path: Path, *, errors: bool = False, strict: bool = False) -> int:
    """Say how many sentences are right, clarified and wrong; returns 1 where `strict` targets are missed."""
    sentences = list(_read(path))
    if not sentences:
        raise JobFailed(f"{path} has no sentences.")
    classifier = Intents(intents_file(settings), logs=False).classifier()
    classifier.classify("how many orders are there?")  # what is read once is no sentence's time
    judged = [_judge(classifier, sentence, category) for sentence, category in sentences]
    count = Counter(each.outcome for each in judged)
    total = len(judged)
    clarified = count["clarified"] + count["lost"]
    say(_by_category(judged))
    if confused := Counter((each.category, each.taken) for each in judged if each.category != each.taken):
        rows = [(number, *pair) for pair, number in confused.most_common(10)]
        say("\n" + tabulate(rows, ("times", "is", "looks like")))
    for each in judged if errors else ():
        if each.outcome != "right":
            say(f"{each.outcome}: {each.sentence!r} is {each.category}, taken for {each.taken} ({each.confidence:.2f})")
    times = sorted(each.seconds * 1000 for each in judged)
    last = times[min(len(times) - 1, int(len(times) * 0.99))]
    say(
        f"\n{total} sentences: {_share(count['right'], total)} right, {_share(clarified, total)} clarified "
        f"({_share(count['clarified'], total)} with the right thing among those offered), "
        f"{_share(count['wrong'], total)} wrong."
    )
    say(f"A sentence takes {statistics.median(times):.2f} ms (median), {last:.2f} ms (99 of 100).")
    good = (count["right"] + clarified) / total >= LEAST_GOOD
    met = good and count["wrong"] / total <= MOST_WRONG and clarified / total <= MOST_CLARIFIED
    if strict:
        say("The targets are met." if met else "The targets are missed: 2 % wrong, 10 % clarified, 95 % right or so.")
    return 1 if strict and not met else 0


def _judge(classifier: Classifier, sentence: str, category: Category) -> Judged:
    begun = perf_counter()
    found = classifier.classify(sentence)
    decision = decide(found, classifier.thresholds)
    seconds = perf_counter() - begun
    offered = () if decision.intent else tuple(each.id for each in decision.options) or ("",)
    return Judged(sentence, category, found.intent or Category.NONSENSE, offered, found.confidence, seconds)


def _by_category(judged: list[Judged]) -> str:
    rows = []
    for category in Category:
        of_it = [each for each in judged if each.category == category]
        count = Counter(each.outcome for each in of_it)
        if of_it:
            rows.append((category, len(of_it), count["right"], count["clarified"] + count["lost"], count["wrong"]))
    return tabulate(rows, ("category", "sentences", "right", "clarified", "wrong"))


def _read(path: Path) -> Iterator[tuple[str, Category]]:
    """Yield the sentences of a file with their categories; raises JobFailed for a line that has none."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise JobFailed(f"{path} cannot be read ({type(error).__name__}); it must be a text in UTF-8.") from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            said = json.loads(line)
        except ValueError:
            said = None
        if not isinstance(said, dict):
            raise JobFailed(f"{path.name}, line {number}: this is no JSON object.")
        folded = {str(key).casefold(): value for key, value in said.items()}
        sentence = next((folded[key] for key in SENTENCE_KEYS if isinstance(folded.get(key), str)), None)
        name = next((folded[key] for key in CATEGORY_KEYS if isinstance(folded.get(key), str)), None)
        if sentence is None or name is None:
            raise JobFailed(f'{path.name}, line {number}: it needs "sentence" and "category".')
        category = category_of(name)
        if category is None:
            raise JobFailed(f"{path.name}, line {number}: {name} is no category; they are {', '.join(Category)}.")
        yield sentence, category


def _share(count: int, of: int) -> str:
    return f"{100 * count / of:.1f} %"
