"""The engine: takes one input through the table of stages, and saves before anything is answered."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace

from router.cards import Buttons, Card, Chart, Code, File, Form, Option, Reply, Table, Text
from router.errors import BotError, NotAllowed, PutOff, Stale, Stopped, WrongChannel, log_bug, sentence_of
from router.flow import FLOW
from router.handoff.handoff import note_try, report_interrupted
from router.interactions.changed_questions import (
    RUN_ALREADY,
    WITHDRAWN_CHANGED,
    WITHDRAWN_DELETED,
    find_taken,
    is_at_hand,
    mark_settled,
    note_question,
    take_back,
)
from router.interactions.commands import begin_again, go_on_after_end, run_command
from router.interactions.history import History
from router.interactions.persistent_buttons import answer_persistent, note_pending
from router.interactions.recognisers import RECOGNISERS, Answered, Beside, Obeyed, Recogniser, Refused, recognise
from router.interactions.result_buttons import SIDE_EXPORTS, is_on_show, pressed_result, remember_result, take_up
from router.interactions.validation import (
    answer_to,
    is_new,
    owner_today,
    require_fresh,
    require_short,
    who_answered,
    without_courtesy,
    without_event,
    without_surrogates,
)
from router.jobs.cancellation import SHUT_DOWN, WITHDRAWN, Stopping
from router.machine import Ask, End, Flow, Handler, Work, require_owner
from router.memory.draft import User
from router.memory.stage import Stage
from router.memory.thread import Decision, Memory, PastResult, ThreadKey, step_of
from router.observing.spans import span
from router.policy import may_stop, require_channel, require_stop
from router.schedules.listing import ScheduleList
from router.services import Services
from router.stages.shown import only_for
from router.storage.threads import ThreadStore
from router.turn import Changed, Filled, Incoming, Opened, Pressed, Said, Turn, repeat_notes
from router.understanding.kinds import kind_of

log = logging.getLogger("icc_bot")

Post = Callable[[Reply], None]

STEPS_BACK_KEPT = 12

# Sensitivity labels: those of the databases that the rows and the SQL of a reply come from.


def label_reply(turn: Turn, reply: Reply) -> Reply:
    """Return the reply with the sensitivity of what is in it, and with what stands on every card."""
    connections = turn.services.connections
    names = [_origin(card, turn.memory.place.connection) for card in reply.cards]
    answer = turn.memory.answer
    shown = any(
        isinstance(card, Table | Chart | File) or (isinstance(card, Text) and card.connection) for card in reply.cards
    )
    names += answer.others if answer and shown else ()
    labels = [connections.notice, *(connections[name].sensitivity for name in names if name in connections)]
    return replace(reply, sensitivity=", ".join(dict.fromkeys(filter(None, labels))))


def _origin(card: Card, at_hand: str) -> str:
    """Return the connection that a card shows something of; empty for a card that shows nothing of any."""
    match card:
        case Table(connection=name) | Chart(connection=name) | File(connection=name) | Text(connection=name):
            return name
        case Code(connection=name):
            return name or at_hand
        case Form(fields=fields) if any(field.kind == "code" and field.value for field in fields):
            return at_hand
        case _:
            return ""


# Posting: a platform that cannot be reached does not hold up the work.


def logging_failures(post: Post) -> Post:
    """Return what posts the same, and logs what cannot be posted."""

    def posted(reply: Reply) -> None:
        try:
            post(reply)
        except Exception:
            log.exception("a reply could not be posted")

    return posted


class Router:
    """The deterministic core, one for all talks; many threads may call `turn`, each talk once at a time."""

    def __init__(
        self,
        store: ThreadStore,
        services: Services,
        flow: Flow = FLOW,
        recognisers: Sequence[Recogniser] = RECOGNISERS,
    ) -> None:
        self._store, self._services, self._flow, self._recognisers = store, services, flow, recognisers
        self.history, self.schedules = History(store, services), ScheduleList(services)

    def turn(self, incoming: Incoming, post: Post, stopping: Stopping | None = None) -> None:
        """Work on one input and post what there is to show; through `stopping`, another thread ends it early.

        Whatever goes wrong is a sentence in the talk; a reply that cannot be posted is logged, and the work goes on.
        Raises PutOff if the process ends, or nothing can be kept: the input is to be worked on again later.
        """
        incoming, post = without_surrogates(incoming), logging_failures(post)
        try:
            memory = self._store.load(incoming.key) or Memory()
        except PutOff:
            raise
        except Exception:
            post(Reply((Text(log_bug("remembering a talk") + " Please begin a new conversation.", "problem"),)))
            return
        turn = Turn(incoming, memory, self._services, post, stopping=stopping or Stopping(), origin=incoming.input)
        turn.before = step_of(memory)

        def show(reply: Reply) -> None:
            note_pending(turn, reply.cards)
            post(label_reply(turn, reply))

        turn.post = show
        turn.flush = lambda: self._store.save(incoming.key, without_event(turn))
        turn.undo = lambda: self._undo(turn)
        if not is_new(turn, isinstance(self._flow[memory.stage].handler, Work)):
            return
        try:
            require_channel(incoming.key, self._services.connections.channels, incoming.shared)
            if isinstance(incoming.input, Changed) and not self._change(turn, incoming.input):
                return
            turn.typed = turn.text
            turn.courtesy = without_courtesy(turn)
            self._take(turn)
        except WrongChannel as error:
            post(Reply((Text(str(error), "problem"),), to=incoming.user.id, refused=str(error)))
        except PutOff:
            raise
        except BotError as error:
            self._repeat(turn, error)
        except Exception:
            self._repeat(turn, BotError(log_bug("taking an answer")))

    def busy(self, incoming: Incoming, first: Incoming) -> Reply:
        """Return what a second input is told while the first is being worked on."""
        user, author = incoming.user, first.user
        if who := who_answered(incoming, first):
            sentence = f"{who} just now. I'm working on it."
        elif not may_stop(user, self._owner(first), author):
            sentence = "I'm working on somebody else's question here."
        else:
            what = "your last message" if user.id == author.id else f"what {author.name or 'somebody else'} answered"
            sentence = f"I'm still working on {what}. Press Stop to end that, then send this again."
        return Reply((Text(sentence, "quiet"),), to=user.id, refused=sentence)

    def require_stop(self, incoming: Incoming, first: Incoming) -> None:
        """Raise NotAllowed unless the author of an input may end the work on the first one."""
        require_stop(incoming.user, self._owner(first), first.user)

    def _owner(self, first: Incoming) -> User:
        """Return who began the talk that an input is worked on in."""
        return (self.memory(first.key) or Memory()).owner or first.user

    def is_drafting(self, key: ThreadKey, event: str) -> bool:
        """Return whether SQL or the like is being written just now for the question that came with this event."""
        memory = self.memory(key)
        handler = self._flow[memory.stage].handler if memory else None
        return bool(memory and isinstance(handler, Work) and handler.drafts_sql and is_at_hand(memory, event))

    def _change(self, turn: Turn, given: Changed) -> bool:
        """Take back a question whose message was changed or deleted; return whether the new words need work."""
        memory = turn.memory
        taken = find_taken(memory, given.of)
        if taken is None or taken.by != turn.user.id or (given.text.strip() == taken.text and not taken.withdrawn):
            return False
        if taken.settled:
            turn.note(RUN_ALREADY, "quiet")
            if kind_of(given.text) == "neither":
                self._store.save(turn.incoming.key, memory)
                turn.post(Reply(tuple(turn.notes), beside=True))
                return False
            if taken.before.answer is None and not isinstance(self._flow[memory.stage].handler, Work):
                begin_again(memory, self._flow)  # in other words, it follows its own result no more than it did
        elif is_at_hand(memory, given.of) and self._waits(memory):
            take_back(memory, taken)
            turn.requests.clear()
            self._stand(turn)
            turn.flush()
            said = Text(WITHDRAWN_CHANGED if given.text else WITHDRAWN_DELETED)
            turn.post(Reply((said,), beside=True, replace=True))
        turn.before = step_of(memory)
        turn.incoming = replace(turn.incoming, input=Said(given.text))
        return bool(given.text.strip())

    def _waits(self, memory: Memory) -> bool:
        """Return whether the question at hand is worked on, or its card waits for an answer."""
        handler = self._flow[memory.stage].handler
        return isinstance(handler, Work) or (
            isinstance(handler, Ask) and not handler.begins and memory.stage != Stage.SHOW_RESULTS
        )

    def memory(self, key: ThreadKey) -> Memory | None:
        """Return what is remembered of a thread."""
        return self._store.load(key)

    def _take(self, turn: Turn) -> None:
        memory = turn.memory
        report_interrupted(turn)
        row = self._flow[memory.stage]
        handler = row.handler
        if answer_persistent(turn, row):
            if isinstance(turn.incoming.input, Said):
                self._show(turn)
            return
        if isinstance(handler, Work) and handler.durable:
            self._go_on(turn, handler)
            return
        if isinstance(handler, Work):
            require_owner(turn)
            if handler.drafts_sql and not memory.rewritten:
                self._rewrite(turn, handler)
            else:
                self._resume(turn, handler)
            return
        if self._take_up(turn):
            return
        require_fresh(turn)
        opened = isinstance(turn.incoming.input, Opened)
        memory.offer = memory.offer if opened else None
        if memory.stage == self._flow.end:
            if opened:
                return
            require_owner(turn)
            go_on_after_end(turn, self._flow)
        row = self._flow[memory.stage]
        assert isinstance(row.handler, Ask)
        turn.typed_at = self._flow.typed_at.get(memory.stage, "ask")
        memory.owner = owner_today(memory.owner, turn.user)
        row.handler.require_right(turn)
        require_short(turn)
        if opened:
            repeat_notes(turn)
            memory.view = ""
            self._show(turn)
            return
        self._recognise(turn)

    def _take_up(self, turn: Turn) -> bool:
        """Go to the result whose button was pressed; return whether that was done beside the question that stands."""
        memory, given = turn.memory, turn.incoming.input
        if isinstance(given, Filled) and given.answer:
            turn.filled = dict(given.values)
            turn.incoming = replace(turn.incoming, input=Pressed(given.answer, given.turn))
        pressed = pressed_result(turn)
        if pressed is None:
            return False
        word, past = pressed
        if not is_on_show(memory, past):
            if word in SIDE_EXPORTS:
                self._hand_over(turn, word, past)
                return True
            take_up(memory, past)
        turn.incoming = replace(turn.incoming, input=Pressed(word, memory.turn)) if word else turn.incoming
        return False

    def _hand_over(self, turn: Turn, word: str, past: PastResult) -> None:
        """Show a file or a chart of an earlier result; the talk stays where it is."""
        memory = turn.memory
        at_hand, memory.answer, memory.form = memory.answer, past.answer, word
        try:
            handler = self._flow[Stage.DRAW_CHART if word == "chart" else Stage.WRITE_FILE].handler
            assert isinstance(handler, Work)
            to = only_for(turn)
            turn.progress(handler.doing)
            handler.work(turn)
        finally:
            memory.answer = at_hand
        self._store.save(turn.incoming.key, memory)
        turn.post(Reply(tuple(turn.notes), beside=True, to=to))

    def _recognise(self, turn: Turn) -> None:
        """Ask the list once what the input is, and do what that means."""
        memory = turn.memory
        begun, number, view = memory.stage, memory.turn, memory.view
        row = self._flow[begun]
        handler = row.handler
        assert isinstance(handler, Ask)
        meaning = recognise(turn, handler, row.to, self._recognisers)
        match meaning:
            case Obeyed(command):
                run_command(turn, command, handler, self._flow)
                # A list to read asks nothing: what stands stays as it is, and nobody is greeted again.
                if command == "glossary":
                    self._show_beside(turn)
                else:
                    self._show(turn, concludes=turn.memory.stage != begun)
            case Beside():
                self._show_beside(turn)
            case Refused(error):
                self._repeat(turn, error)
            case Answered(word):
                pressed = isinstance(turn.incoming.input, Pressed | Filled)
                if pressed:
                    memory.decided = Decision(number, turn.user, self._services.clock())
                self._advance(turn, word)
                asked = self._flow[memory.stage].handler
                if isinstance(asked, Ask) and turn.take_filled(asked.fields):
                    self._recognise(turn)
                elif turn.goes_on and isinstance(asked, Ask):
                    turn.goes_on, turn.typed_at = False, self._flow.typed_at.get(memory.stage, "ask")
                    self._recognise(turn)
                elif turn.answered and not pressed and memory.stage == begun:
                    self._show_beside(turn)
                else:
                    instead = pressed and handler.redraws_in_place and memory.stage == begun and bool(view)
                    self._show(turn, instead=instead, concludes=memory.stage != begun)

    def _advance(self, turn: Turn, word: str) -> None:
        """Follow the table from outcome to outcome until a person is to be asked."""
        memory = turn.memory
        while True:
            begun, memory.stage = memory.stage, self._flow[memory.stage].to[word]
            handler = self._flow[memory.stage].handler
            with span("stage", memory.stage.value, from_=begun.value, outcome=word, to=memory.stage.value):
                if isinstance(handler, Work):
                    word = self._work(turn, handler)
                    note_try(turn, handler.achieves, word)
                elif isinstance(handler, Ask) and (settled := handler.decide_unasked(turn)) is not None:
                    word = settled
                else:
                    return

    def _work(self, turn: Turn, handler: Work) -> str:
        # What a kill leaves behind is this stage: it is reported, and only what touches nothing is done again.
        note_question(turn)
        self._stand(turn)
        self._store.save(turn.incoming.key, turn.memory)
        try:
            turn.progress(handler.doing, handler.step)
            word = handler.work(turn)
            turn.achieved = handler.achieves
            return word
        except Stopped as error:
            why = turn.stopping.why
            if handler.drafts_sql and why == SHUT_DOWN:  # as the process was told to: no fault of this step
                self._store.save(turn.incoming.key, replace(turn.memory, rewritten=False))
            if (handler.durable and why == SHUT_DOWN) or (handler.drafts_sql and why in (SHUT_DOWN, WITHDRAWN)):
                raise PutOff from None
            turn.note(turn.stopping.why or str(error), "problem")
        except Exception as error:
            turn.note(sentence_of(error, handler.doing), "problem")
        turn.achieved = None
        return handler.failed(turn)

    def _stand(self, turn: Turn) -> None:
        """Keep whom the talk waits for now, and what became of those that it waited for before."""
        memory, approvals = turn.memory, self._services.approvals
        wanted = list(dict.fromkeys(each.digest for each in turn.requests))
        if approvals and (wanted or memory.awaits):
            approvals.stand(turn.incoming.key, turn.requests, turn.user if turn.approved else None)
        memory.awaits = wanted
        if turn.approved:
            mark_settled(memory)

    def _go_on(self, turn: Turn, handler: Work) -> None:
        """Wait for the job that a stopped process left behind: it was approved, and is done once."""
        if isinstance(turn.incoming.input, Said):
            turn.note("Please send that again: I was still working and didn't take your message.", "quiet")
        self._advance(turn, self._work(turn, handler))
        self._show(turn)

    def _rewrite(self, turn: Turn, handler: Work) -> None:
        """Do a step again that a stopped process left behind and that touched nothing; once, lest it kills each one."""
        turn.record("interrupted", sql=turn.memory.draft.sql)
        turn.memory.rewritten = True
        if isinstance(turn.incoming.input, Said) and not turn.repeated:
            turn.note("Please send that again: I was still working and didn't take your message.", "quiet")
        self._advance(turn, self._work(turn, handler))
        self._show(turn)

    def _resume(self, turn: Turn, handler: Work) -> None:
        """Report a step that a stopped process left behind, and offer it again; it is never repeated unasked."""
        turn.record("interrupted", sql=turn.memory.draft.sql)
        turn.note(
            f"I was interrupted while I was at this step: {handler.doing.rstrip('…')}. "
            "It wasn't repeated, and everything before it is kept.",
            "problem",
        )
        if isinstance(turn.incoming.input, Said) and not turn.repeated:
            turn.note("Please answer again: I didn't take your message as an answer.", "quiet")
        self._advance(turn, handler.failed(turn))
        self._show(turn)

    def _show(
        self, turn: Turn, instead: bool = False, refused: str = "", same: bool = False, concludes: bool = False
    ) -> None:
        """Ask the stage's question, once it is saved, under a new number unless it is the `same`.

        If there is none, as a result is on show already, what is noted is said; if that `concludes` what the
        question before was about, it takes its place.
        """
        memory = turn.memory
        handler = self._flow[memory.stage].handler
        turn.requests.clear()
        cards, to = self._cards(turn, handler)
        note_pending(turn, turn.notes)
        note_question(turn)
        memory.turn += not same
        memory.asked = memory.asked if same else self._services.clock()
        step = step_of(memory)
        if isinstance(handler, Ask) and handler.skipped_by_back:
            pass
        elif isinstance(handler, Ask) and handler.is_further(turn):
            memory.trail = [*memory.trail, step][-STEPS_BACK_KEPT:]
        elif memory.trail:
            memory.trail[-1] = step
        if memory.stage == Stage.SHOW_RESULTS:
            remember_result(memory)
        memory.rewritten = False
        self._stand(turn)
        self._store.save(turn.incoming.key, memory)
        wrong = turn.field_at_hand if refused else ""
        if not cards and not isinstance(handler, End):  # what is on show stands, with its buttons
            cards = tuple(turn.notes)
            turn.post(Reply(cards, beside=True, replace=concludes, to=to, refused=refused, refused_field=wrong))
            return
        suggested = handler.suggestions(turn) if isinstance(handler, Ask) else ()
        shown = (*turn.notes, *cards)
        asked = Reply(shown, turn=memory.turn, replace=instead, to=to, suggestions=suggested)
        turn.post(replace(asked, refused=refused, refused_field=wrong))

    def _show_beside(self, turn: Turn) -> None:
        """Answer a sentence beside the question that stands; its card is not shown again."""
        handler = self._flow[turn.memory.stage].handler
        note_pending(turn, turn.notes)
        self._store.save(turn.incoming.key, turn.memory)
        to = handler.only_for(turn) if isinstance(handler, Ask) else ""
        turn.post(Reply(tuple(turn.notes), beside=True, to=to))

    def _cards(self, turn: Turn, handler: Handler) -> tuple[tuple[Card, ...], str]:
        """Return what is to be shown, and the id of the only person who may see it."""
        # If that cannot be known, the owner alone may.
        to = turn.owner.id if turn.incoming.shared else ""
        try:
            if isinstance(handler, End):
                return handler.farewell(turn), ""
            assert isinstance(handler, Ask)
            to = handler.only_for(turn)
            return handler.ask(turn), to
        except Exception as error:
            turn.note(sentence_of(error, "showing the question"), "problem")
        return (Buttons("What's next?", (Option("back", "Back"), Option("restart", "Start over"))),), to

    def _undo(self, turn: Turn) -> None:
        """Have the talk be as it was saved: nothing is lost."""
        saved = self._store.load(turn.incoming.key) or Memory(owner=turn.user)
        saved.seen = turn.memory.seen
        turn.memory, turn.notes, turn.asks = saved, [], False
        turn.typed_at = self._flow.typed_at.get(saved.stage, "ask")

    def _repeat(self, turn: Turn, error: BotError) -> None:
        """Say what was wrong and show the question that stands; if that cannot be either, a sentence says so."""
        try:
            self._show_saved(turn, error)
        except Exception as error:
            sentence = sentence_of(error, "showing where we are")
            turn.post(Reply((Text(sentence, "problem"),), to=turn.user.id, refused=sentence))

    def _show_saved(self, turn: Turn, error: BotError) -> None:
        """Show the question that stands as it was saved, below what is said of the input."""
        if turn.owner.id != turn.user.id:
            turn.post(Reply((Text(str(error), "problem"),), to=turn.user.id, refused=str(error)))
            return
        self._undo(turn)
        handler = self._flow[turn.memory.stage].handler
        if isinstance(error, Stale):  # they may not have seen what came of it, as after a kill
            repeat_notes(turn)
        turn.notes.append(answer_to(error))
        if isinstance(handler, Work):
            self._advance(turn, handler.failed(turn))
        same = isinstance(error, NotAllowed) or (bool(turn.memory.awaits) and not isinstance(error, Stale))
        self._show(turn, refused=str(error), same=same)  # a refusal decides nothing: others' buttons stay good
