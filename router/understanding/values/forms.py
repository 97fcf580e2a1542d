"""Patches of the form of a write or of an e-mail by a sentence that asks for one or changes it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from router.language.phrases import begins_with
from router.memory.thread import Mode
from router.understanding.kinds import is_question
from router.understanding.step_parts import clauses_of
from router.understanding.unread import Unread, own_actions
from router.understanding.values.choices import FileForm, find_form, find_mode
from router.understanding.values.columns import column_pairs, mentioned
from router.understanding.values.people import find_people
from router.understanding.values.sentence import QUOTED, Sentence, unknown_words
from router.understanding.values.tables import find_target
from router.understanding.values.texts import find_texts

PATCH_UNUSED_WORDS_MAX: Final = 3
"""Words that may be left over of a sentence with people; if there are more, it is something else."""

_JOB: Final = re.compile(rf"\s*(?P<value>{QUOTED}|[^,;.\0]*[^,;.\0\s])")


@dataclass(frozen=True, slots=True)
class WriteValues:
    """Values of a write, as the person spelled them; empty is what a sentence does not say.

    `columns` are names of the table by those of the result, "" to leave one out.
    """

    connection: str = ""
    schema: str = ""
    table: str = ""
    mode: Mode | Literal[""] = ""
    name: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    unread: Unread = field(default_factory=Unread, compare=False)
    """The part of the sentence that was not taken."""

    def __bool__(self) -> bool:
        return self != WriteValues()


@dataclass(frozen=True, slots=True)
class MailValues:
    """Values of an e-mail: recipients as they were written (an address, a name, "Ana <ana@x.y>"), or "me".

    `to` are those in place of all others; empty is what a sentence does not say.
    """

    to: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    subject: str = ""
    body: str = ""
    form: FileForm = ""
    unsure: bool = False
    """True if it is not plain who gets it, so that the person has to look."""
    unread: Unread = field(default_factory=Unread, compare=False)
    """The part of the sentence that was not taken."""

    def __bool__(self) -> bool:
        return self != MailValues()

    def recipients(self, before: Sequence[str] = ()) -> tuple[str, ...]:
        """Return who gets it, each once, of whom `before` are those who got it without this sentence."""
        gone = {each.casefold() for each in self.dropped}
        kept = [
            each for each in before if not self.to and not gone & {each.casefold(), each.partition("@")[0].casefold()}
        ]
        return tuple({each.casefold(): each for each in (*self.to, *kept, *self.added)}.values())


def write_values(
    typed: str,
    connections: Mapping[str, str],
    tables: Sequence[str] = (),
    columns: Sequence[str] = (),
    *,
    sure: bool = False,
) -> WriteValues:
    """Return what a request says of a write; `connections` are labels by name, `tables` those that are there.

    A clause that names one of the `columns` of the result is not used. `sure`: only what looks like a name is one.
    """
    sentence = Sentence(typed)
    name = _find_job(sentence)
    target = find_target(sentence, connections, tables, sure=sure)
    mode = find_mode(sentence)
    unread = sentence.unread(own_actions("write"), lambda clause: mentioned(clause, columns))
    if _names_several_tables(sentence.text, connections, tables):
        unread = Unread(sentence.text, holds=True)
    return WriteValues(*target, mode, name, unread=unread)


def _names_several_tables(text: str, connections: Mapping[str, str], tables: Sequence[str]) -> bool:
    """Return whether two clauses of a sentence each name a table: they are two wishes."""
    clauses = (clause.typed for clause in clauses_of(text))
    named = (find_target(Sentence(clause), connections, tables, sure=True)[2] for clause in clauses)
    return len({table for table in named if table}) > 1


def write_patch(
    typed: str,
    connections: Mapping[str, str],
    columns: Sequence[str] = (),
    targets: Sequence[str] = (),
    tables: Sequence[str] = (),
) -> WriteValues:
    """Return what a sentence at a card changes of the write on show; nothing if it is something else.

    `columns` are those of the result, `targets` those of the table that is there. A word may be left over beside one of
    the `tables`.
    """
    if _asks(typed):
        return WriteValues()
    if pairs := column_pairs(typed, columns, targets):
        return WriteValues(columns=pairs)
    found = write_values(typed, connections, tables, sure=True)
    other = found.table in {*columns, *targets} - set(tables) or found.unread.holds
    spare = int(found.table in tables)
    return WriteValues() if other or not found or len(unknown_words(found.unread.text)) > spare else found


def mail_values(typed: str, known: Sequence[str] = ()) -> MailValues:
    """Return what a sentence says of an e-mail; `known` are its recipients, who may be named in short."""
    return take_mail(Sentence(typed), known)


def take_mail(sentence: Sentence, known: Sequence[str] = ()) -> MailValues:
    """Take what a sentence says of an e-mail out of it; `known` are as in `mail_values`."""
    subject, body = find_texts(sentence)
    for place in sentence.spans("mailing.add") if subject or body else ():  # "add a note"
        sentence.take(*place)
    form = find_form(sentence)
    people = find_people(sentence, known)
    unread = sentence.unread(own_actions("email"))
    unsure = people.unsure or unread.holds or bool(people.dropped and unknown_words(unread.text))  # "eve out, kim in"
    return MailValues(people.to, people.added, people.dropped, subject, body, form, unsure, unread)


def mail_patch(typed: str, known: Sequence[str] = ()) -> MailValues:
    """Return what a sentence at a card changes of the e-mail on show; nothing if it is something else."""
    found = mail_values(typed, known)
    spare = PATCH_UNUSED_WORDS_MAX if found.recipients() or found.dropped else 0
    other = _asks(typed) or found.unread.holds
    return MailValues() if other or len(unknown_words(found.unread.text)) > spare else found


def _asks(typed: str) -> bool:
    """Return whether a clause of a sentence asks something; "can you add bob@x.de?" is a request."""
    clauses = (typed, *re.split(r"[,;]", typed))
    return any(is_question(clause) and not begins_with("values.requests", clause) for clause in clauses)


def _find_job(sentence: Sentence) -> str:
    for begin, end in sentence.spans("writing.job"):
        place = sentence.behind("writing.named_as", end)
        found = _JOB.match(sentence.left, place)
        if found and place > end:
            value = sentence.take(*found.span("value"))
            sentence.take(begin, end)
            return value
    return ""
