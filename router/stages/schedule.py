"""Repeating a query: when, where its rows go, on what condition; and a person's Yes to exactly this."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from router.cards import Code, Field, Form, Option, Text
from router.errors import BotError, NotAllowed, Unclear
from router.jobs.mail.addresses import own_address
from router.jobs.results.cells import line
from router.jobs.results.pages import digest_of
from router.language.wording import and_list, spoken_time
from router.memory.recurrence import (
    DAYS,
    Repeating,
    Timing,
    To,
    dates_in_words,
    days_in_words,
    next_time,
    zone_known,
)
from router.policy import require_approve, require_read, require_rows_in_channel
from router.schedules.listing import CONDITION_WORDS, NO_SCHEDULES_HERE
from router.schedules.schedule import SchedulePlan
from router.schedules.store import Schedules
from router.stages.approvals import Approvable, note_yes, require_in_time
from router.stages.send_email import FILE_FORM_NAMES, mailable, people_of
from router.stages.shown import answer_of, only_for
from router.stages.task_cards import Preview, TaskConfirm, TaskForm
from router.stages.tasks import finish, forget, repeating_of, say_unused, set_repeating
from router.turn import Said, Turn
from router.understanding.recurrences import recurrence_of
from router.understanding.schedule_wishes import ScheduleWish, read_schedule, schedule_wish_of

REPEAT = Option("repeat", "Repeat this", overflow=True)

FREQUENCY_LABELS: Final = {
    "hour": "Every hour",
    "day": "Every day",
    "workday": "Every workday",
    "week": "Every week",
    "month": "Every month",
}

RHYTHMS = "I can repeat a query every hour, on days of the week or on days of the month."

TARGET_LABELS: Final = {"thread": "Here", "me": "To me alone", "channel": "Another channel"}

EMAIL_FORM_LABELS: Final = {
    "table": "By e-mail, the rows in it",
    "csv": "By e-mail, as CSV",
    "xlsx": "By e-mail, as Excel",
}

_NOT_THERE: Final = {"email": "I can't send e-mails here.", "channel": "These rows can't go to another channel."}

CONDITION_LABELS: Final = {"always": "Always", "rows": "Only if there are rows", "changed": "Only if they changed"}


def repeat_form(turn: Turn, repeating: Repeating) -> Form:
    """Return the form that asks when a query is to run again, with what is known of it."""
    places = targets(turn)
    where = {place: TARGET_LABELS[place] for place in places if place != "email"}
    mails = {f"email:{form}": label for form, label in EMAIL_FORM_LABELS.items()} if "email" in places else {}
    to = f"email:{repeating.form}" if repeating.to == "email" else repeating.to
    timed = tuple(each for each in FREQUENCY_LABELS if each != "hour")
    people = repeating.people or own_address(turn.owner)
    # Days that a sentence put together are one more way.
    days = DAYS if repeating.day in DAYS else {**DAYS, repeating.day: f"Every {days_in_words(repeating.day)}"}
    channel = Field(
        "channel",
        "Which channel",
        "channel",
        repeating.channel,
        optional=True,
        when=("to", ("channel",)),
        hint="I have to be in it. Everybody there sees the rows, each time in a new message.",
    )
    fields = (
        _menu("every", "How often", repeating.every or "day", FREQUENCY_LABELS),
        replace(_menu("day", "On which day", repeating.day, days), when=("every", ("week",))),
        Field(
            "date",
            "On which day of the month",
            value=dates_in_words(repeating.date),
            when=("every", ("month",)),
            hint="Such as 15th, last day, first Monday.",
        ),
        Field("at", "At what time", "time", repeating.at or "08:00", when=("every", timed)),
        _menu("to", "Where to", to, where | mails),
        *((channel,) if "channel" in places else ()),
        *((Field("people", "E-mail to", "people", people, optional=True, when=("to", tuple(mails))),) if mails else ()),
        _menu("when", "Send it", repeating.condition, CONDITION_LABELS),
    )
    name, wrong = repeating.problem
    shown = tuple(replace(each, problem=wrong) if each.name == name else each for each in fields)
    return Form("Repeat this", shown, "Preview")


def _menu(name: str, label: str, value: str, options: Mapping[Any, str]) -> Field:
    return Field(name, label, "menu", value, options=tuple(Option(each, word) for each, word in options.items()))


def time_typed(text: str) -> str:
    """Return a time of day as "08:00"; empty for what is none."""
    return recurrence_of(f"at {text}").at


def dates_typed(text: str) -> str:
    """Return days of a month such as "15th" or "last Friday" as a Timing has them; empty for what is none."""
    found = recurrence_of(f"on the {text} of every month")
    return "" if found.undone or "-" in text else found.date


class AskRepeating(TaskForm):
    """Ask how often, at what time, where to, and when."""

    card = "schedule_form"
    accepts = frozenset(["when", "to", "thread", "changed"])
    fields = frozenset(["every", "day", "date", "at", "to", "channel", "people", "when"])
    help = "Fill in when to run this query again; `every Monday at 8, if it changed` does as well."

    def form(self, turn: Turn) -> Form:
        """Return the form, with what is known of the repeating."""
        return repeat_form(turn, repeating_of(turn))

    def fill(self, turn: Turn, values: Mapping[str, str]) -> bool:
        """Take the form; what is wrong with a field is said at it."""
        before, at, date = repeating_of(turn), time_typed(values["at"]), dates_typed(values["date"])
        place, _, form = values["to"].partition(":")
        problem = ("", "")
        if values["every"] == "month" and not date:
            problem = ("date", f'"{line(values["date"], 40)}" is no day of a month.')
        elif values["every"] != "hour" and not at:
            problem = ("at", f'"{line(values["at"], 40)}" is no time of day: write it like 8:00 or 14:30.')
        known: dict[str, Any] = {name: values[name] for name in ("every", "day", "people", "channel") if name in values}
        known |= {"at": at, "date": date or before.date, "to": place, "form": form or before.form}
        known |= {"condition": values["when"], "problem": problem}
        set_repeating(turn, checked(turn, replace(before, **known)))
        return True

    def patch(self, turn: Turn, text: str) -> bool:
        """Take what a sentence says of it."""
        taken = _change(turn, text)
        turn.refusal = "" if taken else "I didn't understand that as a time. Try `every Monday at 8`."
        return taken


class ConfirmRepeating(TaskConfirm):
    """Show what will be repeated."""

    card = "schedule_confirm"
    accepts = frozenset(["when", "to", "add_to", "drop_to", "thread", "changed", "inline"])
    yes = ("yes",)
    what_to_change = (
        "Nothing is repeated yet. What should I change? Type it, such as `every Monday at 8`, or press Edit."
    )
    help = "Check when this runs, where its rows go, and the SQL; then press Start. `schedules` lists what is repeated."

    def preview(self, turn: Turn) -> Preview:
        """Return in words what will be done, and the SQL."""
        label, answer = self.connection(turn).label, answer_of(turn)
        cards = (Text(_sentence(turn, label)), Code(answer.draft.sql, label))
        approvable = Approvable(answer.result.id, f"Repeat: {answer.draft.subject}")
        return Preview(cards, approvable, "Start repeating?", Option("yes", "Start", "primary"))

    def approve(self, turn: Turn) -> None:
        """Have it repeated, under a number; raises NotAllowed, or Stale if the Yes comes too late."""
        connection = self.connection(turn)
        require_read(turn.owner, connection)
        require_approve(turn.user, connection, turn.owner)
        require_in_time(turn)
        note_yes(turn)
        plan = replace(_plan(turn), digest=_digest(turn))
        added = schedules_of(turn).add(plan)
        turn.record("approved", approver=turn.user.id, sql=plan.sql, target=f"{added.id} {plan.timing.words}")
        first = spoken_time(added.due, plan.zone)
        turn.note(f"✓ This is repeated {plan.timing.words} ({added.id}). First time: {first}. `schedules` lists it.")
        turn.achieved = "step"  # what was planned behind it goes on
        finish(turn)

    def change(self, turn: Turn) -> bool:
        """Take what a sentence says of it."""
        given = turn.incoming.input
        return isinstance(given, Said) and _change(turn, given.text)


def schedules_of(turn: Turn) -> Schedules:
    """Return the schedules; raises NotAllowed if nothing can be repeated."""
    if turn.services.schedules is None:
        raise NotAllowed(NO_SCHEDULES_HERE)
    return turn.services.schedules


def begin_repeating(turn: Turn, sentence: str = "") -> None:
    """Begin to ask when the query is to run again, with what a sentence says of it."""
    if answer_of(turn).compared:
        raise Unclear("Comparisons can't be scheduled. Press Compare again for a fresh one.")
    schedules_of(turn).require_room(turn.owner.id)
    forget(turn)
    repeating = Repeating(to=targets(turn)[0])
    if sentence:
        repeating = _said(turn, read_schedule(sentence), repeating)
    set_repeating(turn, repeating)


def targets(turn: Turn) -> tuple[To, ...]:
    """Return where rows can go: a thread that nobody else reads is the person's own, and private rows stay private."""
    notifier = turn.services.humans.notifier(turn.incoming.key.platform)
    elsewhere: tuple[To, ...] = ("channel",) if notifier and notifier.picks_channels else ()
    here: tuple[To, ...] = (*(("thread", "me") if turn.incoming.shared else ("thread",)), *elsewhere)
    here = ("me",) if only_for(turn) else here
    return (*here, *(("email",) if turn.services.mail_config else ()))


def timing_of(turn: Turn) -> Timing:
    """Return when it runs, in the zone that was named, or the person's own if that is known."""
    repeating = repeating_of(turn)
    zone = repeating.zone or zone_known(turn.owner.zone) or schedules_of(turn).zone
    return Timing(repeating.every or "day", repeating.at, repeating.day, zone, repeating.date)


def checked(turn: Turn, repeating: Repeating) -> Repeating:
    """Return the repeating with its recipients' addresses, and with what is wrong with a field."""
    at = repeating.at or ("00:00" if repeating.every == "hour" else "")
    repeating = replace(repeating, at=at, recipients=(), whole=False)
    if repeating.to not in targets(turn):
        if elsewhere := _NOT_THERE.get(repeating.to):
            turn.note(elsewhere, "quiet")
        repeating = replace(repeating, to=targets(turn)[0])
    if any(repeating.problem):
        return repeating
    channel: str = repeating.channel
    recipients: tuple[str, ...] = ()
    try:
        if repeating.to == "email":
            recipients = mailable(turn, repeating.people or turn.owner.email)
        elif repeating.to == "channel":
            channel = _channel(turn, channel)
    except BotError as error:
        return replace(repeating, problem=("people" if repeating.to == "email" else "channel", str(error)))
    whole = bool(repeating.every and repeating.at)
    return replace(repeating, recipients=recipients, channel=channel, whole=whole)


def _channel(turn: Turn, named: str) -> str:
    """Return the id of the channel that rows go to; raises NotAllowed, JobFailed."""
    key = turn.incoming.key
    notifier = turn.services.humans.notifier(key.platform)
    if not named or notifier is None:
        raise NotAllowed("Pick the channel that the rows should go to.")
    id, channels = notifier.channel(key, named), turn.services.connections.channels
    connection = turn.services.connections.require(answer_of(turn).connection)
    target = replace(key, channel=id, thread="")
    require_rows_in_channel(key, turn.incoming.shared, target, connection, channels)
    return id


def _change(turn: Turn, text: str) -> bool:
    """Take what a sentence changes of the repeating; return False if it says nothing of it."""
    repeating = repeating_of(turn)
    wish = schedule_wish_of(text, asked=True, known=people_of(repeating.recipients, repeating.people))
    if wish:
        set_repeating(turn, _said(turn, wish, repeating))
    return wish is not None


def _said(turn: Turn, wish: ScheduleWish, repeating: Repeating) -> Repeating:
    """Return the repeating as a sentence changes it, checked; what it does not take of the sentence is said.

    Then the form shows what was read, and nothing of it can be approved yet.
    """
    if wish.when.undone:
        cannot = and_list(f"“{line(each, 60)}”" for each in wish.when.undone)
        turn.note(f"I can't do that: {cannot}. {RHYTHMS} Please look at what I understood:", "quiet")
    say_unused(turn, ", ".join(wish.unread))
    known, problem = wish.said(), ("", "")
    if (wish.also and wish.when.every == "week") or (wish.when.denied and not wish.when.every):
        known |= {"every": repeating.every, "day": repeating.day}
        problem = ("day", "Say all of the days, such as `every Monday and Friday`.")
    named = wish.to == "email" or (wish.mail.dropped and repeating.to == "email")
    if named or wish.mail.form:
        before = people_of(repeating.recipients, repeating.people) if repeating.to == "email" else ()
        people = ", ".join(wish.mail.recipients(before))
        known |= {"to": "email", "people": people}
        if not people and (before or not named):  # else the rows would go to somebody whom nobody named
            problem = ("people", "Name who gets the e-mail.")
    changed = checked(turn, replace(repeating, **known, problem=problem))
    return replace(changed, whole=changed.whole and not wish.unknown)


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
    first = spoken_time(next_time(timing, turn.services.clock()), timing.zone)
    condition = CONDITION_WORDS[repeating.condition]
    return f"{when} ({timing.zone}) I run this on {label} and {where}{condition}. First time: {first}."


def _plan(turn: Turn) -> SchedulePlan:
    """Return what will be repeated, as it is approved."""
    answer, repeating, place = answer_of(turn), repeating_of(turn), turn.memory.place
    return SchedulePlan(
        key=f"{turn.incoming.key} {turn.memory.turn}",
        owner=turn.owner,
        approver=turn.user,
        thread=str(turn.incoming.key),
        shared=turn.incoming.shared,
        connection=answer.connection,
        schema=place.schema if place.connection == answer.connection else "",
        sql=answer.draft.sql,
        question=answer.draft.answers,
        timing=timing_of(turn),
        to=repeating.to,
        condition=repeating.condition,
        recipients=repeating.recipients,
        form=repeating.form,
        channel=repeating.channel if repeating.to == "channel" else "",
        title=answer.draft.title,
    )


def _digest(turn: Turn) -> str:
    """Return what stands for the rows on show, so that it is known whether they change."""
    if repeating_of(turn).condition != "changed":
        return ""
    try:
        return digest_of(turn.results, answer_of(turn).result)
    except BotError:  # they expired: whatever comes is new
        return ""
