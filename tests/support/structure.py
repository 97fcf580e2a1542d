"""The structure of what the bot shows: kinds of cards, answers of buttons, SQL, heads of tables, fields, and tasks.

It holds no sentence of the bot's: each wording is pinned by the test of the module that says it.
"""

from collections.abc import Iterable
from itertools import groupby
from typing import assert_never

from router.cards import (
    Buttons,
    Card,
    Chart,
    Choice,
    Code,
    Field,
    File,
    Form,
    Link,
    Option,
    Progress,
    Reply,
    Table,
    Text,
    Waiting,
)
from router.memory.thread import Tasks

OPTIONS_SHOWN = 12
WORK = "at work"
Shown = dict[tuple[str, ...], dict[str, list[str]]]
"""The parts of each code and each form as they were shown last."""


def structure_of(replies: Iterable[Reply], before: Shown) -> str:
    """Return the structure of replies, a card a line, and of what was shown before what has changed alone.

    How often work was told of is not part of it.
    """
    return "\n".join(line for line, _ in groupby(line for reply in replies for line in _reply(reply, before)))


def tasks_of(tasks: Tasks) -> list[str]:
    """Return what is known of each task that was begun and is told in a sentence: where rows go, and when."""
    found = []
    if mailing := tasks.mailing:
        found.append(("e-mail", [*mailing.recipients, mailing.subject, mailing.body, mailing.form]))
    if writing := tasks.writing:
        pairs = [f"{pair.source} → {pair.target}" for pair in writing.pairs or ()]
        found.append(("write", [writing.connection, writing.schema, writing.table, writing.mode, *pairs, writing.name]))
    if plan := tasks.repeating:
        times = [plan.every, plan.day * (plan.every in ("week", "month")), plan.at]
        found.append(("repeat", [*times, plan.to, *plan.recipients, plan.condition]))
    return [f"{task}: {', '.join(filter(None, known))}" for task, known in found if any(known)]


def _reply(reply: Reply, before: Shown) -> list[str]:
    if all(isinstance(card, Progress) for card in reply.cards):
        return [WORK]
    shown = [_card(card, before) for card in reply.cards]
    told = [word for word, so in (("beside", reply.beside), ("in place", reply.replace)) if so]
    told += [f"refused {reply.refused_field}".rstrip()] if reply.refused else []
    told += [f"labelled {reply.sensitivity}"] if reply.sensitivity else []
    if reply.working:
        told.append("while at work")
    return [f"({', '.join(told)})", *shown] if told else shown


def _card(card: Card, before: Shown) -> str:
    match card:
        case Text(tone=tone):
            return "text" if tone == "plain" else f"text, {tone}"
        case Code(body, caption):
            return _changed(f"code, {caption}" if caption else "code", {"": _indented(body)}, before)
        case Table():
            return _table(card)
        case Chart(kind=kind, labels=labels, series=series):
            return f"chart, {kind}: {len(labels)} of {', '.join(each.name for each in series)}"
        case File(name=name):
            return f"file, {name.rpartition('.')[2]}"
        case Link():
            return "link"
        case Progress():
            return WORK
        case _:
            return _question(card, before)


def _question(card: Buttons | Choice | Form | Waiting, before: Shown) -> str:
    match card:
        case Buttons(options=options, lasting=lasting):
            return _offered("lasting buttons" if lasting else "buttons", options)
        case Choice(options=options, many=many, chosen=chosen, lasting=lasting):
            kind = f"{'lasting ' if lasting else ''}menu{' of several' if many else ''}"
            return _offered(kind, options) + (f", chosen: {' / '.join(chosen)}" if chosen else "")
        case Form(fields=fields):
            return _changed("form", {field.name: _field(field) for field in fields}, before)
        case Waiting(people):
            return f"waiting for {', '.join(person.identity for person in people)}"
        case _:
            assert_never(card)


def _changed(head: str, parts: dict[str, list[str]], before: Shown) -> str:
    """Return a card whose parts take lines of their own; of one that was shown before, the parts that have changed."""
    last = before.get((head, *parts), {})
    before[(head, *parts)] = parts
    changed = [lines for name, lines in parts.items() if lines != last.get(name)]
    as_before = ", as before" if len(changed) < len(parts) else ""
    return "\n".join([f"{head}{as_before}", *(line for lines in changed for line in lines)])


def _table(table: Table) -> str:
    heads = ", ".join(head.name for head in table.columns)
    told = [f"{len(table.rows)} of {table.total} rows"]
    told += [f"from {table.offset + 1}"] if table.offset else []
    told += ["cut"] if table.capped else []
    told += [f"sorted by {table.columns[table.sort[0]].name} {table.sort[1]}"] if table.sort else []
    told += ["rows left out"] if table.unmatched else []
    return f"table, {heads}: {', '.join(told)}"


def _offered(kind: str, options: tuple[Option, ...]) -> str:
    more = [f"{len(options) - OPTIONS_SHOWN} more"] if len(options) > OPTIONS_SHOWN else []
    # Behind an @ stands which result a button is about, whose id is another one every time.
    answers = [option.answer.partition("@")[0] for option in options[:OPTIONS_SHOWN]]
    return f"{kind} [{' / '.join([*answers, *more])}]"


def _field(field: Field) -> list[str]:
    problem = " (a problem)" if field.problem else ""
    if "\n" in field.value:
        return [f"    {field.name} ={problem}", *_indented(field.value, 8)]
    return [f"    {field.name} = {field.value}".rstrip() + problem]


def _indented(text: str, by: int = 4) -> list[str]:
    return [" " * by + line for line in text.splitlines()]
