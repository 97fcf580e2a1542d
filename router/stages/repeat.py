"""Repeating a query: when, where its rows go, on what condition; and a person's Yes to exactly this."""

from dataclasses import replace
from typing import Literal

from router.cards import Buttons, Card, Code, Form, Option, Text
from router.errors import BotError, NotAllowed, Stale, Unclear
from router.intents.repetitions import repetition_of
from router.jobs.digests import digest_of
from router.jobs.mail.addresses import recipients_of
from router.jobs.schedule import Plan
from router.jobs.schedules import Schedules
from router.machine import demand_owner
from router.policy import demand_approve, demand_read, may_approve, who_approves
from router.repeating import Repeating
from router.repeats import CONDITIONS, NOT_HERE
from router.stages.errand import LEAVE, Errand, forget, left
from router.stages.repeat_fields import TO_EMAIL, fields_of, filled, no_time
from router.stages.send_email import FORMATS, office_of
from router.stages.shown import answer_of, only_for
from router.timing import Timing, next_time, spoken_time, zone_known
from router.turn import Filled, Pressed, Said, Turn

REPEAT = Option("repeat", "Repeat this", aside=True)


class AskRepeating(Errand):
    """Ask how often, at what time, where to, and when."""

    help = "Fill in when I shall run this query again; `every Monday at 8, if it changed` does as well."

    def settle(self, turn: Turn) -> Literal["filled"] | None:
        return "filled" if repeating_of(turn).whole else None

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        fields = fields_of(repeating_of(turn), targets(turn), turn.owner)
        return (Form("Repeat this", fields, "Preview"), Buttons("Or:", (LEAVE,)))

    def answer(self, turn: Turn) -> Literal["filled", "wrong", "cancel"]:
        if left(turn):
            return "cancel"
        given = turn.incoming.input
        if isinstance(given, Filled):
            repeating = filled(repeating_of(turn), given.values)
        elif isinstance(given, Said):
            repeating = _said(turn, given.text, repeating_of(turn))
        else:
            raise Unclear("Fill in when it shall run.")
        turn.memory.repeating = repeating = checked(turn, repeating)
        return "filled" if repeating.whole else "wrong"


class ConfirmRepeating(Errand):
    """Show what will be repeated; a person who may approves it."""

    help = (
        "Look at when this runs, where its rows go, and the SQL; then press Start. `schedules` lists what is repeated."
    )

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        answer = answer_of(turn)
        label = turn.tools.connections.demand(answer.connection).label
        ways = (Option("yes", "Start", "primary"), Option("no", "Change"), LEAVE)
        sql = Code(answer.draft.sql, label)
        return (Text(_sentence(turn, label)), sql, *_approvers(turn), Buttons("Start repeating?", ways))

    def demand_right(self, turn: Turn) -> None:
        """Let the owner answer, and those whom the connection of the rows names as approvers press Start."""
        given, connection = turn.incoming.input, turn.tools.connections.demand(answer_of(turn).connection)
        presses = isinstance(given, Pressed) and given.answer == "yes"
        if not presses or not may_approve(turn.user, connection, turn.owner):
            demand_owner(turn)

    def answer(self, turn: Turn) -> Literal["yes", "no", "cancel"]:
        if left(turn):
            return "cancel"
        if turn.pick("yes", "no") == "no":
            turn.memory.repeating = replace(repeating_of(turn), whole=False)
            return "no"
        _start(turn)
        forget(turn)
        return "yes"


def schedules_of(turn: Turn) -> Schedules:
    """Return the schedules; raises NotAllowed where nothing can be repeated."""
    if turn.tools.schedules is None:
        raise NotAllowed(NOT_HERE)
    return turn.tools.schedules


def begin_repeating(turn: Turn, sentence: str = "") -> None:
    """Begin to ask when the query shall run again, with what a sentence says of it."""
    schedules_of(turn).demand_room(turn.owner.id)
    forget(turn)
    repeating = Repeating(to=targets(turn)[0])
    turn.memory.repeating = checked(turn, _said(turn, sentence, repeating)) if sentence else repeating


def wishes_repeating(turn: Turn) -> bool:
    """Tell whether the person wants the query repeated; what they typed about it is remembered then."""
    given = turn.incoming.input
    if turn.word("repeat"):
        begin_repeating(turn)
    elif isinstance(given, Said) and repetition_of(given.text):
        begin_repeating(turn, given.text)
    else:
        return False
    return True


def repeating_of(turn: Turn) -> Repeating:
    """Return what is known of the repeating."""
    return turn.memory.repeating or Repeating()


def targets(turn: Turn) -> tuple[Literal["thread", "me", "email"], ...]:
    """Return where rows can go: a thread that nobody else reads is the person's own."""
    here: tuple[Literal["thread", "me"], ...] = ("thread", "me") if turn.incoming.shared else ("thread",)
    here = ("me",) if only_for(turn) else here
    return (*here, *((TO_EMAIL,) if turn.tools.office else ()))


def timing_of(turn: Turn) -> Timing:
    """Return when it runs, in the person's own time zone where that is known."""
    repeating = repeating_of(turn)
    zone = zone_known(turn.owner.zone) or schedules_of(turn).zone
    return Timing(repeating.every or "day", repeating.at, repeating.day, zone)


def checked(turn: Turn, repeating: Repeating) -> Repeating:
    """Return the repeating with its recipients' addresses, and with what is wrong with a field."""
    at = repeating.at or ("00:00" if repeating.every == "hour" else "")
    repeating = replace(repeating, at=at, recipients=(), whole=False)
    if any(repeating.problem):
        return repeating
    if repeating.to == "email":
        try:
            recipients = recipients_of(repeating.people or turn.owner.email, turn.owner)
            wrong = office_of(turn).problem(recipients)
        except BotError as error:
            wrong = str(error)
        if wrong:
            return replace(repeating, problem=("people", wrong))
        repeating = replace(repeating, recipients=recipients)
    elif repeating.to not in targets(turn):
        repeating = replace(repeating, to=targets(turn)[0])
    return replace(repeating, whole=bool(repeating.every and repeating.at))


def _said(turn: Turn, text: str, repeating: Repeating) -> Repeating:
    """Return what a sentence changes; raises Unclear where it says nothing of the kind."""
    wish = repetition_of(text, asked=True)
    if wish is None:
        raise Unclear("I did not understand that as a time. `every Monday at 8` is one.")
    if wish.unknown:
        turn.note(
            "I can repeat a query every hour, day, workday, week or on the first of the month, by your own clock. "
            "Please look at what I understood:",
            "quiet",
        )
    known = {name: value for name, value in wish.said().items() if value}
    problem = ("at", no_time(wish.no_time)) if wish.no_time else ("", "")
    return replace(repeating, **known, problem=problem)


def _sentence(turn: Turn, label: str) -> str:
    """Return in plain words what will be done."""
    repeating, timing = repeating_of(turn), timing_of(turn)
    match repeating.to:
        case "email":
            form = FORMATS.get(repeating.form, "")
            where = f"e-mail the rows to {', '.join(repeating.recipients)}{f' as {form}' if form else ''}"
        case "me":
            where = "send the rows to you alone"
        case _:
            where = "put the rows here"
    when = f"{timing.words[0].upper()}{timing.words[1:]}"
    first = spoken_time(next_time(timing.cron, timing.zone, turn.tools.clock()), timing.zone)
    condition = CONDITIONS[repeating.condition]
    return f"{when} ({timing.zone}) I run this on {label} and {where}{condition}. First time: {first}."


def _start(turn: Turn) -> None:
    """Have it repeated, under a number; raises NotAllowed, or Stale where the Yes comes too late."""
    answer, repeating, timing, owner = answer_of(turn), repeating_of(turn), timing_of(turn), turn.owner
    connection = turn.tools.connections.demand(answer.connection)
    demand_read(owner, connection)
    demand_approve(turn.user, connection, owner)
    now, asked, place = turn.tools.clock(), turn.memory.asked, turn.memory.place
    if asked and now - asked > turn.tools.approval_time:
        raise Stale("This has waited too long for an approval. Please look at it again:")
    plan = Plan(
        key=f"{turn.incoming.key} {turn.memory.turn}",
        owner=owner,
        approver=turn.user,
        thread=str(turn.incoming.key),
        shared=turn.incoming.shared,
        connection=answer.connection,
        schema=place.schema if place.connection == answer.connection else "",
        sql=answer.draft.sql,
        question=answer.draft.answers,
        cron=timing.cron,
        zone=timing.zone,
        to=repeating.to,
        condition=repeating.condition,
        recipients=repeating.recipients,
        form=repeating.form,
        digest=_digest(turn),
        title=answer.draft.explanation,
    )
    added = schedules_of(turn).add(plan)
    turn.record("approved", approver=turn.user.id, sql=plan.sql, target=f"{added.id} {plan.timing.words}")
    first = spoken_time(added.due, plan.zone)
    turn.note(f"✓ This is repeated {plan.timing.words} ({added.id}). First time: {first}. `schedules` lists it.")


def _digest(turn: Turn) -> str:
    """Return what stands for the rows on show, so that it is known whether they change."""
    if repeating_of(turn).condition != "changed":
        return ""
    try:
        return digest_of(turn.results, answer_of(turn).result)
    except BotError:  # they expired: whatever comes is new
        return ""


def _approvers(turn: Turn) -> tuple[Text, ...]:
    connection = turn.tools.connections.demand(answer_of(turn).connection)
    if may_approve(turn.owner, connection, turn.owner):
        return ()
    return (Text(f"Somebody else has to approve this. {who_approves(connection)}.", "quiet"),)
