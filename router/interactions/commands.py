"""The words that work at every step, whatever is asked there."""

from dataclasses import replace
from typing import Literal

from router.cards import Reply
from router.handoff.handoff import hand_off
from router.interactions.result_buttons import refers_back, take_up
from router.language.phrases import begins_with, without_beginning
from router.machine import Ask, Flow
from router.memory.draft import Draft, Place
from router.memory.stage import Stage
from router.memory.thread import Memory, Tasks
from router.memory.understanding import Understanding
from router.schedules.listing import ScheduleList
from router.stages.naming import place_after
from router.stages.planned_steps import left_out
from router.stages.query import NeedSql
from router.stages.shown import answer_of
from router.stages.side_questions import heard
from router.teaching.glossary_chat import learn
from router.teaching.save_example import listed, preview
from router.turn import Said, Turn
from router.understanding.categories import Category
from router.understanding.short_wishes import example_wished, human_wished

Command = Literal[
    "help",
    "back",
    "restart",
    "cancel",
    "refresh",
    "done",
    "schedules",
    "examples",
    "keep",
    "glossary",
    "learn",
    "human",
]

HELP = (
    "Anywhere: `back`, `restart`, `cancel`, `refresh` (reads the tables anew), `glossary` (what words mean here), "
    "`schedules`, `human` (asks people who know the data), `done`, `help`."
)

SCHEDULES_PRIVATELY = "I sent you your schedules in a direct message."

EXAMPLES_PRIVATELY = "The examples are in your own messages with me."

PREVIEW_PRIVATELY = "What can be kept as an example is in your own messages with me."


def command_typed(turn: Turn) -> Command | None:
    """Return which command was typed or pressed in a word, or None."""
    if isinstance(turn.incoming.input, Said):
        if example_wished(turn.text) is not None:
            return "keep"
        if human_wished(turn.text) is not None:
            return "human"
        if _ends_schedule(turn):
            return "schedules"
    return turn.word(
        "help", "back", "restart", "cancel", "refresh", "done", "schedules", "examples", "glossary", "human"
    )


def _ends_schedule(turn: Turn) -> bool:
    """Return whether a sentence ends what is repeated: "stop the monday report"; which one, the list asks."""
    if turn.memory.tasks.repeating or not begins_with("talk.ending", without_beginning("talk.asking_for", turn.text)):
        return False
    return heard(turn).category == Category.SCHEDULE


def run_command(turn: Turn, command: Command, handler: Ask, flow: Flow) -> None:
    """Change what is remembered as the command says; the caller then asks what stands."""
    memory = turn.memory
    match command:
        case "help":
            turn.note(f"{handler.help}\n{HELP}")
            turn.answered_as = Category.HELP
        case "back":
            _step_back(turn, 1 if handler.skipped_by_back else 2, flow)
        case "restart":
            begin_again(memory, flow)
            memory.place = Place()
        case "refresh":
            if memory.place.connection:
                turn.services.catalog.refresh(memory.place.connection)
            turn.note("I'll read the tables again for your next question.", "quiet")
        case "schedules" | "examples" | "keep":
            _show(turn, command)
        case "glossary" | "learn":
            learn(turn)
        case "human":
            hand_off(turn, human_wished(turn.text) or "")
        case "cancel" | "done":
            _end(turn, command, flow)


def begin_again(memory: Memory, flow: Flow) -> None:
    """Forget the query at hand, and keep which database it was about; of a comparison, which one was before it."""
    place = replace(place_after(memory), tables=())
    memory.stage, memory.draft, memory.answer, memory.trail = flow.start, Draft(), None, []
    memory.struggle = memory.struggle.over()
    memory.choosing, memory.place = "", place
    memory.tasks = Tasks()
    memory.understanding = Understanding()


def go_on_after_end(turn: Turn, flow: Flow) -> None:
    """Begin again after the end, or at the last rows if the sentence is about them."""
    begin_again(turn.memory, flow)
    if turn.memory.results and refers_back(turn):
        take_up(turn.memory, turn.memory.results[-1])


def _show(turn: Turn, what: Literal["schedules", "examples", "keep"]) -> None:
    """Show what is the person's own business: below others' eyes, to them alone."""
    match what:
        case "schedules":
            cards, at_home = ScheduleList(turn.services).cards(turn.user), SCHEDULES_PRIVATELY
        case "examples":
            cards, at_home = listed(turn), EXAMPLES_PRIVATELY
        case "keep":
            question = example_wished(turn.text) or ""
            cards, at_home = preview(turn, answer_of(turn).result.id, question), PREVIEW_PRIVATELY
    if turn.incoming.shared:
        turn.post(Reply(cards, working=True, to=turn.user.id))
        turn.note(at_home, "quiet")
    else:
        turn.notes += cards
    turn.answered_as = Category.JOB_STATUS if what == "schedules" else turn.answered_as


def _end(turn: Turn, command: Literal["cancel", "done"], flow: Flow) -> None:
    """End the talk; who cancels a question or a comparison sees the result again that stood before it."""
    memory = turn.memory
    plan = () if memory.stage == Stage.SHOW_RESULTS else memory.draft.plan
    memory.understanding = Understanding()
    if command == "cancel":
        turn.note("Cancelled; nothing was run." if memory.answer is None else "Cancelled.", "quiet")
        if plan:
            turn.note(left_out(plan), "quiet")
    if command == "done" or memory.answer is None or memory.stage == Stage.SHOW_RESULTS:
        memory.stage = flow.end
        return
    shown = next((step for step in reversed(memory.trail) if step.stage == Stage.SHOW_RESULTS), None)
    memory.stage, memory.choosing = Stage.SHOW_RESULTS, ""
    memory.tasks = replace(memory.tasks, comparing=None)
    if shown:
        memory.place, memory.draft = shown.place, shown.draft


def _step_back(turn: Turn, steps: int, flow: Flow) -> None:
    memory = turn.memory
    if len(memory.trail) < steps:
        turn.note("This is the first step, so there's nothing to go back to.", "quiet")
        return
    step = memory.trail[-steps]
    memory.trail = memory.trail[:-steps]
    memory.stage, memory.place, memory.choosing, memory.view = step.stage, step.place, "", ""
    # What was typed into the box is in it again.
    typed = memory.draft.sql if isinstance(flow[step.stage].handler, NeedSql) else ""
    memory.draft, memory.answer = replace(step.draft, sql=step.draft.sql or typed), step.answer
    memory.tasks = memory.tasks.gone_back(step.tasks)
    memory.understanding = Understanding()
