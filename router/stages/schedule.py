"""Repeating a query: when, where its rows go, on what condition; and a person's Yes to exactly this."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Literal, get_args

from router.cards import Buttons, Card, Code, Field, Form, Option, Text
from router.errors import BotError, NotAllowed
from router.jobs.mail.addresses import own_address, recipients_of
from router.jobs.results.cells import line
from router.jobs.results.pages import digest_of
from router.language.wording import and_list, spoken_time
from router.memory.draft import User
from router.memory.recurrence import (
    DAYS,
    Condition,
    Every,
    Repeating,
    Timing,
    To,
    dates_in_words,
    days_in_words,
    next_time,
    zone_known,
)
from router.policy import demand_approve, demand_read, demand_rows_in_channel
from router.schedules.listing import CONDITION_WORDS, NO_SCHEDULES_HERE
from router.schedules.schedule import SchedulePlan
from router.schedules.store import Schedules
from router.stages.approvals import (
    Approvable,
    awaited,
    demand_in_time,
    demand_owner_or_approver,
    note_yes,
    only_approvers,
)
from router.stages.send_email import FILE_FORM_NAMES, mail_rules
from router.stages.shown import answer_of, only_for
from router.stages.tasks import LEAVE, DestinationAsk, forget, left, repeating_of, set_repeating
from router.turn import Filled, Said, Turn
from router.understanding.recurrences import recurrence_of
from router.understanding.schedule_wishes import ScheduleWish, schedule_wish_of
from router.understanding.values.forms import MailValues, mail_patch

REPEAT = Option("repeat", "Repeat this", overflow=True)

FREQUENCY_LABELS: Final = {
    "hour": "Every hour",
    "day": "Every day",
    "workday": "Every workday",
    "week": "Every week",
    "month": "Every month",
}

RHYTHMS = "I can repeat a query every hour, on days of the week or on days of the month."

TO_EMAIL: Final[To] = "email"
TO_CHANNEL: Final[To] = "channel"

TARGET_LABELS: Final = {"thread": "Here", "me": "To me alone", "channel": "Another channel"}

EMAIL_FORM_LABELS: Final = {
    "table": "By e-mail, the rows in it",
    "csv": "By e-mail, as CSV",
    "xlsx": "By e-mail, as Excel",
}

CONDITION_LABELS: Final = {"always": "Always", "rows": "Only if there are rows", "changed": "Only if they changed"}

# The form that asks when a query shall run again: its fields, and what was put into them.


def fields_of(repeating: Repeating, places: Sequence[To], owner: User) -> tuple[Field, ...]:
    """Return the form's fields, with what is known in them."""
    name, wrong = repeating.problem
    where = {place: TARGET_LABELS[place] for place in places if place != TO_EMAIL}
    mails = {f"{TO_EMAIL}:{form}": label for form, label in EMAIL_FORM_LABELS.items()} if TO_EMAIL in places else {}
    to = f"{TO_EMAIL}:{repeating.form}" if repeating.to == TO_EMAIL else repeating.to
    people = Field(
        "people",
        "E-mail to",
        "people",
        repeating.people or own_address(owner),
        optional=True,
        when=("to", tuple(mails)),
        problem=wrong if name == "people" else "",
    )
    channel = Field(
        "channel",
        "Which channel",
        "channel",
        repeating.channel,
        optional=True,
        when=("to", (TO_CHANNEL,)),
        hint="I have to be in it. Everybody there sees the rows, each time in a new message.",
        problem=wrong if name == "channel" else "",
    )
    return (
        _menu("every", "How often", repeating.every or "day", FREQUENCY_LABELS),
        replace(_menu("day", "On which day", repeating.day, _days(repeating)), when=("every", ("week",))),
        Field(
            "date",
            "On which day of the month",
            value=dates_in_words(repeating.date),
            when=("every", ("month",)),
            problem=wrong if name == "date" else "",
            hint="Such as 15th, last day, first Monday.",
        ),
        Field(
            "at",
            "At what time",
            "time",
            repeating.at or "08:00",
            when=("every", tuple(each for each in FREQUENCY_LABELS if each != "hour")),
            problem=wrong if name == "at" else "",
        ),
        _menu("to", "Where to", to, where | mails),
        *((channel,) if TO_CHANNEL in places else ()),
        *((people,) if mails else ()),
        _menu("when", "Send it", repeating.condition, CONDITION_LABELS),
    )


def filled(repeating: Repeating, values: Mapping[str, str]) -> Repeating:
    """Return what the form says; what no menu has is left as it was."""
    place, _, form = values.get("to", "").partition(":")
    given: dict[str, Any] = {
        "every": _one_of(values.get("every", ""), get_args(Every)),
        "day": _one_of(values.get("day", ""), tuple(_days(repeating))),
        "to": _one_of(place, get_args(To)),
        "form": _one_of(form, tuple(EMAIL_FORM_LABELS)),
        "condition": _one_of(values.get("when", ""), get_args(Condition)),
    }
    people = values.get("people", repeating.people)
    channel = values.get("channel", repeating.channel)
    kept = {name: value for name, value in given.items() if value}
    kept["every"] = kept.get("every") or repeating.every or "day"
    hourly = kept["every"] == "hour" and not values.get("at")  # no time is asked for
    at = "00:00" if hourly else time_typed(values.get("at", ""))
    problem = ("", "") if at else ("at", no_time(values.get("at", "")))
    if kept["every"] == "month" and (typed := values.get("date", "")):
        kept["date"] = dates_typed(typed) or repeating.date
        problem = problem if dates_typed(typed) else ("date", f'"{line(typed, 40)}" is no day of a month.')
    return replace(repeating, **kept, at=at, people=people, channel=channel, problem=problem)


def time_typed(text: str) -> str:
    """Return a time of day as "08:00"; empty for what is none."""
    return recurrence_of(f"at {text}").at


def dates_typed(text: str) -> str:
    """Return days of a month such as "15th" or "last Friday" as a Timing has them; empty for what is none."""
    found = recurrence_of(f"on the {text} of every month")
    return "" if found.undone else found.date


def _days(repeating: Repeating) -> dict[str, str]:
    """Return the days of a week to choose from: each, and those that a sentence put together."""
    return DAYS if repeating.day in DAYS else {**DAYS, repeating.day: f"Every {days_in_words(repeating.day)}"}


def no_time(typed: str) -> str:
    """Say that something is no time of day."""
    return f'"{line(typed, 40)}" is no time of day: write it like 8:00 or 14:30.'


def _menu(name: str, label: str, value: str, options: Mapping[Any, str]) -> Field:
    return Field(name, label, "menu", value, options=tuple(Option(each, word) for each, word in options.items()))


def _one_of(value: str, allowed: Sequence[str]) -> str:
    return value if value in allowed else ""


class AskRepeating(DestinationAsk):
    """Ask how often, at what time, where to, and when."""

    card = "schedule_form"
    accepts = frozenset(["when", "to", "thread", "changed"])
    fields = frozenset(["every", "day", "date", "at", "to", "channel", "people", "when"])
    help = "Fill in when to run this query again; `every Monday at 8, if it changed` does as well."

    def settle(self, turn: Turn) -> Literal["filled"] | None:
        return "filled" if repeating_of(turn).whole else None

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        return (repeat_form(turn, repeating_of(turn)), Buttons("", (LEAVE,)))

    def answer(self, turn: Turn) -> Literal["filled", "wrong", "cancel", "unclear"]:
        if left(turn):
            return "cancel"
        match turn.incoming.input:
            case Filled(values):
                repeating = checked(turn, filled(repeating_of(turn), values))
            case Said(text) if changed := _changed(turn, text):
                repeating = changed
            case Said():
                return turn.unclear("I didn't understand that as a time. Try `every Monday at 8`.")
            case _:
                return turn.unclear("Fill in when to run it.")
        set_repeating(turn, repeating)
        return "filled" if repeating.whole else "wrong"


class ConfirmRepeating(DestinationAsk):
    """Show what will be repeated; a person who may approves it."""

    card = "schedule_confirm"
    accepts = frozenset(["when", "to", "add_to", "drop_to", "thread", "changed", "inline"])
    approves = True
    help = "Check when this runs, where its rows go, and the SQL; then press Start. `schedules` lists what is repeated."

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        answer = answer_of(turn)
        connection = turn.services.connections.demand(answer.connection)
        ways = (only_approvers(turn, Option("yes", "Start", "primary"), connection), Option("no", "Change"), LEAVE)
        sql = Code(answer.draft.sql, connection.label)
        return (
            Text(_sentence(turn, connection.label)),
            sql,
            *awaited(turn, connection, lambda: Approvable(_digest(turn), f"Repeat: {answer.draft.subject}")),
            Buttons("Start repeating?", ways),
        )

    def demand_right(self, turn: Turn) -> None:
        """Let the owner answer, and those whom the connection of the rows names as approvers press Start."""
        connection = turn.services.connections.demand(answer_of(turn).connection)
        demand_owner_or_approver(turn, turn.pressed("yes"), connection)

    def answer(self, turn: Turn) -> Literal["yes", "no", "cancel", "unclear"]:
        if left(turn):
            return "cancel"
        word: Literal["yes", "no"] | None = turn.word("yes", "no")
        if word == "no":
            set_repeating(turn, replace(repeating_of(turn), whole=False))
        elif word == "yes":
            _start(turn)
            forget(turn)
            # `back` leads to what was before, not to a second Start.
            turn.memory.trail = [step for step in turn.memory.trail if step.tasks.repeating is None]
        given = turn.incoming.input
        if word is None and isinstance(given, Said) and (changed := _changed(turn, given.text)):
            set_repeating(turn, changed)
            return "no"
        return word or turn.unclear()


def repeat_form(turn: Turn, repeating: Repeating) -> Form:
    """Return the form that asks when a query shall run again, with what is known of it."""
    return Form("Repeat this", fields_of(repeating, targets(turn), turn.owner), "Preview")


def schedules_of(turn: Turn) -> Schedules:
    """Return the schedules; raises NotAllowed where nothing can be repeated."""
    if turn.services.schedules is None:
        raise NotAllowed(NO_SCHEDULES_HERE)
    return turn.services.schedules


def begin_repeating(turn: Turn, sentence: str = "") -> None:
    """Begin to ask when the query shall run again, with what a sentence says of it."""
    schedules_of(turn).demand_room(turn.owner.id)
    forget(turn)
    repeating = Repeating(to=targets(turn)[0])
    wish = schedule_wish_of(sentence, asked=True) if sentence else None
    set_repeating(turn, _said(turn, wish, repeating) if wish else repeating)


def wishes_repeating(turn: Turn) -> bool:
    """Tell whether the person wants the query repeated; what they typed about it is remembered then."""
    given = turn.incoming.input
    if turn.word("repeat"):
        begin_repeating(turn)
    elif isinstance(given, Said) and schedule_wish_of(given.text):
        begin_repeating(turn, given.text)
    else:
        return False
    return True


def targets(turn: Turn) -> tuple[To, ...]:
    """Return where rows can go: a thread that nobody else reads is the person's own, and private rows stay private."""
    notifier = turn.services.humans.notifier(turn.incoming.key.platform)
    elsewhere: tuple[To, ...] = (TO_CHANNEL,) if notifier and notifier.picks_channels else ()
    here: tuple[To, ...] = (*(("thread", "me") if turn.incoming.shared else ("thread",)), *elsewhere)
    here = ("me",) if only_for(turn) else here
    return (*here, *((TO_EMAIL,) if turn.services.mail_config else ()))


def timing_of(turn: Turn) -> Timing:
    """Return when it runs, in the zone that was named, or the person's own where that is known."""
    repeating = repeating_of(turn)
    zone = repeating.zone or zone_known(turn.owner.zone) or schedules_of(turn).zone
    return Timing(repeating.every or "day", repeating.at, repeating.day, zone, repeating.date)


def checked(turn: Turn, repeating: Repeating) -> Repeating:
    """Return the repeating with its recipients' addresses, and with what is wrong with a field."""
    at = repeating.at or ("00:00" if repeating.every == "hour" else "")
    repeating = replace(repeating, at=at, recipients=(), whole=False)
    if any(repeating.problem):
        return repeating
    if repeating.to == "email":
        try:
            recipients = recipients_of(repeating.people or turn.owner.email, turn.owner)
            wrong = mail_rules(turn).problem(recipients)
        except BotError as error:
            wrong = str(error)
        if wrong:
            return replace(repeating, problem=("people", wrong))
        repeating = replace(repeating, recipients=recipients)
    elif repeating.to == TO_CHANNEL and TO_CHANNEL in targets(turn):
        try:
            repeating = replace(repeating, channel=_channel(turn, repeating.channel))
        except BotError as error:
            return replace(repeating, problem=("channel", str(error)))
    elif repeating.to not in targets(turn):
        if repeating.to == TO_CHANNEL:
            turn.note("These rows can't go to another channel.", "quiet")
        repeating = replace(repeating, to=targets(turn)[0])
    return replace(repeating, whole=bool(repeating.every and repeating.at))


def _channel(turn: Turn, named: str) -> str:
    """Return the id of the channel that rows go to; raises NotAllowed, JobFailed."""
    key = turn.incoming.key
    notifier = turn.services.humans.notifier(key.platform)
    if not named or notifier is None:
        raise NotAllowed("Pick the channel that the rows should go to.")
    id, channels = notifier.channel(key, named), turn.services.connections.channels
    connection = turn.services.connections.demand(answer_of(turn).connection)
    target = replace(key, channel=id, thread="")
    demand_rows_in_channel(key, turn.incoming.shared, target, connection, channels)
    return id


def _changed(turn: Turn, text: str) -> Repeating | None:
    """Return the repeating as a sentence changes it, its recipients as those of an e-mail; None where it does not."""
    repeating = repeating_of(turn)
    before = repeating.recipients or tuple(filter(None, re.split(r"\s*[,;]\s*", repeating.people)))
    mails = TO_EMAIL in targets(turn) and (repeating.to == TO_EMAIL or "@" in text)
    mailing = mail_patch(text, before) if mails else MailValues()
    wish = schedule_wish_of(text, asked=True)
    changed = _said(turn, wish, repeating) if wish else None
    if mailing.added or mailing.dropped or (wish is None and not mailing.unused and (mailing.to or mailing.form)):
        people = ", ".join(mailing.recipients(before))
        if not people:
            return None  # else the rows would go to somebody whom nobody named
        form = mailing.form or (changed or repeating).form
        changed = checked(turn, replace(changed or repeating, to=TO_EMAIL, people=people, form=form, problem=("", "")))
    return changed


def _said(turn: Turn, wish: ScheduleWish, repeating: Repeating) -> Repeating:
    """Return the repeating as a sentence changes it, checked; what it does not take of the sentence is said.

    Then the form shows what was read, and nothing of it can be approved yet.
    """
    if wish.undone:
        cannot = and_list(f"“{line(each, 60)}”" for each in wish.undone)
        turn.note(f"I can't do that: {cannot}. {RHYTHMS} Please look at what I understood:", "quiet")
    if wish.unread:
        turn.note(f"Not used: “{line(wish.unread, 80)}”.", "quiet")
    known = {**wish.said(), **_days_changed(wish, repeating)}
    problem = ("at", no_time(wish.no_time)) if wish.no_time else ("", "")
    changed = checked(turn, replace(repeating, **known, problem=problem))
    return replace(changed, whole=changed.whole and not wish.unknown)


def _days_changed(wish: ScheduleWish, repeating: Repeating) -> dict[str, str]:
    """Return the days where a sentence adds some to those before, or takes some away: "also on friday"."""
    days = set(repeating.days)
    if wish.also and wish.every == "week":
        days |= {*wish.day.split(",")}
    elif wish.denied and not wish.every:
        days -= {list(DAYS)[each] for each in wish.denied}
    else:
        return {}
    return {"every": "week", "day": ",".join(day for day in DAYS if day in days)} if days else {}


def _sentence(turn: Turn, label: str) -> str:
    """Return in plain words what will be done."""
    repeating, timing = repeating_of(turn), timing_of(turn)
    match repeating.to:
        case "email":
            form = FILE_FORM_NAMES.get(repeating.form, "")
            where = f"e-mail the rows to {', '.join(repeating.recipients)}{f' as {form}' if form else ''}"
        case "me":
            where = "send the rows to you alone"
        case "channel":
            where = f"post the rows in #{repeating.channel}, where everybody sees them, each time in a new message"
        case _:
            where = "put the rows here"
    when = f"{timing.words[0].upper()}{timing.words[1:]}"
    first = spoken_time(next_time(timing.cron, timing.zone, turn.services.clock()), timing.zone)
    condition = CONDITION_WORDS[repeating.condition]
    return f"{when} ({timing.zone}) I run this on {label} and {where}{condition}. First time: {first}."


def _start(turn: Turn) -> None:
    """Have it repeated, under a number; raises NotAllowed, or Stale where the Yes comes too late."""
    answer, repeating, timing, owner = answer_of(turn), repeating_of(turn), timing_of(turn), turn.owner
    connection = turn.services.connections.demand(answer.connection)
    demand_read(owner, connection)
    demand_approve(turn.user, connection, owner)
    place = turn.memory.place
    demand_in_time(turn)
    note_yes(turn)
    plan = SchedulePlan(
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
        channel=repeating.channel if repeating.to == TO_CHANNEL else "",
        digest=_digest(turn),
        title=answer.draft.title,
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
