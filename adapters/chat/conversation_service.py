"""Takes what was heard, once; has it worked on; and takes up again what a stopped process left behind."""

import asyncio
import logging
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import InitVar, dataclass, field, replace
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Final

from adapters.chat.admission import TurnedAway, is_meant, let_in, send_refusal
from adapters.chat.bounded_cache import BoundedCache
from adapters.chat.delivery import Delivery
from adapters.chat.event_queue import REFUSAL_WAIT_SECONDS, EventQueue
from adapters.chat.inbox import Extras, Inbox
from adapters.chat.reply_sender import ReplySender
from adapters.chat.statuses import PRESS_SHOWS_ITSELF_SECONDS, Statuses
from adapters.chat.surface import Heard, MessagePlace, NotTaken, Posted, Refusal, Undelivered, progress_of
from adapters.chat.underway import STOP_MAX_SECONDS, Underway, take_up_soon
from adapters.ordered_calls import call_in_order
from adapters.rendering.controls import asks_in
from adapters.turns import NotBegun, Turns, wants_stop
from router.cards import Form, Reply, Text
from router.interactions.result_buttons import is_lasting_press
from router.jobs.cancellation import STOPPED_AS_ASKED
from router.memory.draft import User
from router.memory.stage import Stage
from router.memory.thread import ThreadKey
from router.services import Services
from router.turn import Changed, Filled, Incoming, Opened, Pressed, Said

if TYPE_CHECKING:
    from adapters.task_queue import TaskQueue

log = logging.getLogger("icc_bot")


# Replies that a turn saved and did not come to show, as after a kill between saving and posting.


async def catch_up(delivery: Delivery, turns: Turns) -> None:
    """Show the question that stands if it was not shown; what is there already is left or drawn again."""
    incoming, surface, shown = delivery.incoming, delivery.reply_sender.surface, delivery.reply_sender.shown
    key = incoming.key
    memory = await asyncio.to_thread(delivery.reply_sender.router.memory, key)
    if memory is None or memory.turn <= await call_in_order(shown.last_turn, key):
        delivery.answered = True
        return
    owner = memory.owner or incoming.user
    for place in (delivery.place, MessagePlace(key.team, surface.home(owner.id))):
        if found := await surface.find(place, f"{key}:{memory.turn}"):
            log.info("message %s of %s was there already", found.id, key)
            if memory.stage == Stage.DONE or place != delivery.place:
                delivery.answered = True
                if delivery.progress == found:  # it stands where progress was, and is not to be removed as such
                    await delivery.replaced(found)
                return
            delivery.progress = found  # it is drawn again in its place, and noted
    await turns.handle(replace(incoming, input=Opened(), event=""), delivery)


YOUR_QUESTION: Final = "\nYour question was: {}"

REFUSED_WITHIN_SECONDS = 0.3
"""Seconds for which a press waits for that of somebody who may not press there: by then, they were told so."""

WRITING_CHECK_SECONDS = 0.5
"""Seconds between two looks at whether SQL is being written for a question that was changed meanwhile."""

SETTLED_CHECK_SECONDS = 0.05
"""Seconds between two looks whether other processes still have something on its way into a thread."""

BUTTONS_LIFETIME_SECONDS = 90 * 86_400.0
"""Seconds after which a message's buttons are too old."""


@dataclass(slots=True)
class ConversationService:
    """The bot at work on one platform."""

    platform: str
    turns: Turns
    services: Services
    reply_sender: ReplySender
    inbox: Inbox
    tasks: InitVar["TaskQueue | None"] = None
    """The tasks of all processes that share the work; None if this one does all of it."""
    queue: EventQueue = field(init=False)
    _running: dict[ThreadKey, Delivery] = field(default_factory=dict)
    _statuses: Statuses = field(init=False)
    recovered: set[str] = field(default_factory=set)
    """The events of inputs that an earlier process left, and that were taken up again."""
    _latest_changes: BoundedCache[str, str] = field(default_factory=BoundedCache)
    """The event of the latest change of a message, by the message's own."""
    underway: Underway = field(default_factory=Underway)

    def __post_init__(self, tasks: "TaskQueue | None") -> None:
        self._statuses = Statuses(self.reply_sender.surface, self.spawn)
        self.queue = EventQueue(self.inbox, self, tasks)

    async def take(
        self,
        heard: Heard,
        *,
        trigger: str = "",
        refusal: Refusal | None = None,
        waits: float = REFUSAL_WAIT_SECONDS,
        respond: str = "",
        quiet: bool = False,
    ) -> asyncio.Task[None] | None:
        """Keep an input and have it worked on; returns what ends with that, None if the input was taken before.

        `trigger` opens a modal, `refusal` hears what is wrong with a form or a click, for the seconds that it `waits`;
        `respond` is where a command is answered. `quiet`: nobody waits for words, as when a form was closed.
        """
        return await self.queue.put(heard, Extras(trigger, respond, quiet, waits if refusal else 0.0), refusal)

    async def change(self, heard: Heard, mark: str) -> asyncio.Task[None] | None:
        """Take a message as it is now that its author changed it, or deleted it (without words).

        `heard` is the message under its own event, `mark` tells this change from others of it. A question that was
        taken is asked again or taken back, as far as nothing was run; a message that was not heard before is taken as
        one that comes now. Returns the work, None if there is none.
        """
        text = heard.input.text if isinstance(heard.input, Said) else ""
        if await call_in_order(self.inbox.knows, heard.event):
            return await self.take(replace(heard, input=Changed(heard.event, text), event=f"{heard.event} {mark}"))
        return await self.take(heard) if text else None

    async def close_copy(self, at: Posted, heard: Heard, work: asyncio.Task[None] | None) -> None:
        """Close the message of a press, once that is worked on, if it is a second copy of a card that was answered."""
        if work:
            await asyncio.wait([work])
        given = heard.input
        if isinstance(given, Pressed) and not is_lasting_press(given):
            await self.reply_sender.close_copy(at, heard.key, given.turn, heard.user)

    async def stop(self, key: ThreadKey, user: User, refusal: Refusal | None = None) -> None:
        """End what runs in a thread, if this person may; `refusal` hears why they may not."""
        if self.queue.shared and key not in self._running:
            # Another process works on the thread, if any does.
            await self.take(Heard(key, user, Pressed("stop", 0), f"stop {token_hex(8)}"), refusal=refusal)
        else:
            await self._stop(key, user, refusal)

    async def _stop(self, key: ThreadKey, user: User, refusal: Refusal | None = None) -> None:
        incoming = Incoming(key, user, Opened())
        reply = await self.turns.stop(incoming)
        delivery = None if reply.to else self._running.get(key)
        await (delivery or Delivery(self.reply_sender, incoming, refusal=refusal))(reply)
        if refusal and not refusal.done():
            refusal.set_result(NotTaken())

    def delivers(self, key: ThreadKey) -> bool:
        """Return whether anything is on its way into a thread, as far as this process knows."""
        return key in self._running or any(self.queue.unfinished(key))

    async def delivered(self, key: ThreadKey) -> None:
        """Wait until what is on its way into a thread is there."""
        if running := self._running.get(key):
            await running.over.wait()
        if given := list(self.queue.unfinished(key)):
            await asyncio.wait(given)

    async def expects(self, key: ThreadKey) -> bool:
        """Return whether anything is on its way into a thread, from any process."""
        return self.delivers(key) or await call_in_order(self.inbox.waits, key)

    async def wait_until_idle(self, key: ThreadKey) -> None:
        """Wait until nothing is on its way into a thread any more, from no process."""
        await self.delivered(key)
        while await asyncio.to_thread(self.inbox.waits, key):  # noqa: ASYNC110  # it ends elsewhere
            await asyncio.sleep(SETTLED_CHECK_SECONDS)

    async def recover(self) -> None:
        """Take up what was left, now and every minute; ends when it is cancelled."""
        while True:
            self._tell_approvers()
            await take_up_soon(self.queue)

    async def forget(self, team: str, channel: str = "") -> None:
        """End what runs for a team, or in one channel of it, and delete everything that is kept of it."""
        for key, delivery in list(self._running.items()):
            if key.team == team and channel in ("", key.channel):
                await self.stop(key, delivery.incoming.user)
                with suppress(TimeoutError):
                    await asyncio.wait_for(delivery.over.wait(), STOP_MAX_SECONDS)
        await call_in_order(self.inbox.forget, team, channel)
        if approvals := self.services.approvals:
            await asyncio.to_thread(approvals.forget, self.platform, team, channel)
        await call_in_order(self.reply_sender.shown.forget, ThreadKey(self.platform, team, channel, ""))
        count = await asyncio.to_thread(self.reply_sender.router.history.forget, self.platform, team, channel)
        where = f" from {channel}" if channel else ""
        log.info("team %s took the app away%s; %s threads were deleted", team, where, count)

    async def close(self, *, brief: bool = False) -> None:
        """Begin nothing more, end what runs, and wait a little for what the core says about it.

        What is over in a moment is not cut short; what was not begun is taken up at the next start. `brief`: people
        wait for the end.
        """
        await self.underway.end(self.turns, self.queue, brief=brief)

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Have something done that nobody waits for; what goes wrong in it is logged."""
        return self.underway.spawn(work)

    async def work_again(self, heard: Heard) -> bool:
        """Work on what was left; of progress that was posted in the moment of a kill, the platform alone knows.

        The card that was answered last is drawn so once more: the kill may have been before that.
        """
        key, reply_sender = heard.key, self.reply_sender
        try:
            if key.thread and key not in self._running and not await call_in_order(reply_sender.shown.begun, key):
                place = heard.at
                if found := await reply_sender.surface.find(place, progress_of(heard.event)):
                    await call_in_order(reply_sender.shown.begin, found.channel, found.id, key)
            if (decided := await call_in_order(reply_sender.shown.decided, key)) and key not in self._running:
                with suppress(Undelivered):
                    await reply_sender.draw_again(decided, heard.user)
        except Undelivered as error:
            log.warning("%s could not be answered for now: %s", heard.event, error)
            return False
        self.recovered.add(heard.event)
        return await self.work(heard, Extras(), again=True)

    async def work(self, heard: Heard, extras: Extras, refusal: Refusal | None = None, again: bool = False) -> bool:
        """Work on an input; returns whether it is finished: else it is taken up again."""
        if isinstance(heard.input, Changed):
            self._latest_changes[heard.input.of] = heard.event
        try:
            if not heard.addressed and not await is_meant(self.reply_sender, heard):
                return True
            let = await self._let_in(heard, extras, again, refusal)
            if let is None:
                return True
            at, trigger = (let.place, let.addressed), extras.trigger if extras.fresh else ""
            delivery = Delivery(self.reply_sender, _incoming(let), *at, trigger, refusal, extras.quiet)
            if isinstance(let.input, Pressed | Filled):
                delivery.works = self._show_at_work
            return await self._answer(delivery)
        except NotBegun:
            log.info("%s is left for the next start", heard.event)
        except Undelivered as error:
            log.warning("%s could not be answered for now: %s", heard.event, error)
        finally:
            if refusal and not refusal.done():
                refusal.set_result(NotTaken())
        return False

    async def _let_in(self, heard: Heard, extras: Extras, again: bool, refusal: Refusal | None) -> Heard | None:
        """Return the input with who acts, in its thread; None if the person was told why they are not answered."""
        surface, key = self.reply_sender.surface, heard.key
        if extras.respond:
            heard = replace(heard, place=replace(heard.at, respond=extras.respond))
        pressed = isinstance(heard.input, Pressed | Filled)  # not yet: perhaps they may not press there
        if key.thread and not pressed:
            self._statuses.show(key, None, working=True)
        try:
            heard = await let_in(surface, self.services.connections, heard)
        except TurnedAway as why:
            await send_refusal(surface, heard, str(why) + _words_lost(heard), refusal)
            if key.thread and not pressed:
                await self._rest(key)
            return None
        if key.thread:
            return heard
        heard = await surface.begin(heard, again)
        await self.queue.moved(heard)
        self._statuses.show(heard.key, None, working=True)
        return heard

    async def _answer(self, delivery: Delivery) -> bool:
        """Have the core work on the input; returns whether the person has an answer."""
        incoming = delivery.incoming
        key = incoming.key
        if not await self._may_begin(incoming):
            return True
        running, left = await self._running_in(key)
        if wants_stop(incoming) and (running or isinstance(incoming.input, Pressed)):
            await self._stop(key, incoming.user, delivery.refusal)
            return True
        if running is None:
            self._running[key] = delivery
        try:
            for channel, id in left:
                delivery.progress = Posted(channel, id)
            if await self._is_stopped(incoming):
                await delivery(Reply((Text(STOPPED_AS_ASKED, "quiet"),), beside=True))
            else:
                await self.turns.handle(incoming, delivery)
            if not delivery.answered:
                await catch_up(delivery, self.turns)
        except NotBegun:
            delivery.put_off = True
            raise
        finally:
            try:
                await delivery.close()
            finally:
                if running is None:
                    del self._running[key]
                delivery.over.set()
        if running is None and not delivery.turned_away:
            await self._rest(key)
            self._tell_approvers(key)
        return delivery.answered

    async def _running_in(self, key: ThreadKey) -> tuple[Delivery | None, list[tuple[str, str]]]:
        """Return what the core works on in a thread; if that is nothing, progress that a killed process left."""
        while True:
            while (running := self._running.get(key)) and not self.turns.is_working(key):
                await running.over.wait()  # its answer is on its way: who sees that already may go on at once
            if running:
                return running, []
            left = await call_in_order(self.reply_sender.shown.begun, key)
            if key not in self._running:
                return None, left

    async def _may_begin(self, incoming: Incoming) -> bool:
        """Wait for what an input has to let pass; returns whether it is worked on then, as what is out of date is not.

        Several changes of a message wake in any order: the last one says what is asked.
        """
        if isinstance(incoming.input, Changed):
            await self._make_way(incoming, incoming.input)
            return self._is_latest(incoming, incoming.input)
        if (running := self._running.get(incoming.key)) and await self._is_doubtful(running.incoming, incoming):
            with suppress(TimeoutError):
                await asyncio.wait_for(running.over.wait(), REFUSED_WITHIN_SECONDS)
        return True

    async def _is_stopped(self, incoming: Incoming) -> bool:
        """Return whether Stop was pressed before an input was begun, or while a process that died worked on it."""
        waiting = await call_in_order(self.inbox.of_thread, incoming.key)
        events = [heard.event for heard in waiting]
        later = waiting[events.index(incoming.event) + 1 :] if incoming.event in events else []
        stops = [each.event for each in later if isinstance(each.input, Pressed) and each.input.answer == "stop"]
        for event in stops:
            await call_in_order(self.inbox.done, event)
        return bool(stops)

    async def _is_doubtful(self, first: Incoming, incoming: Incoming) -> bool:
        """Return whether somebody presses while another person's press is worked on who may not press there."""
        given, key = first.input, first.key
        if not isinstance(given, Pressed) or not isinstance(incoming.input, Pressed) or wants_stop(incoming):
            return False
        question = await call_in_order(self.reply_sender.shown.question, key)
        asks = asks_in(question.reply) if question else []
        options = [option for ask in asks if not isinstance(ask, Form) for option in ask.options]
        if only := next((option.only for option in options if option.answer == given.answer), ()):
            return first.user.id not in only
        memory = await asyncio.to_thread(self.reply_sender.router.memory, key)
        return bool(memory and memory.owner and memory.owner.id != first.user.id)

    def _is_latest(self, incoming: Incoming, given: Changed) -> bool:
        """Return whether a message was not changed again since then."""
        return self._latest_changes.get(given.of, incoming.event) == incoming.event

    async def _make_way(self, incoming: Incoming, given: Changed) -> None:
        """Wait until nothing is under way in the thread of a changed question, whose SQL is not written any further."""
        key, router = incoming.key, self.reply_sender.router
        while (running := self._running.get(key)) and self._is_latest(incoming, given):
            writes = await asyncio.to_thread(router.is_drafting, key, given.of)
            if self._running.get(key) is not running:
                continue
            if writes:
                self.turns.withdraw(key)
                # What was changed is in the inbox in its place.
                await call_in_order(self.inbox.done, running.incoming.event)
            elif not given.text and self.turns.is_working_on(key, given.of):
                await self._stop(key, incoming.user)
                await running.over.wait()
            with suppress(TimeoutError):
                await asyncio.wait_for(running.over.wait(), WRITING_CHECK_SECONDS)

    def _show_at_work(self, key: ThreadKey) -> None:
        """Have the platform show that a press is worked on, if that takes longer than a moment."""
        self._statuses.show(key, None, working=True, after=PRESS_SHOWS_ITSELF_SECONDS)

    def _tell_approvers(self, key: ThreadKey | None = None) -> None:
        """Have those be told for whom a talk waits, or waited; nobody waits for that."""
        if approvers := self.reply_sender.approvers:
            self.spawn(approvers.tell(key))

    async def _rest(self, key: ThreadKey) -> None:
        """Have the platform show what the thread stands at now that nothing is done in it."""
        if key not in self._running:
            memory = await asyncio.to_thread(self.reply_sender.router.memory, key)
            self._statuses.show(key, memory, working=False)


def _words_lost(heard: Heard) -> str:
    """Return the words of a question that stand nowhere, as a command or a form leaves none, to be sent again."""
    given = heard.input
    return "" if heard.key.thread or not isinstance(given, Said) else YOUR_QUESTION.format(given.text)


def _incoming(heard: Heard) -> Incoming:
    return Incoming(heard.key, heard.user, heard.input, heard.event, heard.shared, heard.quoted)
