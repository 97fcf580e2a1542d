"""Answers that were shown before: drawn again, rated, or deleted."""

import logging
from dataclasses import replace

from router.cards import Card, Chart, File, Table, Text
from router.errors import BotError
from router.jobs.results.chart import chart_of
from router.jobs.results.export import order_in
from router.memory.draft import User
from router.memory.thread import ThreadKey, key_from
from router.policy import may_teach, require_read
from router.services import Services
from router.storage.threads import ThreadStore

log = logging.getLogger("icc_bot")


class History:
    """Reaches for answers of the past without a turn; safe to use from several threads."""

    def __init__(self, store: ThreadStore, services: Services) -> None:
        self._store, self._services = store, services

    def redraw(self, user: User, card: Card) -> Card:
        """Return a card of the past as it may be shown today: rows that expired, or that the person may not read any
        more, become a sentence.
        """
        if not isinstance(card, Table | File | Chart):
            return card
        kept = self._services.results.seen_by(user)
        try:
            if card.connection:
                require_read(user, self._services.connections.require(card.connection))
            if isinstance(card, Table) and card.result:
                page = self._services.page_at(kept, card.result, card.offset, card.sort)
                return replace(page, connection=card.connection, title=card.title, source=card.source)
            if isinstance(card, Chart) and card.result:
                drawn = chart_of(kept, card.result, card.title, card.sort)
                return replace(drawn, kind=card.kind, connection=card.connection)
            if isinstance(card, File) and card.result and card.path.is_file():
                kept.ref(card.result)
        except BotError as error:
            return Text(str(error), "problem")
        return card

    def file(self, user: User, card: File) -> File | Text:
        """Return a file of the past as `redraw` does, made again if another process made it, or it is gone."""
        allowed = self.redraw(user, card)
        if isinstance(allowed, Text):
            return allowed
        if not card.result or card.path.is_file():
            return card
        try:
            kept, form = self._services.results.seen_by(user), card.path.suffix.removeprefix(".")
            return replace(card, path=kept.file(card.result, form, sort=order_in(card.path.name)))
        except BotError as error:
            return Text(str(error), "problem")

    def rate(self, user: User, result: str, good: bool, comment: str = "") -> str:
        """Keep whether the person found an answer good, and why; returns a sentence that thanks or says why not."""
        return self._services.feedback.rate(user.id, result, good, comment)

    def may_keep(self, user: User, result: str) -> ThreadKey | None:
        """Return the talk of an answer that the person may keep as an example; None if they may not."""
        services, answered = self._services, self._services.feedback.answer(result)
        connection = services.connections.get(answered.connection) if answered else None
        if services.examples is None or answered is None or connection is None or not may_teach(user, connection):
            return None
        # Only the person who wrote SQL of their own can say, in its thread, which question it answers.
        return key_from(answered.thread) if answered.question or answered.asker == user.id else None

    def forget(self, platform: str, team: str, channel: str = "") -> int:
        """Delete a team's threads, or those of one channel, with their results and ratings; returns their number.

        What lies here goes first; what cannot be deleted elsewhere is logged, and found by the next call.
        """
        threads = {*self._store.keys(platform, team), *map(key_from, self._services.feedback.threads())}
        keys = [key for key in threads if (key.platform, key.team) == (platform, team) and channel in ("", key.channel)]
        for key in keys:
            self._forget_here(key)
        for key in keys:
            self._forget_elsewhere(key)
        return len(keys)

    def forget_thread(self, key: ThreadKey) -> None:
        """Delete one thread with its results and ratings, and end what it repeats."""
        self._forget_here(key)
        self._forget_elsewhere(key)

    def _forget_here(self, key: ThreadKey) -> None:
        if self._services.schedules:
            self._services.schedules.forget(str(key))
        self._store.forget(key)

    def _forget_elsewhere(self, key: ThreadKey) -> None:
        services = self._services
        try:
            for result in services.feedback.results(str(key)):
                services.results.delete(result)
            services.jobs.forget(str(key))
            services.feedback.forget(str(key))
        except BotError as error:
            log.error("what was done for the talk %s is not deleted: %s", key, error)
