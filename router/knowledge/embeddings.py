"""Finds questions of the same meaning by a model's embedding vectors; nobody waits long for it."""

import logging
import math
from array import array
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from operator import mul
from threading import Thread
from time import monotonic
from typing import TypeAlias, TypeVar

from sqlalchemy import select

from router.storage.database import Database, upsert
from router.storage.tables import vectors

log = logging.getLogger("icc_bot")

Embed = Callable[[list[str]], list[list[float]]]
"""Returns a vector for each text; raises anything if it cannot."""

MEANS_THE_SAME = 0.8
"""The least cosine of two vectors of the same meaning."""

VECTOR_WAIT_SECONDS = 1.0
"""Seconds that a question waits for its vector."""

VECTORS_AWAY_SECONDS = 60.0
"""Seconds for which a server that failed, or was too slow, is not asked again."""

VECTOR_BATCH_TEXTS = 64
"""Texts that are sent in one request."""

T = TypeVar("T")

Vector: TypeAlias = "array[float]"


class VectorTable:
    """A table of vectors that models made of the texts of one store; thread-safe."""

    def __init__(self, database: Database, store: str) -> None:
        self._database, self._store = database, store

    def vectors(self, model: str) -> dict[str, bytes]:
        """Return what a model made of texts."""
        query = select(vectors.c.text, vectors.c.vector)
        with self._database.reading() as connection:
            rows = connection.execute(query.where(vectors.c.store == self._store, vectors.c.model == model))
            return {row.text: row.vector for row in rows}

    def keep_vectors(self, model: str, made: dict[str, bytes]) -> None:
        """Keep what a model made of texts."""
        with self._database.transaction() as connection:
            for text, vector in made.items():
                upsert(connection, vectors, {"store": self._store, "model": model, "text": text, "vector": vector})


class Vectors:
    """Vectors of one model, kept in a file; safe to use from several threads."""

    def __init__(self, model: str, embed: Embed, store: VectorTable, wait_seconds: float = VECTOR_WAIT_SECONDS) -> None:
        self._model, self._embed, self._store, self._wait_seconds = model, embed, store, wait_seconds
        self._known: dict[str, Vector] | None = None
        self._making: Future[None] | None = None
        self._away_until, self._told = 0.0, False

    def nearest(
        self, question: str, among: Sequence[str], least: float = MEANS_THE_SAME
    ) -> list[tuple[float, int]] | None:
        """Return (likeness, number) of those that are at least so alike, the nearest first; None if it cannot now.

        Vectors of examples that are missing are made in the background, for a later question.
        """
        if monotonic() < self._away_until:
            return None
        if self._known is None:
            kept = self._store.vectors(self._model)
            self._known = {text: array("f", vector) for text, vector in kept.items()}
        known = self._known
        if missing := [text for text in dict.fromkeys(among) if text not in known]:
            if self._making is None or self._making.done():
                self._making = _detached(lambda: self._make(missing))
            return None
        asked = _detached(lambda: self._vectors([question])[0])
        try:
            vector = asked.result(self._wait_seconds)
        except Exception as error:  # too late as well: the next question would wait as long, beside this thread
            self._fail(error)
            return None
        self._told = False
        found = [(round(_cosine(vector, known[text]), 6), number) for number, text in enumerate(among)]
        return sorted((each for each in found if each[0] >= least), key=lambda each: (-each[0], each[1]))

    def _make(self, texts: list[str]) -> None:
        try:
            for start in range(0, len(texts), VECTOR_BATCH_TEXTS):
                some = texts[start : start + VECTOR_BATCH_TEXTS]
                made = dict(zip(some, self._vectors(some), strict=True))
                self._store.keep_vectors(self._model, {text: vector.tobytes() for text, vector in made.items()})
                self._known = {**(self._known or {}), **made}
        except Exception as error:  # whatever the server or its library trips over, words do
            self._fail(error)

    def _vectors(self, texts: list[str]) -> list[Vector]:
        """Return a vector of length one for each text."""
        made = [array("f", vector) for vector in self._embed(texts)]
        lengths = [math.hypot(*vector) or 1.0 for vector in made]
        return [array("f", (value / length for value in vector)) for vector, length in zip(made, lengths, strict=True)]

    def _fail(self, error: Exception) -> None:
        self._away_until = monotonic() + VECTORS_AWAY_SECONDS
        if not self._told:
            self._told = True
            log.warning("%s makes no vectors (%r): examples are found by their words", self._model, error)


def _cosine(one: Vector, other: Vector) -> float:
    """Return how near two vectors are; vectors of different models are not near."""
    return sum(map(mul, one, other)) if len(one) == len(other) else 0.0


def _detached(act: Callable[[], T]) -> Future[T]:
    """Do something in a thread that keeps nobody from ending, and return what becomes of it."""
    found = Future[T]()

    def run() -> None:
        try:
            found.set_result(act())
        except Exception as error:
            found.set_exception(error)

    Thread(target=run, name="vectors", daemon=True).start()
    return found
