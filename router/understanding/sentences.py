"""Examples of what people say and what they want, in files: a few that are shipped, and those of a site."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

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


class _Section(BaseModel):
    """The section of a category in a file."""

    model_config = ConfigDict(extra="forbid")

    examples: list[str] = []
    threshold: Annotated[float, Field(gt=0, le=1)] | None = None


def read_sentences(name: str, text: str, own: bool = True) -> Sentences:
    """Return what a TOML file says; a section with something wrong in it is left out, and said."""
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        return Sentences(problems=(f"{name} is no TOML: {error}.",))
    examples: dict[str, ExampleSentence] = {}
    thresholds: dict[Category, float] = {}
    problems: list[str] = []
    learned = data.pop("learned", [])  # [[learned]]: what `icc-bot intents review` appends
    added = [(each.get("category", ""), {"examples": [each.get("example")]}) for each in learned]
    for section, said in (*data.items(), *added):
        category = category_of(section)
        if category is None:
            problems.append(f"{name}: [{section}] is no category; they are {', '.join(Category)}.")
            continue
        try:
            read = _Section.model_validate(said)
        except ValidationError as error:
            problems += [f"{name}: [{section}] {' '.join(map(str, e['loc']))}: {e['msg']}." for e in error.errors()]
            continue
        for each in read.examples:
            if sentence := " ".join(each.split()):
                examples[sentence.casefold()] = ExampleSentence(sentence, category, own)
        if read.threshold is not None:
            thresholds[category] = read.threshold
    return Sentences(tuple(examples.values()), thresholds, tuple(problems))


@cache
def shipped() -> tuple[ExampleSentence, ...]:
    """Return the examples that are shipped: some of the sentences that the classifier is made of."""
    text = files("router.understanding").joinpath("examples.toml").read_text(encoding="utf-8")
    return read_sentences("examples.toml", text, own=False).examples
