"""What the servers' errors become; the driver's own classes build them."""

import oracledb
import pytest
from oracledb.errors import _Error

from router.sql.databases.error_sentences import ErrorSentences
from router.sql.databases.server_sql import SERVERS, spoken
from tests.support.rows import every_row

MARIADB = spoken(SERVERS["mysql"], "11.4-MariaDB")

ERRORS = {
    (942, 'ORA-00942: table or view "SALES"."NOSUCH" does not exist'): (
        'Oracle refused the statement: ORA-00942: table or view "…"."NOSUCH" does not exist.'
    ),
    (904, 'ORA-00904: "NOSUCH": invalid identifier'): (
        'Oracle refused the statement: ORA-00904: "NOSUCH": invalid identifier.'
    ),
    (1017, "ORA-01017: invalid credential or not authorized; logon denied"): (
        "The login was refused; please check the user name and the password of the connection (ORA-01017)."
    ),
    (1031, "ORA-01031: insufficient privileges"): "The database user lacks a privilege for this (ORA-01031).",
    (1013, "ORA-01013: user requested cancel"): "The query was cancelled in the database (ORA-01013).",
    (3136, "ORA-03136: inbound connection timed out"): "The connection was lost while logging in (ORA-03136).",
    (3113, "ORA-03113: end-of-file on communication channel"): (
        "The connection to the database was lost. Nothing was changed; please run the query again (DPY-4011)."
    ),
    (0, "DPY-4024: call timeout of 60000 ms exceeded"): (
        "The database did not answer in time, and the query was given up (DPY-4024)."
    ),
    (12514, "ORA-12514: Cannot connect to database. Service SALES is not registered with the listener at host h."): (
        "The database listener does not know the service; "
        "please check service_name in the connection's URL (ORA-12514)."
    ),
    (12541, "ORA-12541: Cannot connect. No listener at host h port 1521."): (
        "No database listener answers; please check host and port in the connection's URL (ORA-12541)."
    ),
    (6553, "ORA-06553: PLS-306: wrong number of arguments\nsecond line"): (
        "Oracle refused the statement: ORA-06553: PLS-306: wrong number of arguments second line."
    ),
    (1722, "ORA-01722: unable to convert string value containing 'Z' to a number: COLUMN"): (
        "A text in the rows is not a number (ORA-01722)."
    ),
    (20001, "ORA-20001: Zaphod earns 9"): (
        "Oracle refused the statement: error ORA-20001, whose words are in the bot's log."
    ),
}


@pytest.mark.parametrize(("error", "said"), ERRORS.items())
def test_an_oracle_number_becomes_a_sentence_that_keeps_it(error: tuple[int, str], said: str) -> None:
    """The driver's own classes build the error; its links and second lines stay out."""
    code, message = error
    built = _Error(message=message, code=code)
    assert _said(built.exc_type(built), "Oracle") == said


NUMBERED = [
    ("MySQL", 1146, "Table 'sales.nosuch' doesn't exist", "MySQL refused the statement: Table '…' doesn't exist."),
    ("MySQL", 1054, "Unknown column 'nosuch' in 'SELECT'", "Unknown column 'nosuch' in 'SELECT'."),
    ("MariaDB", 1105, "XPATH syntax error: '~Zaphod'", "error 1105, whose words are in the bot's log."),
    ("MySQL", 1062, "Duplicate entry 'Zaphod1' for key 'group_key'", "error 1062, whose words are in the bot's log."),
    ("MySQL", 1644, "Zaphod earns 9", "error 1644, whose words are in the bot's log."),
    (
        "SQL Server",
        208,
        b"Invalid object name 'nosuch'.DB-Lib error message 20018, severity 16",
        "SQL Server refused the statement: Invalid object name 'nosuch'.",
    ),
    (
        "SQL Server",
        245,
        b"Conversion failed when converting the varchar value 'Zaphod' to data type int.",
        "A text in the rows is not a number (245).",
    ),
    ("SQL Server", 102, b"Incorrect syntax near 'nosuch'.", "Incorrect syntax near 'nosuch'."),
    ("SQL Server", 50000, b"Zaphod earns 9", "error 50000, whose words are in the bot's log."),
    (
        "MySQL",
        1045,
        "odd",
        "The login was refused; please check the user name and the password of the connection (1045).",
    ),
    ("MariaDB", 2003, "odd", "No database server answers; please check host and port in the connection's URL (2003)."),
    ("SQL Server", 20009, b"odd", "No database server answers; please check host and port in the connection's URL"),
    ("SQL Server", 1045, b"odd", "SQL Server refused the statement: error 1045"),
]


@every_row(("label", "number", "words", "said"), NUMBERED)
def test_a_number_of_other_servers_says_what_is_shown(label: str, number: int, words: str | bytes, said: str) -> None:
    """Names of the statement stay, values never; a number means something for its own server alone."""
    assert said in _said(oracledb.DatabaseError(number, words), label)


def _said(error: Exception, label: str) -> str:
    server = next(each for each in (*SERVERS.values(), MARIADB) if each.label == label)
    errors = ErrorSentences(label)
    errors.start("SELECT nosuch FROM nosuch")
    return errors.of_server(error, server)
