"""Reads what a sentence changes of an e-mail or of a write that a card shows: "add bob@firma.de", "not Excel, CSV".

Only what was understood to the last word is a correction: a question about the card, or a new one, is none.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from router.memory.thread import Mode
from router.understanding.kinds import is_question
from router.understanding.parameters.columns import column_pairs
from router.understanding.parameters.mailing import ADDRESS, rules_of_mailing
from router.understanding.parameters.sentence import CHANGE_WORDS, Form, Rest, unknown_words, unquoted
from router.understanding.parameters.writing import mode_of, rules_of_writing

CORRECTION_MAX_CHARS = 400
"""Characters of a sentence that is looked at."""

_ADDS = re.compile(
    r"\b(?:add|also|too|as well|cc|bcc|in copy|plus|additionally|auch|zusätzlich|noch|hinzu\w*|ajoute\w*|aussi"
    r"|en copie|añad\w*|agreg\w*|también|en copia)\b",
    re.IGNORECASE,
)
_DROPS = re.compile(
    r"\b(?:remove|drop|take (?:off|out)|without|leave out|not (?:to|for)|don'?t (?:send|mail|copy)|no longer|delete"
    r"|except|entfern\w*|streich\w*|ohne|nicht an|raus|enlève\w*|retire\w*|sans|pas à|quita\w*|sin|no a)\b",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"(?P<new>.+?)\s*(?:,|\binstead of\b|\brather than\b|,?\s*\bnot\b|\bstatt\b|\banstelle von\b|\bau lieu de\b"
    r"|\ben vez de\b|\ben lugar de\b)\s*(?P<old>.+)",
    re.IGNORECASE,
)
_NOT_BUT = re.compile(
    r"\b(?:not|nicht|pas|no)\s+(?:to\s+|an\s+|à\s+|a\s+)?(?P<old>\S+?),?\s+"
    r"(?:but|to|rather|it'?s|it is|sondern|mais|c'est|sino|es)\s+(?P<new>.+)",
    re.IGNORECASE,
)
_BETTER = re.compile(
    r"(?:lieber|rather|better|plutôt|mejor)\s+(?P<new>.+?)\s+(?:als|than|que)\s+(?P<old>.+)", re.IGNORECASE
)
_LEAD = re.compile(
    r"(?:(?:yes|yeah|no|nein|ja|non|oui|sí|si|ok|okay|sorry|please|bitte|actually|stop|wait|and|und|et|y|hm+)[,.!]*\s+)*"
    r"(?:(?:but|aber|mais|pero)\s+)?",
    re.IGNORECASE,
)
_SAID = re.compile(
    r"^(?:i (?:said|meant|mean|wrote)|ich (?:meinte|sagte)|je (?:voulais dire|disais)|(?:dije|quería decir))\s+",
    re.IGNORECASE,
)
_IS = r"(?:\s+(?:to|into|should be|is|must be|should say|should read|says|zu|in|auf|en|à|a|por))?\s*[:=]?\s+"
_BODY = r"message|text|body|note|nachricht|mensaje"
_TITLED = re.compile(
    rf"\b(?P<what>subject(?: line)?|title|betreff|objet|asunto|{_BODY}){_IS}(?P<value>\S.*)$", re.IGNORECASE
)
_JOB = re.compile(rf"\b(?:job(?: name)?|name(?: the job| of the job)?)\b{_IS}(?P<value>\S.*)$", re.IGNORECASE)
_CHANGE = re.compile(
    r"(?:(?:please|can you|could you|i want to|let'?s)\s+)*(?:change|set|make|use|put|rename|call|edit|replace|update"
    r"|ändere|setze?|mach|change[rz]?|mets|cambia\w*|pon)\b",
    re.IGNORECASE,
)
_EMPTY_BODY = re.compile(
    r"(?:leave|keep|lass\w*|laisse\w*|deja)\b.*\b(?:message|text|body|nachricht|mensaje)\b.*\b(?:empty|blank|leer|vide|vac[ií]o)\b",
    re.IGNORECASE,
)
_NO_BODY = re.compile(
    rf"\b(?:no|without(?: a| the| any)?|remove the|drop the|delete the|ohne|kein\w*|sans|sin)\s+(?:{_BODY})\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class MailingCorrection:
    """Changes of an e-mail; None is what stays. `to` is in place of all recipients."""

    to: tuple[str, ...] | None = None
    added: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    subject: str | None = None
    body: str | None = None
    form: Form | None = None

    def __bool__(self) -> bool:
        return self != MailingCorrection()

    def recipients(self, before: tuple[str, ...]) -> tuple[str, ...]:
        """Return who gets it, each once."""
        gone = {each.casefold() for each in self.dropped}
        kept = [
            each
            for each in before
            if self.to is None and not gone & {each.casefold(), each.casefold().partition("@")[0]}
        ]
        return tuple(dict.fromkeys((*(self.to or ()), *kept, *self.added)))


@dataclass(frozen=True, slots=True)
class WritingCorrection:
    """Changes of a write; empty is what stays.

    `columns` are names of the table by those of the result, "" to leave one out.
    """

    connection: str = ""
    schema: str = ""
    table: str = ""
    mode: Mode | Literal[""] = ""
    name: str = ""
    columns: Mapping[str, str] | None = None

    def __bool__(self) -> bool:
        return bool(self.connection or self.schema or self.table or self.mode or self.name or self.columns)


def mailing_correction(text: str) -> MailingCorrection:
    """Return what a sentence changes of the e-mail on show; nothing where it says something else, too."""
    typed = " ".join(text.split())
    if not typed or len(typed) > CORRECTION_MAX_CHARS:
        return MailingCorrection()
    typed = typed[len(_LEAD.match(typed)[0]) :] or typed  # type: ignore[index]
    if (_NO_BODY.search(typed) and "@" not in typed) or _EMPTY_BODY.search(typed):
        return MailingCorrection(body="")
    if (named := _TITLED.search(typed)) and (named.start() == 0 or _CHANGE.match(typed) or _ADDS.match(typed)):
        return _titled(named["what"].lower(), unquoted(named["value"].strip(" .")), typed[: named.start()])
    old, new = _exchanged(typed)
    if old and "@" in new and ("@" in old or re.search(r"@", typed)):
        return MailingCorrection(added=_addresses(new), dropped=_addresses(old) or (old,))
    form = _form_of(new or typed)
    rest = Rest(re.sub(_DROPS, " ", new or typed))
    wish = rules_of_mailing(rest)
    left = [word for word in unknown_words(rest.left) if word.lower() not in CHANGE_WORDS]
    if left or (typed.endswith("?") and not (wish.recipients or form)) or (wish.body and not wish.recipients):
        return MailingCorrection()
    people = tuple(each for each in wish.recipients if "@" in each or each == "me")
    if people and _DROPS.search(typed) and not _ADDS.search(typed):
        return MailingCorrection(dropped=people)
    if people and _ADDS.search(typed):
        return MailingCorrection(added=people, form=form)
    subject, body = wish.subject or None, wish.body or None
    return MailingCorrection(people or None, subject=subject, body=body, form=form or wish.form or None)


def _titled(what: str, value: str, before: str) -> MailingCorrection:
    if not value or len(before.split()) > 6:
        return MailingCorrection()
    if what in _BODY.split("|"):
        return MailingCorrection(body=value)
    return MailingCorrection(subject=value)


def _exchanged(typed: str) -> tuple[str, str]:
    """Return what is to go, and what comes in its place; both empty where a sentence does not say so."""
    if found := _BETTER.fullmatch(typed):
        return found["old"].strip(" ,.!"), found["new"]
    if found := _NOT_BUT.search(typed):
        return found["old"].strip(" ,"), found["new"]
    if found := _INSTEAD.fullmatch(typed):
        return found["old"].strip(" ,.!"), found["new"]
    return "", ""


def _addresses(text: str) -> tuple[str, ...]:
    return tuple(re.findall(ADDRESS, text))


def _form_of(typed: str) -> Form | None:
    return rules_of_mailing(Rest(typed)).form or None


def writing_correction(text: str, connections: Mapping[str, str], columns: tuple[str, ...] = ()) -> WritingCorrection:
    """Return what a sentence changes of the write on show; `columns` are those of the result, `connections` labels."""
    typed = " ".join(text.split())
    if not typed or len(typed) > CORRECTION_MAX_CHARS or is_question(typed):
        return WritingCorrection()
    typed = _SAID.sub("", typed[len(_LEAD.match(typed)[0]) :] or typed, count=1)  # type: ignore[index]
    if pairs := column_pairs(typed, columns):
        return WritingCorrection(columns=pairs)
    if (named := _JOB.search(typed)) and (named.start() == 0 or _CHANGE.match(typed)):
        return WritingCorrection(name=unquoted(named["value"].strip(" .")))
    _, new = _exchanged(typed)
    rest = Rest(new or typed)
    wish = rules_of_writing(rest, connections)
    left = [word for word in unknown_words(rest.left) if word.lower() not in CHANGE_WORDS]
    mode = wish.mode or mode_of(typed)
    if len(left) > (1 if mode and not wish.table else 0):
        return WritingCorrection()
    return WritingCorrection(wish.connection, wish.schema, wish.table, mode, wish.name)
