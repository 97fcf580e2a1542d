"""People who play whole talks in Slack's stand-in: each goes on as soon as the bot answered, and judges what came.

A talk is SQL that is typed, Run, and the rows; some send them by e-mail, some write them into a table.
"""

import random
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Thread

from tests.platforms.slack.delivery import Delivery
from tests.platforms.slack.forms import Impossible
from tests.platforms.slack.stand_in import Slack
from tests.platforms.slack.world import Message
from tests.support.postgres import PostgresServer

CHANNELS = [f"C{number}" for number in range(100, 300)]
AT_ONCE = 40
"""Talks under way at the same time."""

PATIENCE_SECONDS = 45.0
"""After which people look what stands in a talk, and press that."""

LOST_SECONDS, AGAIN_MAX = 180.0, 6
"""After which a talk that did not go on counts as lost, however often its person asked again."""


def channels_of(slack: Slack) -> None:
    """Make the channels of the talks and their people, and let the bot see both."""
    slack.scopes |= {"users:read", "users:read.email", "channels:history", "groups:history"}
    for channel in CHANNELS:
        slack.channel(channel)
    for number in range(500):
        slack.user(f"U{number}", f"Ana {number}", f"ana{number}@example.com")


@dataclass
class Talk:
    """One talk: the message that began it, what is waited for now and since when, and how long each wait took."""

    number: int
    root: Message = field(init=False)
    stage: str = "card"
    since: float = field(default_factory=time.time)
    waits: list[float] = field(default_factory=list)
    again: int = 0
    """How often it was told that something was interrupted, and asked again."""
    pressed: tuple[Delivery, Message, str, str] | None = None
    """The last press: of what, which name, and what was waited for before."""
    looked: float = 0.0
    """When it was looked at again, since nothing happened for long."""
    told: set[str] = field(default_factory=set)
    """The messages that told of an interruption, and were read."""
    lost: int = 0
    """How often Slack told that a press did not arrive, and it was pressed again."""

    @property
    def sql(self) -> str:
        return f"SELECT {self.number} AS number, name FROM regions"

    @property
    def mails(self) -> bool:
        return self.number % 6 == 3

    @property
    def writes(self) -> bool:
        return self.number % 10 == 7 and not self.mails

    def goes_on(self, stage: str) -> None:
        """Note that what was waited for is there."""
        self.waits.append(time.time() - self.since)
        self.stage, self.since = stage, time.time()


class Players:
    """People who play talks: each goes on as soon as the bot answered."""

    def __init__(self, slack: Slack, count: int, seed: int, *, repeated: float = 0.0, delivers: bool = False) -> None:
        """`delivers`: some results are sent, or written into a table."""
        self.slack, self.count, self.repeated, self.dice = slack, count, repeated, random.Random(seed)
        self.delivers = delivers
        self.talks: dict[str, Talk] = {}
        self.over: list[Talk] = []
        self._begun = self._seen = self.unsure = 0
        self.on_lost: Callable[[Talk], None] = lambda talk: None

    def play(self, meanwhile: Callable[[], None] = lambda: None, seconds: float = 3600.0) -> None:
        """Play all of them; returns when they are over, or lost."""
        end = time.time() + seconds
        while (self._begun < self.count or self.talks) and time.time() < end:
            while self._begun < self.count and len(self.talks) < AT_ONCE:
                self._begin()
            for root in self._changed():
                if talk := self.talks.get(root):
                    self._look(talk)
            for talk in list(self.talks.values()):
                self._press_again(talk)
                if time.time() - max(talk.since, talk.looked) > PATIENCE_SECONDS:
                    talk.looked = time.time()
                    self._look_again(talk)
            for talk in [each for each in self.talks.values() if each.again > AGAIN_MAX or _waits(each) > LOST_SECONDS]:
                self.on_lost(talk)
                print("lost:", talk.number, talk.stage, [each.text[:300] for each in self._messages(talk)])
                self._end(talk)
            meanwhile()
            time.sleep(0.01)

    def _begin(self) -> None:
        number, self._begun = self._begun, self._begun + 1
        talk = Talk(number)
        user, channel = f"U{number % 500}", CHANNELS[number % len(CHANNELS)]
        talk.root = root = self.slack.say(channel, talk.sql, user=user, mention=True)
        self.talks[root.ts] = talk
        self._repeat(root.ts)

    def _repeat(self, mark: str) -> None:
        """Have some events come twice."""
        with self.slack.lock:
            last = [each for each in self.slack.acks[-4:] if mark in str(each.payload)]
        for each in last:
            if self.dice.random() < self.repeated:
                self.slack.redeliver(each)

    def _changed(self) -> set[str]:
        """Return the threads in which the bot wrote or changed anything since the last look."""
        with self.slack.lock:
            new, self._seen = self.slack.calls[self._seen :], len(self.slack.calls)
        found = {str(call.arguments.get("thread_ts")) for call in new if call.method == "chat.postMessage"}
        for call in new:
            if call.method == "chat.update":
                message = self.slack.world.find(call.arguments["channel"], call.arguments["ts"])
                found.add(message.thread or "" if message else "")
        return found

    def _said(self, talk: Talk) -> list[str]:
        return [str(each.blocks) for each in self._messages(talk)]

    def _messages(self, talk: Talk) -> list[Message]:
        return self.slack.messages(talk.root.channel, talk.root, by=self.slack.bot_user)

    def _look(self, talk: Talk) -> None:
        """Do what comes next in a talk, where the bot is done with what came before."""
        for message in reversed(self._messages(talk)):
            shown = str(message.blocks)
            if talk.stage == "card" and "Run on Shop" in shown:
                self._press(talk, message, "Run on Shop", "rows")
            elif talk.stage == "rows" and "'CSV'" in shown:
                if self.delivers and (talk.mails or talk.writes):
                    self._deliver(talk)
                else:
                    self._finish(talk)
            elif talk.stage == "preview" and ("Send this e-mail?" in shown or "Write this?" in shown):
                self._press(talk, message, "Send" if talk.mails else "Write", "done")
            elif talk.stage == "done" and ("✓ Sent" in shown or "✓ Added" in shown or "✓ Created" in shown):
                self._finish(talk)
            elif talk.stage == "done" and "may or may not have gone out" in shown:
                self.unsure += 1  # it asks, and a person looks: it is not sent again unasked
                self._finish(talk)
            elif "I was interrupted" in shown and message.ts not in talk.told:
                self._ask_again(talk, message)
            else:
                continue
            return

    def _press(self, talk: Talk, message: Message, name: str, then: str) -> None:
        try:
            delivery = self.slack.press(message, name, user=talk.root.user)
        except Impossible:
            return
        talk.pressed = delivery, message, name, talk.stage
        talk.goes_on(then)
        if self.dice.random() < self.repeated:
            self.slack.redeliver(delivery)

    def _ask_again(self, talk: Talk, message: Message) -> None:
        """Do once more what was interrupted: by the card that stands there, else by words."""
        talk.told.add(message.ts)
        talk.again += 1
        for name, then in (("Run on Shop", "rows"), ("Send", "done"), ("Write", "done")):
            if name in str(message.blocks):
                self._press(talk, message, name, then)
                return
        self._say_again(talk)

    def _say_again(self, talk: Talk) -> None:
        if talk.stage == "card":
            self.slack.say(talk.root.channel, talk.sql, user=talk.root.user, thread=talk.root, mention=True)
        elif talk.stage in ("preview", "done"):
            self._deliver(talk)

    def _look_again(self, talk: Talk) -> None:
        """Press what stands there, or say it again, if a process died over what was done before."""
        for message in reversed(self._messages(talk)):
            for asks, name in (("Run on Shop", "Run on Shop"), ("Send this e-mail?", "Send"), ("Write this?", "Write")):
                if asks in str(message.blocks) and talk.stage in ("rows", "done"):
                    talk.again += 1
                    self._press(talk, message, name, talk.stage)
                    return
        if talk.stage in ("card", "preview"):
            talk.again += 1
            self._say_again(talk)

    def _deliver(self, talk: Talk) -> None:
        words = f"send it to u{talk.number}@example.com" if talk.mails else f"write it into w{talk.number}"
        talk.goes_on("preview")
        self.slack.say(talk.root.channel, words, user=talk.root.user, thread=talk.root, mention=True)

    def _press_again(self, talk: Talk) -> None:
        """Press once more what Slack says did not arrive: unlike messages, it does not send presses again."""
        if talk.pressed is None or not talk.pressed[0].over.is_set() or talk.pressed[0].acked:
            return
        _, message, name, before = talk.pressed
        talk.pressed, talk.lost = None, talk.lost + 1
        then, talk.stage = talk.stage, before
        self._press(talk, message, name, then)
        if talk.pressed is None:
            talk.stage = then  # it had arrived: the button is gone

    def _finish(self, talk: Talk) -> None:
        talk.goes_on("over")
        self._end(talk)

    def _end(self, talk: Talk) -> None:
        self.over.append(self.talks.pop(talk.root.ts))

    def problems(self, talk: Talk) -> list[str]:
        """Return the sentences about what went wrong that stand in a talk."""
        texts = [message.text.partition("\n")[0] for message in self._messages(talk)]
        return [text for text in texts if re.search("cannot|could not|interrupted|stopped", text)]

    def faults(self) -> list[str]:
        """Return what is wrong with talks that are over: not ended, or something said twice."""
        found = []
        for talk in self.over:
            said = self._said(talk)
            rows = len(set(re.findall(r"csv@([\w-]+)", " ".join(said))))
            # A person who said it again because it took long may have a second card below the rows.
            last = max((place for place, each in enumerate(said) if "'CSV'" in each), default=len(said))
            standing = sum("Run on Shop" in each for each in said[:last])
            if talk.stage != "over" or rows != 1 or standing:
                found.append(f"{talk.number} {talk.stage}: {rows} results, {standing} cards, {len(said)} messages")
        return found


def _waits(talk: Talk) -> float:
    return time.time() - talk.since


AT_SEND = 6
"""Talks whose e-mails are sent in the same moment, right before an outage."""


class Sending(Players):
    """People of whom some press Send at once, and PostgreSQL goes away as they do."""

    def __init__(
        self, slack: Slack, count: int, server: PostgresServer, seconds: float, at_send: int = AT_SEND
    ) -> None:
        super().__init__(slack, count, 1, delivers=True)
        self._server, self._seconds, self._at_send = server, seconds, at_send
        self._held: list[tuple[Talk, Message, str, str]] = []
        self._outage: Thread | None = None

    def play(self, meanwhile: Callable[[], None] = lambda: None, seconds: float = 3600.0) -> None:
        """Play all of them; returns when they are over, or lost, and the server is back."""
        super().play(meanwhile, seconds)
        assert self._outage
        self._outage.join()

    def _press(self, talk: Talk, message: Message, name: str, then: str) -> None:
        """Press, but for the first Sends: these together, and then nothing is kept for a while."""
        if name != "Send" or self._outage:
            super()._press(talk, message, name, then)
            return
        talk.stage = "holds"
        self._held.append((talk, message, name, then))
        if len(self._held) == self._at_send:
            self._outage = Thread(target=self._interrupt)
            for each in self._held:
                each[0].stage = "preview"
                super()._press(*each)
            self._outage.start()

    def _interrupt(self) -> None:
        with self._server.away():
            time.sleep(self._seconds)
