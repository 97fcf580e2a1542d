"""Server errors as sentences; their numbers are kept, as they are what an administrator asks for."""

import re

from router.sql.databases.deadline import driver_message

ORACLE_ERRORS = {
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

LOGIN_REFUSED = "The login was refused; please check the user name and the password of the connection"
SERVER_AWAY = "No database server answers; please check host and port in the connection's URL"
CONNECTION_LOST = "The connection to the database was lost. Nothing was changed; please run the query again"
MYSQL_ERRORS = {
    1040: "The database takes no more connections at the moment; please try again soon",
    1044: "There is no such database, or this user may not use it",
    1045: LOGIN_REFUSED,
    1049: "There is no such database; please check the end of the connection's URL",
    2002: SERVER_AWAY,
    2003: SERVER_AWAY,
    2006: CONNECTION_LOST,
    2013: CONNECTION_LOST,
}
MSSQL_ERRORS = {
    18456: LOGIN_REFUSED,
    20002: SERVER_AWAY,
    20009: SERVER_AWAY,
    20003: "The database did not answer in time, and the query was given up",
}
ERRORS_BY_SERVER = {"MySQL": MYSQL_ERRORS, "MariaDB": MYSQL_ERRORS, "SQL Server": MSSQL_ERRORS}
"""The meaning of the error numbers of these servers and of their drivers."""

ORACLE_ERROR_CODE = re.compile(r"\b(?:ORA-\d{5}|DP[YI]-\d{4})\b")

OWN_WORDS = ("ORA-00942", "ORA-00904")
"""Errors of which the database's own words name the culprit."""


def sentence_of(error: Exception, label: str) -> str:
    """Return what a driver's error means, in one line."""
    first = error.args[0] if error.args else 0
    if isinstance(first, int) and (meant := ERRORS_BY_SERVER.get(label, {}).get(first)):
        return f"{meant} ({first})."
    words = words_of(error)
    numbers = ORACLE_ERROR_CODE.findall(words)
    known = next((number for number in numbers if number in ORACLE_ERRORS), "")
    if known:
        own = driver_message(re.split(rf"{known}:?\s*|\bHelp: ", words)[1]) if known in OWN_WORDS else ""
        return f"{ORACLE_ERRORS[known]}{f': {own}' if own else ''} ({known})."
    return f"{label} refused the statement: {driver_message(words.split('Help: ')[0])}."


def words_of(error: Exception) -> str:
    """Return the message out of a driver's error: of (number, message) the message, without the driver's remarks."""
    last = error.args[-1] if error.args else error
    text = last.decode("utf-8", "replace") if isinstance(last, bytes) else str(last)
    return text.split("DB-Lib error message")[0]
