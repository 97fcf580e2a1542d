"""The engine: takes one input through the table of stages, and saves before anything is answered."""

from router.cards import Buttons, Card, Option, Reply, Text
from router.commands import begin_again, command_of, obey
from router.errors import BotError, NotAllowed, NotHere, PutOff, Stopped, logged
from router.flow import FLOW
from router.gate import answer_to, clean, demand_fresh, demand_short, is_new, known_better, unseen, who_answered
from router.handoff import settle
from router.labels import labelled
from router.lasting import answer_lasting
from router.machine import Ask, End, Flow, Handler, Work, demand_owner
from router.memory import Decision, Memory, Step, ThreadKey, User
from router.news import repeat
from router.offers import note_offers
from router.past import Past
from router.policy import demand_channel, demand_stop, examples, may_stop
from router.posting import Post, surely
from router.repeats import Repeats
from router.stages.acting import unanswered
from router.stopping import SHUT_DOWN, Stopping
from router.store import Store
from router.struggling import note_try
from router.turn import Filled, Incoming, Opened, Pressed, Said, Tools, Turn

STEPS_BACK = 12


class Router:
    """The deterministic core, one for all talks; many threads may call `turn`, each talk once at a time."""

    def __init__(self, store: Store, tools: Tools, flow: Flow = FLOW) -> None:
        self._store, self._tools, self._flow = store, tools, flow
        self.past, self.repeats = Past(store, tools), Repeats(tools)

    def turn(self, incoming: Incoming, post: Post, stopping: Stopping | None = None) -> None:
        """Work on one input and post what there is to show; through `stopping`, another thread ends it early.

        Whatever goes wrong is a sentence in the talk; a reply that cannot be posted is logged, and the work goes on.
        Raises PutOff where the process ends: the input is to be worked on again at the next start.
        """
        incoming, post = clean(incoming), surely(post)
        try:
            memory = self._store.load(incoming.key) or Memory()
        except Exception:
            post(Reply((Text(logged("remembering a talk") + " Please begin a new conversation.", "problem"),)))
            return
        turn = Turn(incoming, memory, self._tools, post, stopping=stopping or Stopping())
        turn.post = lambda reply: post(labelled(turn, reply))
        turn.keep = lambda: self._store.save(incoming.key, unseen(turn))
        if not is_new(turn, isinstance(self._flow[memory.stage].handler, Work)):
            return
        try:
            demand_channel(incoming.key, self._tools.connections.channels, incoming.shared)
            self._take(turn)
        except NotHere as error:
            post(Reply((Text(str(error), "problem"),), to=incoming.user.id, refused=str(error)))
        except PutOff:
            raise
        except BotError as error:
            self._repeat(turn, error)
        except Exception:
            self._repeat(turn, BotError(logged("taking an answer")))

    def busy(self, incoming: Incoming, first: Incoming) -> Reply:
        """Return what a second input is told while the first is being worked on."""
        user, author = incoming.user, first.user
        if who := who_answered(incoming, first):
            sentence = f"{who} just now, and I am working on it. If nothing comes of it, press again."
        elif not may_stop(user, self._owner(first), author):
            sentence = "I am working on a question of somebody else here."
        else:
            what = "your last message" if user.id == author.id else f"what {author.name or 'somebody else'} answered"
            sentence = f"I am still working on {what}. Press Stop to end that; then tell me this again."
        return Reply((Text(sentence, "quiet"),), to=user.id, refused=sentence)

    def demand_stop(self, incoming: Incoming, first: Incoming) -> None:
        """Do nothing if the author of an input may end the work on the first one; raises NotAllowed."""
        demand_stop(incoming.user, self._owner(first), first.user)

    def _owner(self, first: Incoming) -> User:
        """Return who began the talk that an input is worked on in."""
        return (self.memory(first.key) or Memory()).owner or first.user

    def memory(self, key: ThreadKey) -> Memory | None:
        """Return what is remembered of a thread."""
        return self._store.load(key)

    def _take(self, turn: Turn) -> None:
        memory = turn.memory
        settle(turn)
        row = self._flow[memory.stage]
        handler = row.handler
        if answer_lasting(turn, row, self._store.save):
            if isinstance(turn.incoming.input, Said):
                self._show(turn)
            return
        if isinstance(handler, Work) and handler.durable:
            self._go_on(turn, handler)
            return
        if isinstance(handler, Work):
            demand_owner(turn)
            self._resume(turn, handler)
            return
        demand_fresh(turn)
        opened = isinstance(turn.incoming.input, Opened)
        memory.offer = memory.offer if opened else None
        if memory.stage == self._flow.end:
            if opened:
                return
            demand_owner(turn)
            begin_again(memory, self._flow)
        row = self._flow[memory.stage]
        assert isinstance(row.handler, Ask)
        memory.owner = known_better(memory.owner, turn.user)
        row.handler.demand_right(turn)
        demand_short(turn)
        if opened:
            repeat(turn)
            self._show(turn)
            return
        command = command_of(turn, row.handler)
        # A stage's own word goes before a command of the same name.
        if command and command not in row.to:
            obey(turn, command, row.handler, self._flow)
            self._show(turn)
            return
        begun, number = memory.stage, memory.turn
        word = row.handler.answer(turn)
        pressed = isinstance(turn.incoming.input, Pressed | Filled)
        if pressed:
            memory.decided = Decision(number, turn.user, self._tools.clock())
        self._advance(turn, word)
        self._show(turn, instead=pressed and row.handler.replaces and memory.stage == begun)

    def _advance(self, turn: Turn, word: str) -> None:
        """Follow the table from outcome to outcome until a person is to be asked."""
        memory = turn.memory
        while True:
            memory.stage = self._flow[memory.stage].to[word]
            handler = self._flow[memory.stage].handler
            if isinstance(handler, Work):
                word = self._work(turn, handler)
                note_try(turn, word)
            elif isinstance(handler, Ask) and (settled := handler.settle(turn)) is not None:
                word = settled
            else:
                return

    def _work(self, turn: Turn, handler: Work) -> str:
        # What a kill leaves behind is this stage: it is reported, and never repeated unasked.
        self._store.save(turn.incoming.key, turn.memory)
        try:
            turn.progress(handler.doing)
            word = handler.work(turn)
            turn.achieved = turn.memory.stage
            return word
        except Stopped as error:
            if handler.durable and turn.stopping.why == SHUT_DOWN:
                raise PutOff from None
            turn.note(turn.stopping.why or str(error), "problem")
        except BotError as error:
            turn.note(str(error), "problem")
        except Exception:
            turn.note(logged(handler.doing), "problem")
        turn.achieved = None
        return handler.failed(turn)

    def _go_on(self, turn: Turn, handler: Work) -> None:
        """Wait for the job that a stopped process left behind: it was approved, and is done once."""
        if isinstance(turn.incoming.input, Said):
            turn.note("Please say that once more: I was still at work, and did not take your message.", "quiet")
        self._advance(turn, self._work(turn, handler))
        self._show(turn)

    def _resume(self, turn: Turn, handler: Work) -> None:
        """Report a step that a stopped process left behind, and offer it again; it is never repeated unasked."""
        turn.record("interrupted", sql=turn.memory.draft.sql)
        turn.note(
            f"I was interrupted at this step: {handler.doing.rstrip('…')}. "
            "It was not repeated; everything before it is kept.",
            "problem",
        )
        if isinstance(turn.incoming.input, Said):
            turn.note("Please answer once more: I did not take your message as an answer.", "quiet")
        self._advance(turn, handler.failed(turn))
        self._show(turn)

    def _show(self, turn: Turn, instead: bool = False, refused: str = "", same: bool = False) -> None:
        """Ask the stage's question, once it is saved, under a new number unless it is the `same`."""
        memory = turn.memory
        handler = self._flow[memory.stage].handler
        cards, to = self._cards(turn, handler)
        note_offers(turn, turn.notes)
        memory.turn += not same
        memory.asked = memory.asked if same else self._tools.clock()
        errands = (memory.writing, memory.mailing, memory.repeating, memory.comparing)
        step = Step(memory.stage, memory.place, memory.draft, memory.answer, *errands)
        if isinstance(handler, Ask) and handler.passing:
            pass
        elif isinstance(handler, Ask) and (not memory.trail or memory.trail[-1].stage != memory.stage):
            memory.trail = [*memory.trail, step][-STEPS_BACK:]
        elif memory.trail:
            memory.trail[-1] = step
        self._store.save(turn.incoming.key, memory)
        begun = examples(turn.tools.connections, turn.owner) if isinstance(handler, Ask) and handler.begins else ()
        shown = (*turn.notes, *cards)
        turn.post(Reply(shown, turn=memory.turn, replace=instead, to=to, refused=refused, suggestions=begun))

    def _cards(self, turn: Turn, handler: Handler) -> tuple[tuple[Card, ...], str]:
        """Return what is to be shown, and the id of the only person who may see it."""
        # Where that cannot be known, the owner alone may.
        to = turn.owner.id if turn.incoming.shared else ""
        try:
            if isinstance(handler, End):
                return handler.farewell(turn), ""
            to = _asking(handler).only_for(turn)
            return _asking(handler).ask(turn), to
        except BotError as error:
            turn.note(str(error), "problem")
        except Exception:
            turn.note(logged("showing the question"), "problem")
        return (Buttons("How shall we go on?", (Option("back", "Back"), Option("restart", "Start over"))),), to

    def _repeat(self, turn: Turn, error: BotError) -> None:
        """Say what was wrong and show the question that stands; where that cannot be either, a sentence says so."""
        try:
            self._show_saved(turn, error)
        except Exception:
            sentence = logged("showing where we are")
            turn.post(Reply((Text(sentence, "problem"),), to=turn.user.id, refused=sentence))

    def _show_saved(self, turn: Turn, error: BotError) -> None:
        """Show the question that stands as it was saved: nothing is lost."""
        if turn.owner.id != turn.user.id:
            turn.post(Reply((Text(str(error), "problem"),), to=turn.user.id, refused=str(error)))
            return
        saved = self._store.load(turn.incoming.key) or Memory(owner=turn.user)
        saved.seen = turn.memory.seen
        turn.memory, turn.notes = saved, []
        refusal = unanswered(turn, error)
        turn.notes += [answer_to(turn, refusal)] if refusal else []
        if isinstance(handler := self._flow[saved.stage].handler, Work):
            self._advance(turn, handler.failed(turn))
        # A press that was refused decided nothing: the buttons that others see stay good.
        self._show(turn, refused=str(refusal or ""), same=isinstance(error, NotAllowed))


def _asking(handler: Handler) -> Ask:
    assert isinstance(handler, Ask)
    return handler
