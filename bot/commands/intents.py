"""`icc-bot intents`: judges a sentence, reviews what people chose, makes the classifier anew, and measures it."""

import statistics
from collections import Counter
from collections.abc import Callable, Container, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, perf_counter, sleep

from tabulate import tabulate

from bot.evaluation.questions import read_lines
from bot.evaluation.real_path import CARDS, Card, Standing, real_path
from bot.evaluation.sentences import has_cases
from bot.evaluation.sentences import measure as measure_cases
from bot.settings.environment import Settings
from bot.wiring.knowledge import OpenedIntents, embedder, intents_file, intents_of
from bot.wiring.state import database_of
from router.errors import JobFailed, SettingsError
from router.interactions.recognisers import RECOGNISERS
from router.memory.understanding import Understanding
from router.storage.clock import now
from router.understanding.categories import LABELS, Category, category_of
from router.understanding.choice_log import RecordedChoice, Review
from router.understanding.classifier import Classifier
from router.understanding.interpretation import Context, understand
from router.understanding.site_examples import SiteExamples

# `icc-bot intents eval`: measures on sentences whose categories are known.


Say = Callable[[str], None]

SENTENCE_KEYS = ("sentence", "text", "utterance", "question", "message", "input")
CATEGORY_KEYS = ("category", "intent", "label", "expected", "class")

WRONG_SHARE_MAX, CLARIFIED_SHARE_MAX, GOOD_SHARE_MIN = 0.02, 0.10, 0.95
"""Targets of --strict, as shares of all sentences."""


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
    """Say how many sentences are right, clarified and wrong; returns 1 where `strict` targets are missed.

    Raises JobFailed for a file that cannot be read, and for a line that has no sentence.
    """
    try:
        if has_cases(path):
            return measure_cases(settings, say, path, errors=errors, strict=strict)
        sentences = list(_read(path))
    except SettingsError as error:
        raise JobFailed(" ".join(error.problems)) from None
    if not sentences:
        raise JobFailed(f"{path} has no sentences.")
    classifier = SiteExamples(intents_file(settings), logs=False).classifier()
    classifier.decide("how many orders are there?")  # what is read once is no sentence's time
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
    good = (count["right"] + clarified) / total >= GOOD_SHARE_MIN
    met = good and count["wrong"] / total <= WRONG_SHARE_MAX and clarified / total <= CLARIFIED_SHARE_MAX
    if strict:
        say("The targets are met." if met else "The targets are missed: 2 % wrong, 10 % clarified, 95 % right or so.")
    return 1 if strict and not met else 0


def _judge(classifier: Classifier, sentence: str, category: Category) -> Judged:
    begun = perf_counter()
    found = classifier.decide(sentence)
    seconds = perf_counter() - begun
    offered = () if found.category else found.options or ("",)
    return Judged(sentence, category, found.likely or Category.NONSENSE, offered, found.confidence, seconds)


def _by_category(judged: list[Judged]) -> str:
    rows = []
    for category in Category:
        of_it = [each for each in judged if each.category == category]
        count = Counter(each.outcome for each in of_it)
        if of_it:
            rows.append((category, len(of_it), count["right"], count["clarified"] + count["lost"], count["wrong"]))
    return tabulate(rows, ("category", "sentences", "right", "clarified", "wrong"))


def _read(path: Path) -> Iterator[tuple[str, Category]]:
    """Yield the sentences of a file with their categories; raises JobFailed or SettingsError for a line of none."""
    for number, said in read_lines(path):
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


Ask = Callable[[str], str]


def show_sentence(settings: Settings, say: Say, sentence: str, after: str = "", at: Card | None = None) -> int:
    """Say what a sentence is taken for in a talk, `after` a question, by whom, and which examples are nearest to it.

    `at` is the card that it is typed at: by default the rows of the question before it, or where a talk begins.
    """
    if not sentence.strip():
        say("The sentence says nothing.")
        return 0
    _show_recognisers(settings, say, sentence, Standing(at or ("rows" if after else "open"), after))
    if at not in (None, "open", "rows", "sql"):
        return 0
    with _opened(settings) as opened:
        classifier = opened.intents.classifier()
        context = Context((after, "") if after else (), explains=True)
        known = understand(Understanding(sentence), context, classifier.decide)
        rows = [
            (category, f"{share:.2f}", example.text)
            for category, share in known.classification_result[:3]
            for example in classifier.nearest(sentence, Category(category), 2)
        ]
    if rows:
        say(tabulate(rows, ("category", "share", "example"), maxcolwidths=[None, None, 70]))
    if known.clarification:
        say(
            f"Asked back: {known.clarification.question} {', '.join(way.label for way in known.clarification.options)}?"
        )
        if not after:
            say("Where it follows a question, name that with --after.")
        return 0
    if known.processed_query:
        say(f"Taken for {known.classified_intent}.")
    if known.processed_query not in ("", sentence):
        say(f"Read as: {known.processed_query}")
    if known.wishes:
        say(f"Then: {'; '.join(wish.text for wish in known.wishes)}")
    return 0


def card_of(name: str | None) -> Card | None:
    """Return a kind of card by its name; raises JobFailed where there is none."""
    found = next((each for each in CARDS if each == name), None)
    if name and found is None:
        raise JobFailed(f"{name} is no card; they are {', '.join(CARDS)}.")
    return found


def _show_recognisers(settings: Settings, say: Say, sentence: str, at: Standing) -> None:
    """Say which recogniser takes a sentence at a card of the sample company, and which others would if asked alone."""
    with TemporaryDirectory() as folder, real_path(settings, Path(folder)) as walk:
        taken_by = walk.typed(sentence, at).taken_by
        would = {each.name for each in walk.would_take(sentence, at)}
    rows = [(each.name, each.takes, _taking(each.name, taken_by, would)) for each in RECOGNISERS]
    say(tabulate(rows, ("recogniser", f"takes, at the card {at.card}", "this sentence")))


def _taking(name: str, taken_by: str, would: Container[str]) -> str:
    return "takes it" if name == taken_by else "would take it" if name in would else ""


def rebuild(settings: Settings, say: Say) -> int:
    """Make the classifier anew, and say of how many examples; returns 1 where something is wrong with the file."""
    with _opened(settings, logs=False) as opened:
        begun = monotonic()
        opened.choices.drop_vectors()
        classifier = opened.intents.classifier()
        own = opened.intents.own()
        for problem in own.problems:
            say(problem)
        rows = [
            (
                category,
                sum(each.category == category and not each.own for each in classifier.examples),
                sum(each.category == category and each.own for each in classifier.examples),
            )
            for category in Category
        ]
        say(tabulate(rows, ("category", "shipped", "own")))
        say(f"{len(classifier.examples)} examples, {len(own.examples)} of them own, in {monotonic() - begun:.1f} s.")
        if embedder(settings):
            say(_vectors(settings, opened))
    return 1 if own.problems else 0


def review_all(settings: Settings, say: Say, ask: Ask | None) -> int:
    """Say which choices wait; in a terminal, ask what shall become of each."""
    with _opened(settings) as opened:
        waiting = opened.choices.waiting()
        if not waiting:
            say("No choice waits.")
            return 0
        if ask is None:
            rows = [(each.id, each.text, each.chosen or "something else", f"{each.at:%Y-%m-%d}") for each in waiting]
            say(tabulate(rows, ("choice", "sentence", "chosen", "on"), maxcolwidths=[None, 70, None, None]))
            say("`icc-bot intents review accept ID` makes an example of one; `review dismiss ID` lets it go.")
            return 0
        for each in waiting:
            say(f'\n{each.id}: "{each.text}" was meant as {_called(each)}.')
            typed = ask("[a]ccept, [d]ismiss, another category, or Enter for later: ").strip()
            if typed.casefold() in ("q", "quit"):
                break
            if typed:
                say(_decided(opened, each, typed))
    return 0


def review_one(settings: Settings, say: Say, verdict: str, id: str, category: str) -> int:
    """Make an example of a choice, or let it go."""
    if not id:
        raise JobFailed(f"Which one? `icc-bot intents review {verdict} ID`; `icc-bot intents review` shows the ids.")
    with _opened(settings) as opened:
        say(_decided(opened, opened.choices.get(id), category or verdict))
    return 0


def _decided(opened: OpenedIntents, choice: RecordedChoice, typed: str) -> str:
    """Do what was decided about a choice, and return what is to be said."""
    if typed.casefold() in ("d", "dismiss"):
        opened.choices.review(choice.id, Review.DISMISSED)
        return f"Dismissed: {choice.text}"
    category = choice.chosen if typed.casefold() in ("a", "accept") else category_of(typed)
    if category is None:
        if typed.casefold() in ("a", "accept"):
            raise JobFailed("Something else was chosen: say what it is with --as CATEGORY. It still waits.")
        raise JobFailed(f"{typed} is no category; they are {', '.join(Category)}. It still waits.")
    opened.intents.add(choice.text, category)
    opened.choices.review(choice.id, Review.ACCEPTED)
    return f"An example of {category} now: {choice.text} ({opened.intents.path.name})"


def _called(choice: RecordedChoice) -> str:
    return f"“{LABELS[choice.chosen]}”" if choice.chosen else "none of what was offered"


def _vectors(settings: Settings, opened: OpenedIntents) -> str:
    """Have vectors made of the examples, and say what became of it; at most two minutes are waited."""
    begun, waited = 0, monotonic() + 120
    opened.intents.classifier().prepare()
    while monotonic() < waited:
        sleep(0.5)
        made = len(opened.choices.vectors(settings.embedding_model))
        if made and made == begun:
            return f"{made} vectors by {settings.embedding_model}."
        begun = made
    return f"{begun} vectors by {settings.embedding_model} so far; the others are made while the bot runs."


@contextmanager
def _opened(settings: Settings, logs: bool = True) -> Iterator[OpenedIntents]:
    with closing(database_of(settings)) as database:
        yield intents_of(settings, database, now, logs=logs)
