"""What a MySQL or MariaDB reader could do if the guard failed, by what SHOW GRANTS prints."""

from typing import Any

import pytest

from router.sql.databases.excess import Excess
from router.sql.databases.mysql_grants import judged
from router.sql.databases.server import ServerDatabase
from tests.router.sql.databases.driver import Driver

WHO = "`reader`@`10.%`"
TABLES = [("hr", "pay"), ("mysql", "user"), ("shop", "hidden"), ("shop", "t"), ("shop", "u")]


def may_read(schema: str, table: str) -> bool:
    return schema == "shop" and table != "hidden"


def said(*lines: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return the sentences without their beginning, and the statements."""
    return [
        (each.sentence.removeprefix("The reading user "), each.remedies) for each in judged(lines, TABLES, may_read)
    ]


@pytest.mark.parametrize(
    ("line", "sentence", "statements"),
    [
        (
            f"GRANT SELECT, PROCESS, FILE ON *.* TO {WHO} IDENTIFIED BY PASSWORD '*SECRET'",
            "has rights on the whole server: PROCESS, FILE.",
            [f"REVOKE PROCESS ON *.* FROM {WHO};", f"REVOKE FILE ON *.* FROM {WHO};"],
        ),
        (
            f"GRANT SELECT ON *.* TO {WHO}",
            "may read what this connection does not name: hr.pay, mysql.user, shop.hidden.",
            [
                f"REVOKE SELECT ON *.* FROM {WHO};",
                f"GRANT SELECT ON `shop`.`t` TO {WHO};",
                f"GRANT SELECT ON `shop`.`u` TO {WHO};",
            ],
        ),
        (
            f"GRANT INSERT, UPDATE (`a`, `b`) ON `shop`.`t` TO {WHO} WITH GRANT OPTION",
            "may change what it reads: INSERT on `shop`.`t`, UPDATE (`a`, `b`) on `shop`.`t`, "
            "GRANT OPTION on `shop`.`t`.",
            [
                f"REVOKE INSERT ON `shop`.`t` FROM {WHO};",
                f"REVOKE UPDATE (`a`, `b`) ON `shop`.`t` FROM {WHO};",
                f"REVOKE GRANT OPTION ON `shop`.`t` FROM {WHO};",
            ],
        ),
        (
            f"GRANT ALL PRIVILEGES ON `sh_p`.* TO {WHO}",
            "may change what it reads: ALL PRIVILEGES on `sh_p`.*.",
            [
                f"REVOKE ALL PRIVILEGES ON `sh_p`.* FROM {WHO};",
                f"GRANT SELECT ON `shop`.`t` TO {WHO};",
                f"GRANT SELECT ON `shop`.`u` TO {WHO};",
            ],
        ),
        (
            f"GRANT EXECUTE ON PROCEDURE `shop`.`p` TO {WHO}",
            "may run routines: EXECUTE on PROCEDURE `shop`.`p`.",
            [f"REVOKE EXECUTE ON PROCEDURE `shop`.`p` FROM {WHO};"],
        ),
        (
            f"GRANT CREATE TEMPORARY TABLES ON `shop`.* TO {WHO}",
            "may make and lock tables: CREATE TEMPORARY TABLES on `shop`.*.",
            [f"REVOKE CREATE TEMPORARY TABLES ON `shop`.* FROM {WHO};"],
        ),
        (
            f"GRANT PROXY ON `root`@`%` TO {WHO} WITH GRANT OPTION",
            "may act as `root`@`%`.",
            [f"REVOKE PROXY ON `root`@`%` FROM {WHO};"],
        ),
    ],
)
def test_each_grant_has_its_revoke(line: str, sentence: str, statements: list[str]) -> None:
    """User, host and object are named as the server names them; no hash of a password goes any further."""
    first, *_ = said(line)
    assert first == (sentence, tuple(statements))
    assert "SECRET" not in str(said(line))


def test_reading_alone_is_nothing_to_say() -> None:
    """A reader as it should be; a schema's name in a grant is a pattern unless its letters are escaped."""
    lines = (f"GRANT USAGE ON *.* TO {WHO}", f"GRANT SELECT, SHOW VIEW ON `shop`.`t` TO {WHO}")
    assert said(*lines, rf"GRANT SELECT ON `h\_`.* TO {WHO}") == []
    assert said(*lines, f"GRANT SELECT ON `h_`.* TO {WHO}") != []


def test_roles_are_looked_into() -> None:
    """What a role may do is taken from the role; what cannot be seen is said, and the rest looked at."""
    answers: dict[str, Any] = {
        "SELECT VERSION": [("10.11.19-MariaDB",)],
        "SHOW GRANTS FOR `staff`": [("GRANT FILE ON *.* TO `staff`",), ("GRANT `boss` TO `staff`",)],
        "SHOW GRANTS FOR `boss`": Driver.Error("no access"),
        "SHOW GRANTS FOR PUBLIC": [("GRANT INSERT ON `shop`.`t` TO PUBLIC",)],
        "SHOW GRANTS": [(f"GRANT `staff` TO {WHO}",), (f"GRANT USAGE ON *.* TO {WHO}",)],
        "SELECT table_schema": TABLES,
    }
    driver = Driver(answers)
    assert ServerDatabase("mysql+pymysql://reader:s3cret@db.example/shop", 60, driver).excess(may_read) == (
        Excess("could not look at the grants of `boss`: no access."),
        Excess(
            "The reading user has rights on the whole server: FILE.", ("REVOKE FILE ON *.* FROM `staff`;",), grave=True
        ),
        Excess(
            "The reading user may change what it reads: INSERT on `shop`.`t`.",
            ("REVOKE INSERT ON `shop`.`t` FROM PUBLIC;",),
            grave=True,
        ),
    )
    assert "SET ROLE `staff`" in driver.sent
