"""What is done for a question besides asking the model once; each can be left out, to measure what it is worth."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from router.errors import SettingsError
from router.knowledge.known import MOST_TRIES

Orchestrator = Literal["rules", "model"]
Views = Literal["wide", "all", "off"]

_SWITCH = {"on": True, "off": False}
_CHOICES: Mapping[str, Mapping[str, Any]] = {
    "tries": {str(count): count for count in range(1, MOST_TRIES + 1)},
    "orchestrator": {"rules": "rules", "model": "model"},
    "views": {"wide": "wide", "all": "all", "off": "off"},
}


@dataclass(frozen=True, slots=True)
class Options:
    """How a question becomes SQL."""

    repair: bool = True
    """Put right from the schema what can only mean one thing."""
    meaning: bool = True
    """Besides, change what the question does not ask for."""
    samples: bool = True
    """Show values of columns in the schema text."""
    values: bool = True
    """Name the values that the question names, with their columns."""
    spellings: bool = True
    """Name those, too, that the question spells otherwise, or only in part, and those that are no samples."""
    examples: bool = True
    """Show questions whose SQL somebody found right."""
    doubts: bool = True
    """Ask once more where a query runs and cannot be the answer."""
    views: Views = "wide"
    """Show, after a failure, the likely tables once more beside the question: where not all fit into the prompt."""
    decomposition: bool = True
    """Solve a comparison in parts."""
    tries: int = MOST_TRIES
    """How many statements are written for a question, or for one part of it."""
    orchestrator: Orchestrator = "rules"
    """Who chooses the next agent where several are possible."""


SHIPPED = Options()


def read_options(given: Mapping[str, str]) -> Options:
    """Return the options that texts such as repair=off mean; raises SettingsError with every problem."""
    problems, read = [], {}
    names = [field.name for field in fields(Options)]
    for name, text in given.items():
        choices = _CHOICES.get(name, _SWITCH)
        if name not in names:
            problems.append(f'There is no option "{name}"; there are {", ".join(names)}.')
        elif text not in choices:
            problems.append(f'{name} is one of {", ".join(choices)}, not "{text}".')
        else:
            read[name] = choices[text]
    if problems:
        raise SettingsError(problems)
    return Options(**read)
