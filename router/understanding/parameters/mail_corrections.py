"""Reads what a sentence changes of an e-mail that a card shows: "add bob@firma.de", "subject: Orders", "not Excel".

The subject and the text are cut out first, then the people, each with the last word before them that says whether they
come or go; what is left must be words of such changes. A question about the card, or a new one, changes nothing.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from router.understanding.button_words import waits
from router.understanding.kinds import is_question
from router.understanding.parameters.mailing import ADDRESS, form_of
from router.understanding.parameters.sentence import CHANGE_WORDS, NO_SUBJECT, Form, unknown_words, unquoted
from router.understanding.parameters.wording import wish_in


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


def mailing_correction(text: str, recipients: Sequence[str] = ()) -> MailingCorrection:
    """Return what a sentence changes of the e-mail on show; nothing where it says something else, too.

    `recipients` are those on show, who may be named by what stands before the @.
    """
    typed = wish_in(text)
    if not typed:
        return MailingCorrection()
    rest, subject, body = _titled(typed)
    rest, to, added, dropped = _people(rest, recipients)
    form = form_of(re.sub(_IN_PLACE_OF_FORM, " ", rest)) or None
    changes = MailingCorrection(to or None, added, dropped, subject, body, form)
    asks = is_question(rest) and not (to or added or dropped or form)
    asks = asks or any(is_question(part) for part in re.split(r"[,;]+\s*(?:and |und |et |y )?", rest)[1:])
    left = [word for word in unknown_words(rest) if word.lower() not in CHANGE_WORDS]
    return MailingCorrection() if asks or len(left) > bool(to or added or dropped) else changes


# The subject and the text: what stands behind such a word, up to where another part of the e-mail begins.

_SUBJECT: Final = r"subject(?: line)?|subjct|subjet|sujet|titel|title|betreff(?:zeile)?|objet|asunto"
_BODY: Final = r"message|text|body|note|nachricht|mensaje|texte|texto"
_THE: Final = r"(?:(?:with|and|the|a|an|new|mit|den|dem|der|die|das|eine|neue[rn]?|avec|le|la|un|con|el|una|als|as) )*"
_FORM: Final = r"(?:csv|excel|xlsx|attachment|anhang)"
_TITLED: Final = re.compile(
    rf"(?:^|(?<=[\s,;.(]))(?:(?:add|put|write|set|change|make|use|füge|setze?|schreib\w*|ändere|mets|change[rz]?|pon"
    rf"|cambia\w*|añade) )?{_THE}(?:(?P<subject>{_SUBJECT})|(?P<body>{_BODY}))(?: ändern| changed?| setzen)?\b"
    r"(?P<is>\s*[:=]\s*|\s+(?:to|into|should (?:say|read)|says|auf|zu|in|en|à|a|por)\b:?\s*"
    r"|\s+(?:is|should be|must be|ist|soll|est|es)\s+|\s+)"
    rf"(?P<value>\S.*?)(?=[.!]*$|[,;.]?\s+(?:(?:and|und|et|y)\s+)?(?:(?:(?:to|an|à|a|para|für|for|cc|send|mail|schick\w*"
    rf"|recipients?|empfänger|destinataires?|destinatarios?)\b:?\s+)*{ADDRESS}|(?:send|mail) it\b"
    r"|(?:send|schick\w*|envoie|manda|ab)[.!]*$)"
    rf"|[,;.]\s+(?:and\s+|und\s+|et\s+|y\s+)?(?:{_THE}(?:{_SUBJECT}|{_BODY})\b|(?:as|als|en)\s+(?:an?\s+)?{_FORM}\b))",
    re.IGNORECASE,
)
_EMPTY: Final = re.compile(
    rf"(?:(?:leave|keep|lass\w*|laisse\w*|deja)\s+{_THE}(?:{_BODY})\s+(?:empty|blank|leer|vide|vac[ií][oa])"
    rf"|{_THE}(?:{_BODY})\s+(?:\w+\s+){{0,3}}?(?:empty|blank|leer|vide|vac[ií][oa])(?:\s+(?:bleiben|sein|lassen))?"
    rf"|(?:no|without(?: a| the| any)?|remove the|drop the|delete the|ohne(?: den| die)?|kein\w*|sans|sin)"
    rf"\s+(?:{_BODY}))"
    rf"(?!\w)(?!\s*[:@])",
    re.IGNORECASE,
)


def _titled(typed: str) -> tuple[str, str | None, str | None]:
    """Return the sentence without subject and text, and these; None is what it does not say."""
    subject = body = None
    if empty := _EMPTY.search(typed):
        typed, body = f"{typed[: empty.start()]} , {typed[empty.end() :]}", ""
    while found := _TITLED.search(typed):
        value, said = found["value"].strip(" .,;"), found["is"].strip()
        quoted = unquoted(value)
        first = re.findall(r"[\w']+", value.casefold())[:1]
        no_value = quoted == value and (
            not first or waits(value) or (first[0] in NO_SUBJECT and said not in (":", "="))
        )
        typed = f"{typed[: found.start()]} , {typed[found.end() :]}"
        if no_value and not re.search(ADDRESS, typed):
            return "", None, None
        if no_value:
            continue
        if found["subject"]:
            subject = quoted
        else:
            body = quoted
    return typed, subject, body


# People: addresses, recipients by their names, and whoever types.

_ME: Final = (
    r"(?<!let )(?<!from )(?<!tell )(?<!for )(?<!give )(?<!show )(?<![\w@.'])(?:me|myself|mir|mich|moi)(?![\w@'])"
)
_MARKS: Final = re.compile(
    r"\b(?:(?P<not>(?:not|nicht|pas|no|don'?t (?:send|mail|copy)(?: it)?)(?: (?:to|for|an|für|à|a|pour|para))?)"
    r"|(?P<drop>(?:remove|drop|take (?:off|out)|without|leave out|no longer|delete|except|replace|instead of"
    r"|rather than|statt|anstatt|anstelle von|au lieu d[eu']|en vez de|en lugar de|entfern\w*|streich\w*|nimm|ohne"
    r"|ersetze?|enlève\w*|retire\w*|remplace\w*|sans|quita\w*|sin|reemplaza\w*"
    r"|(?:lieber|rather|better|plutôt|mejor)\s.*\s(?:als|than|que))(?: (?:to|for|an|für|à|a))?)"
    r"|(?P<add>(?:add|also|too|as well|cc|bcc|cop(?:y|ie|ia)|plus|additionally|auch|zusätzlich|noch|dazu|hinzu\w*|kopie"
    r"|ajoute\w*|aussi|añad\w*|agreg\w*|también)(?: (?:to|for|an|für|à|a))?)"
    r"|(?P<new>but|to|with|it'?s|is|send|mail|use|instead(?! of)|sondern|durch|mit|an|lieber|mais|à|par|c'est|mets|sino"
    r"|pero|por|pon|es))\b",
    re.IGNORECASE,
)
_BEHIND: Final = re.compile(
    r"^[^,;]*?\b(?:(?P<add>too|as well|also|in copy|auch|dazu|hinzu\w*|in kopie|aussi|en copie|también|en copia)"
    r"|(?P<drop>raus|weg|streichen|entfernen|off|out))\b",
    re.IGNORECASE,
)
_IN_PLACE_OF_FORM: Final = re.compile(
    r"(?:instead of|rather than|statt|anstatt|au lieu d[eu']|en vez de|en lugar de"
    rf"|(?<=\w) (?:than|als|que)) (?:an? |the |als |as )?{_FORM}\b",
    re.IGNORECASE,
)

_People = tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]]


def _people(typed: str, recipients: Sequence[str]) -> _People:
    """Return the sentence without its people, and who is to get it, who as well, and who no more."""
    names = {each.partition("@")[0].casefold(): each for each in recipients}
    ways = [re.escape(way) for name in names for way in {name, name.partition(".")[0]} if len(way) > 1]
    known = rf"|(?<![\w@.'-])(?:{'|'.join(ways)})(?![\w@-])" if ways else ""
    gone = r"|(?:(?<=\bnot )|(?<=\bnicht )|(?<=\bpas )|(?<=\bof ))(?!to\b|an\b|for\b)[^\W\d_]+(?=,? .*@)"
    mention = re.compile(rf"{ADDRESS}|{_ME}{known}{gone}", re.IGNORECASE)
    to: list[str] = []
    added: list[str] = []
    dropped: list[str] = []
    place, last, rest = 0, "new", typed
    found = list(mention.finditer(typed))
    for number, each in enumerate(found):
        between = typed[place : each.start()]
        behind = typed[each.end() : found[number + 1].start() if number + 1 < len(found) else len(typed)]
        last = _going(between, last, typed[: each.start()])
        after = _BEHIND.match(behind) if number + 1 == len(found) or "," in behind else None
        going = ("add" if after["add"] else "drop") if after and last in ("new", "add") else last
        who = each[0] if "@" in each[0] else _named(each[0].casefold(), names)
        {"add": added, "drop": dropped, "not": dropped}.get(going, to).append(who)
        rest = rest[: each.start()] + "," * len(each[0]) + rest[each.end() :]
        place = each.end()
    if added or dropped:
        to, added = [], [*to, *added]
    return rest, tuple(to), tuple(added), tuple(dropped)


def _going(between: str, before: str, all_before: str) -> Literal["new", "add", "drop", "not"] | str:
    """Return what the words before somebody say of them; behind "and" it is what was said of the one before."""
    marks = list(_MARKS.finditer(between)) or (list(_MARKS.finditer(all_before)) if "als" in between else [])
    if marks:
        return marks[-1].lastgroup or "new"
    return "new" if before == "not" and "," in between else before


def _named(word: str, names: dict[str, str]) -> str:
    if word in ("me", "myself", "mir", "mich", "moi"):
        return "me"
    return next((each for name, each in names.items() if word in (name, name.partition(".")[0])), word)
