"""What the servers' errors become; the driver's own classes build them."""

import oracledb
import pytest
from oracledb.errors import _Error

from router.sql.databases.server_errors import sentence_of

ERRORS = {
    (942, 'ORA-00942: table or view "SALES"."NOSUCH" does not exist'): (
        "A table or view does not exist, or this user may not read it: "
        'table or view "SALES"."NOSUCH" does not exist (ORA-00942).'
    ),
    (904, 'ORA-00904: "NOSUCH": invalid identifier'): (
        'A column does not exist: "NOSUCH": invalid identifier (ORA-00904).'
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
}


@pytest.mark.parametrize(("error", "said"), ERRORS.items())
def test_an_oracle_number_becomes_a_sentence_that_keeps_it(error: tuple[int, str], said: str) -> None:
    """The driver's own classes build the error; its links and second lines stay out."""
    code, message = error
    built = _Error(message=message, code=code)
    assert sentence_of(built.exc_type(built), "Oracle") == said


def test_a_numbered_error_of_mysql_and_bytes_of_sql_server_are_read() -> None:
    """Both drivers put the words last."""
    missing = oracledb.DatabaseError(1146, "Table 'sales.nosuch' doesn't exist")
    assert sentence_of(missing, "MySQL") == "MySQL refused the statement: Table 'sales.nosuch' doesn't exist."
    invalid = oracledb.DatabaseError(208, b"Invalid object name 'nosuch'.DB-Lib error message 20018, severity 16")
    assert sentence_of(invalid, "SQL Server") == "SQL Server refused the statement: Invalid object name 'nosuch'."


@pytest.mark.parametrize(
    ("label", "number", "said"),
    [
        ("MySQL", 1045, "The login was refused; please check the user name and the password of the connection (1045)."),
        ("MariaDB", 2003, "No database server answers; please check host and port in the connection's URL (2003)."),
        (
            "SQL Server",
            20009,
            "No database server answers; please check host and port in the connection's URL (20009).",
        ),
        ("SQL Server", 1045, "SQL Server refused the statement: odd."),
    ],
)
def test_numbers_of_other_servers(label: str, number: int, said: str) -> None:
    """A number means something for its own server alone."""
    assert sentence_of(oracledb.DatabaseError(number, "odd"), label) == said
