"""The site's own examples of intents: a file that people write, taken up whenever it has changed."""

import json
import logging
from dataclasses import replace
from pathlib import Path
from threading import Lock

from router.errors import JobFailed
from router.storage.edited_files import Sign, put, sign_of
from router.understanding.categories import Category
from router.understanding.classifier import AskOpinion, Classifier
from router.understanding.sentences import ExampleSentence, Sentences, read_sentences

log = logging.getLogger("icc_bot")


class SiteExamples:
    """The classifier with the site's own examples, made again when their file has changed; safe to use from threads."""

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
                if self._classifier is None or (said.examples, said.thresholds) != (
                    self._said.examples,
                    self._said.thresholds,
                ):
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
        """Append a sentence to the file; all else in it stays as it is. Raises JobFailed, and has changed nothing."""
        with self._lock:
            path, sentence = self.path.resolve(), " ".join(text.split())
            try:
                before = path.read_bytes().decode("utf-8-sig") if path.exists() else ""
                example = json.dumps(sentence, ensure_ascii=False)
                after = f'{before.rstrip()}\n\n[[learned]]\ncategory = "{category}"\nexample = {example}\n'.lstrip()
                if ExampleSentence(sentence, category, own=True) not in read_sentences(path.name, after).examples:
                    raise JobFailed(f"{path.name} is no sound TOML: mend it first. Nothing was changed.")
                put(path, after.encode("utf-8"))
            except UnicodeDecodeError:
                raise JobFailed(f"{path.name} is not a text in UTF-8. Nothing was changed.") from None
            except OSError as error:
                why = error.strerror or type(error).__name__
                raise JobFailed(f"{path.name} cannot be written ({why}). Nothing was changed.") from None

    def _read(self) -> Sentences:
        """Return what the file says; what it said before, with the problem, if it cannot be read."""
        try:
            said = read_sentences(self.path.name, self.path.read_bytes().decode("utf-8-sig"))
        except (OSError, UnicodeDecodeError) as error:
            kind = type(error).__name__
            said = Sentences(problems=(f"{self.path.name} cannot be read ({kind}); it must be a text in UTF-8.",))
        for problem in said.problems if self._logs else ():
            log.warning("%s", problem)
        broken = bool(said.problems) and not said.examples
        return replace(self._said, problems=said.problems) if broken else said
