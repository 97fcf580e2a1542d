"""Errors of the six databases as sentences: what a cell holds, and a name that may not be read, stands in none.

A database's own words are kept only where they are about the statement itself, which its code or the moment says:
while it is planned, no row is read. Of the names in them, those of the statement and of what may be read stay. An
error in a row is said by its code. The bot's log has the whole message; numbers are kept, as administrators ask for
them.
"""

import logging
import re
from collections.abc import Iterable
from typing import Final

from router.sql.databases.deadline import driver_message
from router.sql.scope import Scope

log = logging.getLogger("icc_bot")

LOGIN_REFUSED = "The login was refused; please check the user name and the password of the connection"
SERVER_AWAY = "No database server answers; please check host and port in the connection's URL"
CONNECTION_LOST = "The connection to the database was lost. Nothing was changed; please run the query again"
OUT_OF_TIME = "The database did not answer in time, and the query was given up"
NO_NUMBER = "A text in the rows is not a number"
NO_DATE = "A text in the rows is not a date or a time"
TOO_LARGE = "A number in the rows becomes too large for its type"
BY_ZERO = "A number in the rows is divided by zero"
SEVERAL_ROWS = "A subquery that may give one row gives several"
OTHER_TEXT = "A text in the rows is not of the form that a function of the query needs"
ONLY_READS = "The session only reads, and the statement wanted to write"
TOO_LONG = "A value that the query computes is too long"

ORACLE_ERRORS = {
    "ORA-00942": "A table or view does not exist, or this user may not read it",
    "ORA-00904": "A column does not exist",
    "ORA-01013": "The query was cancelled in the database",
    "ORA-01017": LOGIN_REFUSED,
    "ORA-01031": "The database user lacks a privilege for this",
    "ORA-01427": SEVERAL_ROWS,
    "ORA-01426": TOO_LARGE,
    "ORA-01456": ONLY_READS,
    "ORA-01476": BY_ZERO,
    "ORA-01489": TOO_LONG,
    "ORA-01722": NO_NUMBER,
    **dict.fromkeys(("ORA-01830", "ORA-01843", "ORA-01847", "ORA-01858", "ORA-01861"), NO_DATE),
    "ORA-03136": "The connection was lost while logging in",
    "ORA-12514": "The database listener does not know the service; please check service_name in the connection's URL",
    "ORA-12541": "No database listener answers; please check host and port in the connection's URL",
    "DPY-4011": CONNECTION_LOST,
    "DPY-4024": OUT_OF_TIME,
}
MYSQL_ERRORS = {
    1040: "The database takes no more connections at the moment; please try again soon",
    1044: "There is no such database, or this user may not use it",
    1045: LOGIN_REFUSED,
    1049: "There is no such database; please check the end of the connection's URL",
    1139: OTHER_TEXT,
    1142: "The database user lacks a privilege for this",
    1143: "The database user lacks a privilege for this",
    1242: SEVERAL_ROWS,
    1292: OTHER_TEXT,
    1365: BY_ZERO,
    1690: TOO_LARGE,
    2002: SERVER_AWAY,
    2003: SERVER_AWAY,
    2006: CONNECTION_LOST,
    2013: CONNECTION_LOST,
    **dict.fromkeys((3140, 3141, 3144, 4038), OTHER_TEXT),
    **dict.fromkeys((1290, 1792, 1836), ONLY_READS),
}
MSSQL_ERRORS = {
    229: "The database user lacks a privilege for this",
    230: "The database user lacks a privilege for this",
    241: NO_DATE,
    242: NO_DATE,
    245: NO_NUMBER,
    **dict.fromkeys((220, 232, 8115), TOO_LARGE),
    512: SEVERAL_ROWS,
    8114: NO_NUMBER,
    8134: BY_ZERO,
    13609: OTHER_TEXT,
    18456: LOGIN_REFUSED,
    20002: SERVER_AWAY,
    20003: OUT_OF_TIME,
    20009: SERVER_AWAY,
}
ERRORS_BY_SERVER = {"MySQL": MYSQL_ERRORS, "MariaDB": MYSQL_ERRORS, "SQL Server": MSSQL_ERRORS}
"""The meaning of the error numbers of these servers and of their drivers."""

_MYSQL_STATEMENT: Final = (
    "1051 1052 1054 1055 1056 1060 1064 1066 1103 1109 1110 1111 1115 1128 1137 1140 1146 1149 1176 1191 1193 1210 "
    "1222 1235 1241 1247 1248 1250 1253 1267 1270 1271 1273 1287 1305 1318 1327 1578 1582 1583 1630 3029 3065 3579 "
    "3591 3593 3636 4015 4016 4107"
)
_MSSQL_STATEMENT: Final = (
    "205 206 207 208 209 214 260 306 319 402 403 408 421 529 1011 1013 1033 1035 1038 2812 4104 4112 4113 4121 4145 "
    "5308 8116 8117 8118 8120 8121 8123 8124 8126 8127 8155 8156 8158 8159 10739 10752 10753 11501"
)
STATEMENT_ERRORS = {
    label: frozenset(map(int, numbers.split()))
    for label, numbers in (("MySQL", _MYSQL_STATEMENT), ("MariaDB", _MYSQL_STATEMENT), ("SQL Server", _MSSQL_STATEMENT))
}
"""Numbers of errors about the statement: its grammar, and names in it."""

MSSQL_GRAMMAR_MAX = 199
"""Up to this number, SQL Server's errors are about the grammar."""

ORACLE_ERROR_CODE = re.compile(r"\b(?:ORA-\d{5}|DP[YI]-\d{4})\b")
ORACLE_GRAMMAR = re.compile(r"ORA-009\d\d|ORA-0178\d|ORA-01799|ORA-3048\d|ORA-06553|PLS-\d+")

_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'|`[^`]*`")
_PARTS = re.compile(r"(?<=[.!?])\s+|\n+")
_WORD = re.compile(r"\w+")
HIDDEN = "…"


class ErrorSentences:
    """What one session says of its database's errors: `start` gives it the statement, `scope` what may be read."""

    def __init__(self, label: str, scope: Scope | None = None) -> None:
        self.label = label
        self._readable = _words_of(_names_of(scope))
        self._known = self._readable

    def start(self, sql: str) -> None:
        """Take the words of `sql` as known."""
        self._known = self._readable | _words_of((sql,))

    def of_statement(self, message: str) -> str:
        """Return the sentence for an error about the statement: the first part of the message, and what else is known.

        A hint that names what the statement does not is left out, so that it does not even show that there is more.
        """
        first, *others = _PARTS.split(message)
        kept = [self._shown(first), *(part for part in others if self._shown(part) == part)]
        return self.refused(driver_message(" ".join(kept)))

    def of_rows(self, meaning: str, code: str | int = "") -> str:
        """Return the sentence for an error in a row, by what its code means; `meaning` holds no value."""
        if not meaning:
            return self.refused(f"error {code}, whose words are in the bot's log" if code else "the bot's log says why")
        return self.refused(f"{meaning} ({code})" if code else meaning)

    def refused(self, why: str) -> str:
        """Return that the database refused the statement."""
        return f"{self.label} refused the statement: {why.rstrip('.')}."

    def of_server(self, error: Exception) -> str:
        """Return what an error of Oracle's, MySQL's, MariaDB's or SQL Server's driver means."""
        note(self.label, error)
        first = error.args[0] if error.args else 0
        words = words_of(error)
        if ORACLE_ERROR_CODE.search(words):
            return self._of_oracle(words)
        number = first if isinstance(first, int) else 0
        if meant := ERRORS_BY_SERVER.get(self.label, {}).get(number):
            return f"{meant} ({number})."
        grammar = self.label == "SQL Server" and 0 < number <= MSSQL_GRAMMAR_MAX
        if grammar or number in STATEMENT_ERRORS.get(self.label, ()):
            return self.of_statement(words)
        return self.of_rows("", number or "")

    def _of_oracle(self, words: str) -> str:
        codes = ORACLE_ERROR_CODE.findall(words)
        known = next((code for code in codes if code in ORACLE_ERRORS), "")
        code = known or codes[0]
        if not ORACLE_GRAMMAR.fullmatch(code):
            return f"{ORACLE_ERRORS[known]} ({known})." if known else self.of_rows("", code)
        own = self._shown(driver_message(re.split(rf"{code}:?\s*|\bHelp: ", words)[1]))
        return f"{ORACLE_ERRORS[known]}: {own} ({known})." if known else self.refused(f"{code}: {own}")

    def _shown(self, text: str) -> str:
        """Return the text with each quoted name that is not known as "…"; words without quotes are the database's."""

        def shown(found: re.Match[str]) -> str:
            quoted = found[0]
            known = _words_of((quoted,)) <= self._known
            return quoted if known else f"{quoted[0]}{HIDDEN}{quoted[-1]}"

        return _QUOTED.sub(shown, text)


def note(label: str, error: object) -> None:
    """Log a database's whole message, for whoever runs the bot."""
    log.warning("%s: %s", label, driver_message(error))


def before_values(message: str) -> str:
    """Return the beginning of a message up to what may be a value: anything quoted, counted or behind a colon.

    For engines whose messages about rows all begin with words of their own.
    """
    return re.split(r"[\"'`:=(\[\d]", message, maxsplit=1)[0].strip() or "a value does not fit"


def words_of(error: Exception) -> str:
    """Return the message out of a driver's error: of (number, message) the message, without the driver's remarks."""
    last = error.args[-1] if error.args else error
    text = last.decode("utf-8", "replace") if isinstance(last, bytes) else str(last)
    return text.split("DB-Lib error message")[0]


def _names_of(scope: Scope | None) -> Iterable[str]:
    if scope is None:
        return
    for schema, table in scope.tables:
        yield from (schema, table)
    for columns in scope.columns.values():
        yield from columns


def _words_of(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word.casefold() for text in texts for word in _WORD.findall(text))
