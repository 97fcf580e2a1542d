"""Rules that read a sentence which asks for an e-mail, and leave what they are not sure of."""

import re

from router.understanding.parameters.sentence import NO_RECIPIENT, QUOTED, Form, MailingWish, Rest

# Recipients: addresses, the asker, and names, in the order in which they are written.


ADDRESS = r"[^\s<>,;:\"()\[\]@\0]+@[^\s<>,;:\"()\[\]@\0]+\.[^\s<>,;:\"()\[\]@.\0]{2,}"

_PERSON_NAME = r"[^\W\d_][\w'.-]*"
_MAILBOX = re.compile(rf"(?P<value>(?:(?P<name>{_PERSON_NAME}(?: {_PERSON_NAME}){{0,3}}) )?<{ADDRESS}>|{ADDRESS})")
_AFTER_TO = re.compile(r"(?:^|.*\b)(?:to|too|an|à|a|cc|and|und|et|y|mail|email|send)\s+", re.IGNORECASE)
_NOT_TO = re.compile(
    r"\b(?:bcc:?|not(?: to)?|except(?: for)?|never to|from|of|nicht an|außer|von|sauf|pas à|no a)\s+$", re.IGNORECASE
)
_ME = re.compile(
    r"(?<!let )(?<!tell )(?<!for )(?<!give )(?<!show )(?<!\w)(?P<value>me|myself|mir|mich|moi)(?![\w@.'])"
    r"|\b(?:env[ií]a|m[aá]nda|envíe|mande)(?P<clitic>me)(?:l[oa]s?)?\b|\bmy (?P<own>inbox|mailbox|address)\b",
    re.IGNORECASE,
)
_STOP = (
    r"(?:as|with|by|in|on|via|per|saying|please|pls|subject|titled|als|mit|bitte|con|avec|en"
    r"|por|par|and|und|et|y|the|now)"
)
_ALL = r"(?:everybody|everyone|anyone|all|people) (?:in|at|of|from) "
_THE = r"(?:the|my|our|das|die|unser\w*|mein\w*|l'|la|le|el|mi|mon|ma)"
_PERSON = rf"(?:{_ALL})?(?:{_THE} )?{_PERSON_NAME}(?: (?!{_STOP}\b){_PERSON_NAME}){{0,3}}"
_RECIPIENTS_END = rf"(?=\s*(?:$|[,;:.!?\0]|{_STOP}\b))"
_SEPARATOR = r"(?:\s*,\s*(?:and |und )?|\s+(?:and|und|et|y|&)\s+)(?:to |an |à |a )?"
_NAMED_PEOPLE = re.compile(
    rf"\b(?:to|too|an|à|cc|for|für|pour|para|(?<=[dvl][ao] )a|(?<=os )a):? (?P<value>(?:(?:{_PERSON}"
    rf"|\0+){_RECIPIENTS_END}{_SEPARATOR})*{_PERSON}{_RECIPIENTS_END})",
    re.IGNORECASE,
)
_HANDED = re.compile(
    r"\b(?i:e-?mail|mail|send|forward|schicke?|sende?|maile?)(?: (?:es|das|dies))? (?P<value>[A-Z][\w'-]*)"
    r"(?=$|[,.;!?\0]| (?:it|this|that|these|the|und|and|das|die|als|as)\b)"
)


def recipients_in(rest: Rest) -> tuple[str, ...]:
    """Return who is to get the e-mail, each once; whoever asks is "me", and so is "mir" or "moi"."""
    found: list[tuple[int, str]] = []
    for match in _MAILBOX.finditer(rest.left):
        value, begin = match["value"], match.start()
        if match["name"] and (lead := _AFTER_TO.match(match["name"] + " ")):
            value, begin = value[lead.end() :], begin + lead.end()
        if not _NOT_TO.search(rest.left[:begin]):
            found.append((begin, value.strip("'") if value.count("'") == 2 else value))
        rest.cut(begin, match.end())
    for match in _ME.finditer(rest.left):
        if not _NOT_TO.search(rest.left[: match.start()]):
            found.append((match.start(), "me"))
        rest.cut(*match.span())
    for match in (*_NAMED_PEOPLE.finditer(rest.left), *_HANDED.finditer(rest.left)):
        found += _people(rest, match)
    seen: dict[str, str] = {}
    for _, value in sorted(found):
        seen.setdefault(value.casefold(), value)
    return tuple(seen.values())


def _people(rest: Rest, match: re.Match[str]) -> list[tuple[int, str]]:
    """Return the names in a list of people, which may have addresses between them."""
    people, begin = [], match.start("value")
    for part in re.split(rf"({_SEPARATOR})", match["value"], flags=re.IGNORECASE):
        words = part.lower().split()
        named = re.fullmatch(_PERSON, part, re.IGNORECASE) and not NO_RECIPIENT & {
            words[-1],
            words[0].removeprefix("my"),
        }
        if named:
            # "my address ana@example.com" is one recipient, whose address is read already.
            if not re.match(rf"\s+<?{ADDRESS}", rest.text[begin + len(part) :]):
                people.append((begin, part.rstrip(".")))
            rest.cut(begin, begin + len(part))
        begin += len(part)
    return people


_AND_THEN = r"[,;]?\s*(?:and |und |et |y )?(?:please )?"
_WHOM = r"(?:them|him|her|everybody|everyone|all|ihr|ihm|ihnen|leur|lui|(?-i:[A-Z]\w+))"
_THAT = r"(?:that |dass |que |qu')?"
_SUBJECT = (
    r"(?<!mail )(?<!send )(?<!\w)(?:with |and |mit |avec |con |use |the |a |dem |den |der |le |l'|el |als )*"
    r"\b(?:subject|subjct|subjet|heading|headline|betreff|objet|sujet|asunto|title|titel|titre)(?: line| is"
    r"| should be| will be|zeile)*\b"
    r"(?: of)?\s*[:=]?\s*"
)
_BODY = (
    r"\b(?<!im )(?<!als )(?<!as )(?:with |and |mit |avec |con |the |a |dem |den |le |el |add |include |write "
    r"|short |quick |little )*"
    r"(?<!im )(?<!als )(?<!as )\b(?:body|text|note|message|texte|texto|mensaje|nachricht|comment|intro)"
    r"(?: should be| should say| should read| is| saying| reading| that)?\s*[:=]?\s*"
)
_SAYING = r"(?:and |und |et |y )?\b(?:saying|say|says|mention(?:ing)?|schreiben?)(?:,? (?:that|dass))?\s*:?\s*"
# Where a value without quotes ends: at what only another part of the wish begins with.
_MAILING_ENDS = (
    r"(?=[,;.]?\s*(?:$|\0|(?:and |und |et |y |with )?(?:tell|saying|say (?!it)|body|message|sag|dis|dile"
    r"|add a note)\b|(?:text|message|note|texte|texto|mensaje|nachricht)\s*[:=]"
    r"|(?:as|als|in|im|en|format)(?: an?)? (?:excel|xlsx|csv|spreadsheet|exel)\b|,\s*(?:please|pls|bitte)"
    r"|(?:and )?(?:send|mail) it"
    rf"|(?:and |to )+{ADDRESS}|[.;] ))"
)
_SUBJECTS = (
    re.compile(rf"{_SUBJECT}(?P<value>{QUOTED})", re.IGNORECASE),
    re.compile(
        rf"(?P<value>{QUOTED}) (?:as|als|in|comme|como) (?:the |le |el )?(?:subject(?: line)?|betreff|objet|asunto)",
        re.IGNORECASE,
    ),
    re.compile(rf"\b(?:titled|entitled|headed|called) (?P<value>{QUOTED})", re.IGNORECASE),
    re.compile(r"\b(?:with|use|put) (?P<value>[^,;\0]+?) (?:as|in) (?:the )?subject(?: line)?\b", re.IGNORECASE),
    re.compile(
        rf"\b(?:titled|entitled|headed|title it|call it) (?P<value>\S.*?)(?=,|{_MAILING_ENDS[3:]}", re.IGNORECASE
    ),
    re.compile(rf"{_SUBJECT}(?P<value>\S.*?){_MAILING_ENDS}", re.IGNORECASE),
)
_QUOTED_BODIES = (
    re.compile(rf"(?:{_BODY}|{_SAYING})(?P<value>{QUOTED})", re.IGNORECASE),
    re.compile(rf"{_AND_THEN}\b(?:tell|inform|sag|diles?) [\w-]+:? (?P<value>{QUOTED})", re.IGNORECASE),
)
_BODIES = (
    re.compile(
        rf"{_AND_THEN}\b(?:tell|inform|dis|sage?|sagt|diles?)(?:-leur|-lui)?(?: {_WHOM})?(?=[ ,:]),?:?"
        rf" ?{_THAT}(?P<value>\S[^\0]*)$",
        re.IGNORECASE,
    ),
    re.compile(rf"{_AND_THEN}\blet {_WHOM} know,? {_THAT}(?P<value>\S[^\0]*)$", re.IGNORECASE),
    re.compile(rf"{_AND_THEN}\b(?:he|she|they|{_WHOM}) should know {_THAT}(?P<value>\S[^\0]*)$", re.IGNORECASE),
    re.compile(rf"{_BODY}(?P<value>\S[^\0]*)$", re.IGNORECASE),
    re.compile(rf"{_SAYING}(?P<value>\S[^\0]*)$", re.IGNORECASE),
)
_TOLD = re.compile(rf"\b(?:tell|inform|let) (?P<who>{ADDRESS}) (?:know )?(?:that )?(?P<value>\S[^\0]*)$", re.IGNORECASE)
_AFTER_COLON = re.compile(rf"{ADDRESS}>?\s*:\s+(?P<value>\S+ \S+ \S[^\0]*)$")

_REQUEST = re.compile(r"(?:can|could|would|will|kannst|könntest|peux|pouvez|puedes)\b", re.IGNORECASE)

_DENIED = (
    r"(?:\b(?:do not|don'?t|not|no|without|never|nicht|kein\w*|ohne|sans|pas|sin)\b(?: [\w']+){0,3}? "
    r"(?:an? |as |als |en )?)"
)
_FORMS: dict[Form, str] = {
    "csv": r"csv\b",
    "xlsx": r"(?:excel|exel|xlsx?|spreadsheet|workbook|tableur)\b",
    "table": r"(?:in(?:side|to)? the (?:e-?mail|mail|message|body)|inline|in-line|as (?:plain )?text|as a table\b"
    "|als (?:tabelle|text)\b"
    r"|im text|in der (?:e-?mail|mail|nachricht)|dans le (?:corps|message|mail)|en el (?:cuerpo|mensaje|correo))",
}
_NO_FILE = re.compile(rf"{_DENIED}(?:attach\w*|files?|anhang|pièce|adjunto)\b", re.IGNORECASE)
_ATTACHED = re.compile(r"\b(?:attach(?:ment|ed)?|anhang|angehängt|pièce jointe|adjunto)\b", re.IGNORECASE)


def rules_of_mailing(rest: Rest) -> MailingWish:
    """Return what is sure."""
    body = rest.take(*_QUOTED_BODIES)
    subject = rest.take(*_SUBJECTS)
    body = body or _body(rest)
    end = " .,;?" if _REQUEST.match(rest.text) else " .,;"
    return MailingWish(recipients_in(rest), subject.rstrip(end), body.rstrip(" ,;"), form_of(rest.unnamed))


def _body(rest: Rest) -> str:
    if told := _TOLD.search(rest.left):
        # Who is told is a recipient as well, and is read later.
        rest.cut(told.start(), told.start("who"))
        rest.cut(told.end("who"), told.start("value"))
        return rest.take(re.compile(rf"(?P<value>{re.escape(told['value'])})$"))
    if found := _AFTER_COLON.search(rest.left):
        return rest.take(re.compile(rf"(?P<value>{re.escape(found['value'])})$"))
    return rest.take(*_BODIES)


def form_of(text: str) -> Form:
    """Return the one form that the words mean, "" where they mean none or several; an attachment is Excel's."""
    forms = [form for form, words in _FORMS.items() if _meant(words, text)]
    if not forms and not _NO_FILE.search(text) and _ATTACHED.search(text):
        return "xlsx"
    if not forms and _NO_FILE.search(text):
        return "table"
    return forms[0] if len(forms) == 1 else ""


def _meant(words: str, text: str) -> bool:
    denied = re.sub(rf"{_DENIED}{words}", "", text, flags=re.IGNORECASE)
    return bool(re.search(rf"(?<![\w@.]){words}", denied, re.IGNORECASE))
