"""Server errors as sentences; their numbers are kept, as they are what an administrator asks for."""

import re

from router.sql.databases.running import one_line

MEANINGS = {
    "ORA-00942": "A table or view does not exist, or this user may not read it",
    "ORA-00904": "A column does not exist",
    "ORA-01013": "The query was cancelled in the database",
    "ORA-01017": "The login was refused; please check the user name and the password of the connection",
    "ORA-01031": "The database user lacks a privilege for this",
    "ORA-01456": "The session only reads, and the statement wanted to write",
    "ORA-03136": "The connection was lost while logging in",
    "ORA-12514": "The database listener does not know the service; please check service_name in the connection's URL",
    "ORA-12541": "No database listener answers; please check host and port in the connection's URL",
    "DPY-4011": "The connection to the database was lost. Nothing was changed; please run the query again",
    "DPY-4024": "The database did not answer in time, and the query was given up",
}

LOGIN = "The login was refused; please check the user name and the password of the connection"
AWAY = "No database server answers; please check host and port in the connection's URL"
LOST = "The connection to the database was lost. Nothing was changed; please run the query again"
MYSQL = {
    1040: "The database takes no more connections at the moment; please try again soon",
    1044: "There is no such database, or this user may not use it",
    1045: LOGIN,
    1049: "There is no such database; please check the end of the connection's URL",
    2002: AWAY,
    2003: AWAY,
    2006: LOST,
    2013: LOST,
}
MSSQL = {
    18456: LOGIN,
    20002: AWAY,
    20009: AWAY,
    20003: "The database did not answer in time, and the query was given up",
}
NUMBERED = {"MySQL": MYSQL, "MariaDB": MYSQL, "SQL Server": MSSQL}
"""What the numbers of these servers and of their drivers mean."""

NUMBER = re.compile(r"\b(?:ORA-\d{5}|DP[YI]-\d{4})\b")

OWN_WORDS = ("ORA-00942", "ORA-00904")
"""Where the database's own words name the culprit."""


def sentence_of(error: Exception, label: str) -> str:
    """Return what a driver's error means, in one line."""
    first = error.args[0] if error.args else 0
    if isinstance(first, int) and (meant := NUMBERED.get(label, {}).get(first)):
        return f"{meant} ({first})."
    words = words_of(error)
    numbers = NUMBER.findall(words)
    known = next((number for number in numbers if number in MEANINGS), "")
    if known:
        own = one_line(re.split(rf"{known}:?\s*|\bHelp: ", words)[1]) if known in OWN_WORDS else ""
        return f"{MEANINGS[known]}{f': {own}' if own else ''} ({known})."
    return f"{label} refused the statement: {one_line(words.split('Help: ')[0])}."


def words_of(error: Exception) -> str:
    """Return the message out of a driver's error: of (number, message) the message, without the driver's remarks."""
    last = error.args[-1] if error.args else error
    text = last.decode("utf-8", "replace") if isinstance(last, bytes) else str(last)
    return text.split("DB-Lib error message")[0]
