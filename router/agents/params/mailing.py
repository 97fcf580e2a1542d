"""What rules read of a sentence that asks for an e-mail; what they are not sure of, they leave."""

import re

from router.agents.params.recipients import ADDRESS, recipients_in
from router.agents.params.rest import QUOTED, Rest
from router.agents.params.wishes import Form, MailingWish

_AND = r"[,;]?\s*(?:and |und |et |y )?(?:please )?"
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
_ENDS = (
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
    re.compile(rf"\b(?:titled|entitled|headed|title it|call it) (?P<value>\S.*?)(?=,|{_ENDS[3:]}", re.IGNORECASE),
    re.compile(rf"{_SUBJECT}(?P<value>\S.*?){_ENDS}", re.IGNORECASE),
)
_QUOTED_BODIES = (
    re.compile(rf"(?:{_BODY}|{_SAYING})(?P<value>{QUOTED})", re.IGNORECASE),
    re.compile(rf"{_AND}\b(?:tell|inform|sag|diles?) [\w-]+:? (?P<value>{QUOTED})", re.IGNORECASE),
)
_BODIES = (
    re.compile(
        rf"{_AND}\b(?:tell|inform|dis|sage?|sagt|diles?)(?:-leur|-lui)?(?: {_WHOM})?(?=[ ,:]),?:?"
        rf" ?{_THAT}(?P<value>\S[^\0]*)$",
        re.IGNORECASE,
    ),
    re.compile(rf"{_AND}\blet {_WHOM} know,? {_THAT}(?P<value>\S[^\0]*)$", re.IGNORECASE),
    re.compile(rf"{_AND}\b(?:he|she|they|{_WHOM}) should know {_THAT}(?P<value>\S[^\0]*)$", re.IGNORECASE),
    re.compile(rf"{_BODY}(?P<value>\S[^\0]*)$", re.IGNORECASE),
    re.compile(rf"{_SAYING}(?P<value>\S[^\0]*)$", re.IGNORECASE),
)
_TOLD = re.compile(rf"\b(?:tell|inform|let) (?P<who>{ADDRESS}) (?:know )?(?:that )?(?P<value>\S[^\0]*)$", re.IGNORECASE)
_AFTER_COLON = re.compile(rf"{ADDRESS}>?\s*:\s+(?P<value>\S+ \S+ \S[^\0]*)$")

_REQUEST = re.compile(r"(?:can|could|would|will|kannst|könntest|peux|pouvez|puedes)\b", re.IGNORECASE)

_NOT = (
    r"(?:\b(?:do not|don'?t|not|no|without|never|nicht|kein\w*|ohne|sans|pas|sin)\b(?: [\w']+){0,3}? "
    r"(?:an? |as |als |en )?)"
)
_FORMS: dict[Form, str] = {
    "csv": r"csv\b",
    "xlsx": r"(?:excel|exel|xlsx?|spreadsheet|workbook|tableur)\b",
    "table": r"(?:in(?:side)? the (?:e-?mail|mail|message|body)|inline|in-line|as (?:plain )?text|as a table\b"
    "|als (?:tabelle|text)\b"
    r"|im text|in der (?:e-?mail|mail|nachricht)|dans le (?:corps|message|mail)|en el (?:cuerpo|mensaje|correo))",
}
_NO_FILE = re.compile(rf"{_NOT}(?:attach\w*|files?|anhang|pièce|adjunto)\b", re.IGNORECASE)
_ATTACHED = re.compile(r"\b(?:attach(?:ment|ed)?|anhang|angehängt|pièce jointe|adjunto)\b", re.IGNORECASE)


def rules_of_mailing(rest: Rest) -> MailingWish:
    """Return what is sure."""
    body = rest.take(*_QUOTED_BODIES)
    subject = rest.take(*_SUBJECTS)
    body = body or _body(rest)
    end = " .,;?" if _REQUEST.match(rest.text) else " .,;"
    return MailingWish(recipients_in(rest), subject.rstrip(end), body.rstrip(" ,;"), _form(rest.unnamed))


def _body(rest: Rest) -> str:
    if told := _TOLD.search(rest.left):
        # Who is told is a recipient as well, and is read later.
        rest.cut(told.start(), told.start("who"))
        rest.cut(told.end("who"), told.start("value"))
        return rest.take(re.compile(rf"(?P<value>{re.escape(told['value'])})$"))
    if found := _AFTER_COLON.search(rest.left):
        return rest.take(re.compile(rf"(?P<value>{re.escape(found['value'])})$"))
    return rest.take(*_BODIES)


def _form(text: str) -> Form:
    """Return the one form that the words mean, "" where they mean none or several; an attachment is Excel's."""
    forms = [form for form, words in _FORMS.items() if _meant(words, text)]
    if not forms and not _NO_FILE.search(text) and _ATTACHED.search(text):
        return "xlsx"
    if not forms and _NO_FILE.search(text):
        return "table"
    return forms[0] if len(forms) == 1 else ""


def _meant(words: str, text: str) -> bool:
    denied = re.sub(rf"{_NOT}{words}", "", text, flags=re.IGNORECASE)
    return bool(re.search(rf"(?<![\w@.]){words}", denied, re.IGNORECASE))
