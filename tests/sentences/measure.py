"""Measures how sentences are understood: `uv run python -m tests.sentences.measure FILE.jsonl [--errors]`.

A line of FILE is a sentence with its category, or one with a card and its meanings, which is typed at that card (see
`cases`). With `--say`, one sentence is typed instead, and the recognisers that would take it are told.
"""

import argparse
from collections import Counter
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time

from tabulate import tabulate

from bot.evaluation.questions import read_lines
from bot.settings.environment import Settings, read_settings
from bot.wiring.knowledge import intents_file
from router.interactions.recognisers import RECOGNISERS
from router.understanding.categories import Category
from router.understanding.site_examples import SiteExamples
from tests.sentences.cases import has_cases, measure
from tests.sentences.real_path import CARDS, Standing, real_path


def measure_categories(settings: Settings, path: Path, errors: bool) -> None:
    """Print how many whole sentences the classifier alone reads rightly, asks back, and takes for something else."""
    classifier = SiteExamples(intents_file(settings), logs=False).classifier()
    groups: dict[str, Counter[str]] = {}
    seconds: list[float] = []
    for _, line in read_lines(path):
        begun = process_time()
        found = classifier.decide(line["sentence"])
        seconds.append(process_time() - begun)
        category = Category(line["category"])
        verdict = "asked back" if not found.category else "right" if found.category == category else "wrong"
        groups.setdefault(category, Counter())[verdict] += 1
        if errors and verdict != "right":
            print(f"{verdict}: {line['sentence']!r} is {category}, taken for {found.likely} ({found.confidence:.2f})")
    verdicts = ("right", "asked back", "wrong")
    total = sum(groups.values(), Counter[str]())
    rows = [(name, *(count[each] for each in verdicts)) for name, count in sorted((*groups.items(), ("all", total)))]
    print(tabulate(rows, ("category", *verdicts)))
    print(", ".join(f"{100 * total[each] / total.total():.1f} % {each}" for each in verdicts), end="; ")
    print(f"a sentence takes {median(seconds) * 1000:.2f} ms of the processor (median).")


def show_recognisers(settings: Settings, sentence: str, at: Standing) -> None:
    """Print which recogniser takes a sentence at a card of the sample company, and which others would if alone."""
    with TemporaryDirectory() as folder, real_path(settings, Path(folder)) as walk:
        taken_by = walk.typed(sentence, at).taken_by
        would = {each.name for each in walk.would_take(sentence, at)}
    takes = dict.fromkeys(would, "would take it") | {taken_by: "takes it"}
    rows = [(each.name, each.takes, takes.get(each.name, "")) for each in RECOGNISERS]
    print(tabulate(rows, ("recogniser", f"takes, at the card {at.card}", "this sentence")))


def main() -> None:
    """Measure a file, or show one sentence."""
    parser = argparse.ArgumentParser("python -m tests.sentences.measure")
    parser.add_argument("file", type=Path, nargs="?", metavar="FILE.jsonl", help="sentences with what they mean")
    parser.add_argument("--errors", action="store_true", help="list each sentence that is not right")
    parser.add_argument("--say", metavar="SENTENCE", help="show who takes this sentence")
    parser.add_argument("--at", choices=CARDS, default="open", metavar="CARD", help="where it is typed: such as sql")
    parser.add_argument("--before", default="", metavar="QUESTION", help="the question before it")
    given = parser.parse_args()
    settings = read_settings()
    if given.say:
        show_recognisers(settings, given.say, Standing(given.at, given.before))
    elif given.file and has_cases(given.file):
        measure(settings, print, given.file, errors=given.errors)
    elif given.file:
        measure_categories(settings, given.file, given.errors)
    else:
        parser.error("name a file of sentences, or a sentence with --say")


if __name__ == "__main__":
    main()
