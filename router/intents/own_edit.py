"""Puts an example into a file that people write, and leaves everything else in it as it is."""

import tomllib
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from router.errors import JobFailed
from router.intents.categories import Category, category_of
from router.intents.sentences import read_sentences


def added(name: str, text: str, sentence: str, category: Category) -> str:
    """Return the text of the file with an example; raises JobFailed where it is written in a way that forbids it."""
    sentence = " ".join(sentence.split())
    by_hand = f'Write "{sentence}" under [{category}] by hand. Nothing was changed.'
    try:
        before = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise JobFailed(f"{name} is no TOML ({error}): mend it first. Nothing was changed.") from None
    section = next((each for each in before if category_of(each) == category), category.value)
    if sentence.casefold() in (each.casefold() for each in _examples(before.get(section))):
        return text
    try:
        document: Any = tomlkit.parse(text)
        if section not in document:
            document.add(section, tomlkit.table())
        if "examples" not in document[section]:
            document[section].add("examples", tomlkit.array().multiline(True))
        document[section]["examples"].append(sentence)
        after = tomlkit.dumps(document)
        known = read_sentences(name, after).examples
    except (TOMLKitError, KeyError, TypeError, ValueError, AttributeError):
        raise JobFailed(f"{name} is written in a way that I cannot change. {by_hand}") from None
    if not any(each.text == sentence and each.category == category for each in known):
        raise JobFailed(f"{name} is written in a way that I cannot change. {by_hand}")
    return after if after.endswith("\n") else after + "\n"


def _examples(section: Any) -> list[str]:
    found = section.get("examples") if isinstance(section, dict) else None
    return [each for each in found if isinstance(each, str)] if isinstance(found, list) else []
