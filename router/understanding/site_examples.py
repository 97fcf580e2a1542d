"""The site's own examples of intents: a file that people write, taken up whenever it has changed."""

import logging
import tomllib
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Any

from router.errors import JobFailed
from router.storage.edited_files import Sign, put, sign_of
from router.understanding.categories import Category, category_of
from router.understanding.classifier import AskOpinion, Classifier
from router.understanding.sentences import Sentences, read_sentences


def added(name: str, text: str, sentence: str, category: Category) -> str:
    """Return the text of the file with an example; raises JobFailed where it is written in a way that forbids it."""
    import tomlkit  # heavy where nobody changes a file
    from tomlkit.exceptions import TOMLKitError

    sentence = " ".join(sentence.split())
    by_hand = f'Write "{sentence}" under [{category}] by hand. Nothing was changed.'
    try:
        before = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
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


log = logging.getLogger("icc_bot")


class SiteExamples:
    """The classifier with the site's own examples, made anew when their file has changed; safe to use from threads."""

    def __init__(self, path: Path, likely: AskOpinion | None = None, logs: bool = True) -> None:
        self.path, self._likely, self._logs = path, likely, logs
        self._lock = Lock()
        self._sign: Sign | None = None
        self._said = Sentences()
        self._classifier: Classifier | None = None

    def classifier(self) -> Classifier:
        """Return what tells what sentences want, with the examples that the file has now."""
        with self._lock:
            sign = sign_of(self.path)
            if self._classifier is None or sign != self._sign:
                said = self._read() if sign else Sentences()
                if self._classifier is None or said.known != self._said.known:
                    self._classifier = Classifier(said, self._likely)
                self._said, self._sign = said, sign
            return self._classifier

    def problems(self) -> tuple[str, ...]:
        """Return a sentence for everything that is wrong with the file."""
        self.classifier()
        return self._said.problems

    def own(self) -> Sentences:
        """Return what the file says."""
        self.classifier()
        return self._said

    def add(self, text: str, category: Category) -> None:
        """Put a sentence into the file; all else in it stays as it is. Raises JobFailed, and has changed nothing."""
        with self._lock:
            path = self.path.resolve()
            try:
                before = path.read_bytes().decode("utf-8-sig") if path.exists() else ""
                put(path, added(path.name, before, text, category).encode("utf-8"))
            except UnicodeDecodeError:
                raise JobFailed(f"{path.name} is not a text in UTF-8. Nothing was changed.") from None
            except OSError as error:
                why = error.strerror or type(error).__name__
                raise JobFailed(f"{path.name} cannot be written ({why}). Nothing was changed.") from None

    def _read(self) -> Sentences:
        """Return what the file says; what it said before, with the problem, where it cannot be read."""
        try:
            said = read_sentences(self.path.name, self.path.read_bytes().decode("utf-8-sig"))
        except (OSError, UnicodeDecodeError) as error:
            kind = type(error).__name__
            said = Sentences(problems=(f"{self.path.name} cannot be read ({kind}); it must be a text in UTF-8.",))
        for problem in said.problems if self._logs else ():
            log.warning("%s", problem)
        broken = bool(said.problems) and not said.examples
        return replace(self._said, problems=said.problems) if broken else said
