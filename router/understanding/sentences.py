"""Examples of what people say and what they want, in files: a few that are shipped, and those of a site."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from router.understanding.categories import Category, category_of


@dataclass(frozen=True, slots=True)
class ExampleSentence:
    """A sentence with its category; `own`: it is none of those that are shipped."""

    text: str
    category: Category
    own: bool = False


@dataclass(frozen=True, slots=True)
class Sentences:
    """The contents of a file of examples, with a sentence for each problem in it."""

    examples: tuple[ExampleSentence, ...] = ()
    thresholds: Mapping[Category, float] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    @property
    def known(self) -> tuple[tuple[ExampleSentence, ...], Mapping[Category, float]]:
        """The examples and thresholds that the classifier is made of."""
        return self.examples, self.thresholds


def read_sentences(name: str, text: str, own: bool = True) -> Sentences:
    """Return what a TOML file says; what is wrong in it is left out, and said."""
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        return Sentences(problems=(f"{name} is no TOML: {error}.",))
    examples: dict[str, ExampleSentence] = {}
    thresholds: dict[Category, float] = {}
    problems: list[str] = []
    for section, said in data.items():
        category = category_of(section)
        if category is None or not isinstance(said, dict):
            problems.append(f"{name}: [{section}] is no category; they are {', '.join(Category)}.")
            continue
        sentences = said.get("examples", [])
        if not isinstance(sentences, list) or not all(isinstance(each, str) for each in sentences):
            problems.append(f"{name}: examples of [{section}] must be a list of sentences.")
            sentences = []
        for each in sentences:
            if sentence := " ".join(each.split()):
                examples[sentence.casefold()] = ExampleSentence(sentence, category, own)
        threshold = said.get("threshold")
        if isinstance(threshold, int | float) and 0 < threshold <= 1:
            thresholds[category] = float(threshold)
        elif threshold is not None:
            problems.append(f"{name}: threshold of [{section}] must be a number from 0 to 1.")
        problems += [
            f"{name}: [{section}] has no {key}; there are examples and threshold."
            for key in said
            if key not in ("examples", "threshold")
        ]
    return Sentences(tuple(examples.values()), thresholds, tuple(problems))


@cache
def shipped() -> tuple[ExampleSentence, ...]:
    """Return the examples that are shipped: some of the sentences that the classifier is made of."""
    text = files("router.understanding").joinpath("examples.toml").read_text(encoding="utf-8")
    return read_sentences("examples.toml", text, own=False).examples
