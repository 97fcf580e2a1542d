"""`icc-bot intents`: judges a sentence, and reviews what people chose."""

import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

from tabulate import tabulate

from bot.command_line import Say
from bot.settings.environment import Settings
from bot.wiring.knowledge import OpenedIntents, intents_of
from bot.wiring.state import database_of
from router.errors import JobFailed
from router.memory.understanding import Understanding
from router.storage.clock import now
from router.understanding.categories import LABELS, Category, category_of
from router.understanding.choice_log import RecordedChoice, Review
from router.understanding.interpretation import Context, interpret

Ask = Callable[[str], str]


def show_sentence(settings: Settings, say: Say, sentence: str, after: str = "") -> int:
    """Say what a sentence is taken for in a talk, `after` a question, and which examples are nearest to it."""
    if not sentence.strip():
        say("The sentence says nothing.")
        return 0
    with _opened(settings) as opened:
        classifier = opened.intents.classifier()
        context = Context((after, "") if after else (), explains=True)
        known = interpret(Understanding(sentence), context, classifier.decide)
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


def review_all(settings: Settings, say: Say, ask: Ask | None) -> int:
    """Print the choices that wait; in a terminal, ask what is to become of each."""
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


def review(settings: Settings, say: Say, verdict: str = "", id: str = "", category: str = "") -> int:
    """Look at one choice, or, in a terminal, at all that wait."""
    if verdict:
        return review_one(settings, say, verdict, id, category)
    return review_all(settings, say, input if sys.stdin.isatty() and sys.stdout.isatty() else None)


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


@contextmanager
def _opened(settings: Settings) -> Iterator[OpenedIntents]:
    with closing(database_of(settings)) as database:
        yield intents_of(settings, database, now)
