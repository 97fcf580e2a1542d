"""connections.toml: every problem with its sentence, line and remedy."""

import sys
from pathlib import Path

import pytest

from router.catalog.availability import require_there, why_away
from router.catalog.connections_file import read_connections
from router.errors import JobFailed, SettingsError
from tests.router.catalog.toml import read

HEAD = '[connections.A]\nid = 1\nurl = "sqlite:///archive.db"\n'

PROBLEMS = [
    ("[connections.A\nid = 1\n", 1, "this is not TOML: expected ']' at the end of a table declaration."),
    ("[connections.A]\nid = 1\nid = 2\n", 3, "this is not TOML: cannot overwrite a value."),
    ("", 1, "there is no connection; add a block that begins with [connections.NAME]."),
    ('defualt = "A"\n' + HEAD, 1, 'there is no key "defualt"; write "default".'),
    (HEAD + "lable = 'x'\n", 4, '[A] there is no key "lable"; write "label".'),
    (
        HEAD + "zebra = 'x'\n",
        4,
        '[A] there is no key "zebra"; the keys are id, label, dialect, url, write_url, schemas, tables, write_schemas, '
        "samples, values, values_hidden, columns_hidden, keys, descriptions, max_rows, max_result_mb, "
        "max_compared_rows, timeout, readers, approvers, writers, teachers, guests, private, examples, sensitivity.",
    ),
    (
        HEAD + 'keys = ["orders.customer -> customers.id"]\n',
        4,
        '[A] "orders.customer -> customers.id" is no key; write "orders.customer = customers.id", or "!=" to deny it.',
    ),
    ('\n[connections.A]\nurl = "sqlite:///archive.db"\n', 2, "[A] id is missing; add id = 1, a number of its own."),
    ("[connections.A]\nid = 1\n", 1, '[A] url is missing; add url = "env:NAME".'),
    (
        HEAD + HEAD.replace("A]", "B]"),
        4,
        "[B] 1 belongs to A already; choose another one.",
    ),
    (
        HEAD + HEAD.replace("A]", "a]").replace("1", "2"),
        4,
        "[a] a belongs to A already; choose another one.",
    ),
    (
        '[connections.A]\nid = 1\nurl = "env:GONE_URL"\n',
        3,
        "[A] url is to come from the environment variable GONE_URL, which is not set; set it, or correct its name.",
    ),
    (
        '[connections.A]\nid = 1\nurl = "env:EMPTY_URL"\n',
        3,
        "[A] url is to come from the environment variable EMPTY_URL, which is not set; set it, or correct its name.",
    ),
    (
        '[connections.A]\nid = 1\nurl = "env:BROKEN_URL"\n',
        3,
        '[A] url is not a database URL; write "postgresql://user:password@host/database", or "env:NAME".',
    ),
    (
        '[connections.A]\nid = 1\nurl = "env:PORT_URL"\n',
        3,
        '[A] url is not a database URL; write "postgresql://user:password@host/database", or "env:NAME".',
    ),
    (
        '[connections.A]\nid = 1\nurl = "env:DB2_URL"\n',
        3,
        '[A] url is for "db2", a database the bot does not know; '
        "it knows duckdb, mysql, oracle, postgresql, sqlite, mssql.",
    ),
    (
        '[connections.A]\nid = 1\nurl = "env:PYODBC_URL"\n',
        3,
        '[A] url names the driver pyodbc; the bot uses pymssql, so begin it with "mssql+pymssql://".',
    ),
    (HEAD.replace("archive.db", ":memory:"), 3, '[A] url names no file; write "sqlite:///folder/file.db".'),
    (HEAD + "dialect = 'oracle'\n", 4, "[A] url is for SQLite, and dialect says Oracle."),
    (
        HEAD + "dialect = 'db2'\n",
        4,
        '[A] dialect "db2" is none that the bot knows; it knows duckdb, mysql, oracle, postgresql, sqlite, mssql.',
    ),
    (HEAD + "write_url = 5\n", 4, "[A] write_url: input should be a valid string."),
    (HEAD + "label = ''\n", 4, "[A] label: string should have at least 1 character."),
    (HEAD.replace("id = 1", "id = '1'"), 2, "[A] id: input should be a valid integer."),
    (HEAD.replace("id = 1", "id = true"), 2, "[A] id: input should be a valid integer."),
    (HEAD.replace("id = 1", "id = -1"), 2, "[A] id: input should be greater than 0."),
    (HEAD + "max_rows = -5\n", 4, "[A] max_rows: input should be greater than 0."),
    (HEAD + "max_rows = 1.5\n", 4, "[A] max_rows: input should be a valid integer."),
    (HEAD + "timeout = 0\n", 4, "[A] timeout: input should be greater than 0."),
    (HEAD + "timeout = inf\n", 4, "[A] timeout: input should be a finite number."),
    (HEAD + "samples = 'yes'\n", 4, "[A] samples: input should be a valid boolean."),
    (HEAD + "schemas = 'main'\n", 4, "[A] schemas: input should be a valid array."),
    (HEAD + "tables = [\n  'a',\n  5,\n]\n", 4, "[A] tables: input should be a valid string."),
    (
        HEAD + "readers = ['@nobody']\n",
        4,
        '[A] readers: "@nobody" is no group; add it under [groups], or correct its name.',
    ),
    (
        HEAD + "writers = ['Ana']\n",
        4,
        '[A] writers: "Ana" is nobody; write an e-mail address, an id such as "slack:U123", "@group" or "*".',
    ),
    (
        "[groups]\nx = ['Ana']\n" + HEAD,
        2,
        'x: "Ana" is nobody; write an e-mail address, an id such as "slack:U123", "@group" or "*".',
    ),
    ("[groups]\nx = 'Ana'\n" + HEAD, 2, "groups: input should be a valid array."),
    ("groups = 5\n" + HEAD, 1, "groups: input should be an object."),
    ('default = "B"\n' + HEAD, 1, "default is no connection of this file; choose one of A."),
    ("default = 5\n" + HEAD, 1, "default: input should be a valid string."),
    ("connections.A = 5\n", 1, "[A] connections: input should be an object."),
    (
        '[connections.A]\nid = 1\nurl = "env:SALES_URL"\nwrite_url = "env:SAME_USER_URL"\n',
        4,
        "[A] write_url logs in as the same user as url; make a second database user that may write, "
        "and let the one of url only SELECT.",
    ),
    (
        HEAD + 'write_url = "env:PG_URL"\n',
        4,
        "[A] write_url is for PostgreSQL, url for SQLite; both must name the same database.",
    ),
]


def test_password_in_a_file_for_all(tmp_path: Path) -> None:
    """A password in a file that others can read is a problem, whether it stands before the host or behind."""
    path = tmp_path / "connections.toml"
    path.write_text(
        '[connections.A]\nid = 1\nurl = "postgresql://reader:s3cret@db.example.com/a"\n'
        '[connections.B]\nid = 2\nurl = "postgresql://db.example.com/a?user=reader&password=s3cret"\n'
    )
    path.chmod(0o640)

    with pytest.raises(SettingsError) as raised:
        read_connections(path, {})

    remedy = (
        "url holds a password in a file that other users of this computer can read; "
        'put it into an environment variable and write "env:NAME", or run: chmod 600 connections.toml.'
    )
    assert (
        f"connections.toml, line 3: [A] {remedy}",
        f"connections.toml, line 6: [B] {remedy}",
    ) == raised.value.problems


def test_all_problems_at_once(tmp_path: Path) -> None:
    """Problems in different places are all told, in the order of their lines."""
    text = 'defualt = "A"\n[connections.A]\nurl = 5\n[connections.B]\nid = 1\nurl = "env:GONE"\ntimeout = -1\n'

    with pytest.raises(SettingsError) as raised:
        read(tmp_path, text)

    assert [int(problem.split("line ")[1].split(":")[0]) for problem in raised.value.problems] == [1, 2, 3, 6, 7]


@pytest.mark.parametrize(("text", "line", "sentence"), PROBLEMS)
def test_problem(tmp_path: Path, text: str, line: int, sentence: str) -> None:
    """Each problem is one sentence that names the line, the connection and the remedy, and no secret."""
    with pytest.raises(SettingsError) as raised:
        read(tmp_path, text)

    assert sentence == raised.value.problems[0].split(f"connections.toml, line {line}: ", 1)[-1]
    assert len(raised.value.problems) == 1
    assert "s3cret" not in repr(raised.value)


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        ('url = "env:GONE_URL"', "url is to come from the environment variable GONE_URL, which is not set;"),
        ('url = "env:DB2_URL"', 'url is for "db2", a database the bot does not know;'),
        ('url = "env:PG_URL"\nwrite_url = "env:GONE_URL"', "write_url is to come from the environment variable"),
    ],
)
def test_one_of_several_is_away(tmp_path: Path, key: str, sentence: str) -> None:
    """A URL that cannot be used is that connection's trouble alone; the line and the remedy are kept for doctor."""
    connections = read(tmp_path, f"{HEAD}[connections.B]\nid = 2\nlabel = 'Bees'\n{key}\n")

    assert ["A", "B"] == list(connections)
    assert f"[B] {sentence}" in why_away(connections["B"])
    assert "" == why_away(connections["A"])
    with pytest.raises(JobFailed) as raised:
        require_there(connections["B"])
    assert str(raised.value).startswith("Bees is away: I cannot open its database. Nothing was done")
    assert "GONE" not in str(raised.value)


def test_a_problem_of_the_file_is_told_with_those_of_urls(tmp_path: Path) -> None:
    """The person who mends the file is told everything at once."""
    with pytest.raises(SettingsError) as raised:
        read(tmp_path, f'{HEAD}lable = "x"\n[connections.B]\nid = 2\nurl = "env:GONE_URL"\n')

    assert ["lable", "GONE_URL"] == [
        next(word for word in ("lable", "GONE_URL") if word in problem) for problem in raised.value.problems
    ]


def test_missing_driver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A driver that is not installed is a problem that says what to install."""
    monkeypatch.setitem(sys.modules, "pymysql", None)  # as if it were not
    path = tmp_path / "connections.toml"
    path.write_text('[connections.A]\nid = 1\nurl = "env:MYSQL_URL"\n')

    with pytest.raises(SettingsError) as raised:
        read_connections(path, {"MYSQL_URL": "mysql://reader:s3cret@db.example.com/shop"})

    expected = (
        "connections.toml, line 3: [A] url needs the driver pymysql for MySQL, which is not installed; "
        'run: pip install "icc-bot[mysql]".'
    )
    assert (expected,) == raised.value.problems
