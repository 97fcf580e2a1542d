"""`icc-bot learn`: takes over what a company wrote down elsewhere, once a person has read it."""

import getpass
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import tomlkit
from sqlglot import exp, parse_one
from tomlkit.exceptions import TOMLKitError

from bot.command_line import Say
from bot.settings.environment import Settings, connections_file
from bot.wiring.bot import connections_of
from bot.wiring.knowledge import examples_of, glossary_file
from bot.wiring.state import database_of
from router.catalog.catalog import Catalog
from router.catalog.connection import Connection, Connections
from router.catalog.connections_file import connections_in
from router.catalog.reflect.reflection import definitions
from router.catalog.schema import Schema
from router.catalog.table_descriptions import key_of
from router.errors import JobFailed, SettingsError
from router.knowledge.example_file import read as read_examples
from router.knowledge.glossary import Glossary, term_problem
from router.knowledge.knowledge import Term
from router.knowledge.learn_dbt import from_dbt
from router.knowledge.learn_queries import from_queries, from_views
from router.knowledge.learned import Learned, find_places, read, written
from router.language.outside_json import parse_json
from router.language.wording import counted, verb
from router.storage.clock import now
from router.storage.edited_files import put, with_line_ends
from router.understanding.kinds import asks_clearly


def learn(
    settings: Settings,
    say: Say,
    kind: str,
    files: Sequence[Path] = (),
    connection: str = "",
    out: Path = Path("learned.toml"),
) -> int:
    """Write what dbt's files, files of SQL or a database's views say into a file to be reviewed."""
    if out.exists():
        raise JobFailed(f"{out} is there already. Nothing was written; accept it, remove it, or give another --out.")
    with closing(Catalog(_connections(settings))) as catalog:
        name = connection or _only(catalog)
        schema = catalog.schema(name)
        learned = Learned(connection=catalog.connections.require(name).name)
        if kind == "views":
            known = catalog.connections.require(name)
            views = [table.name for table in schema.tables if table.view]
            from_views(definitions(known, catalog.database(name), schema.name, views), schema, learned)
        for file in files:
            text = _text(file)
            if kind == "dbt":
                _from_dbt(file, text, schema, learned)
                continue
            number, unread = from_queries(text, schema, asks_clearly, learned)
            left_out = f"; {counted(unread, 'statement')} could not be read" if unread else ""
            say(f"{file}: {counted(number, 'query')}{left_out}.")
    if not len(learned):
        say(f"Nothing was found about the tables of {name}. No file was written.")
        return 1
    try:
        put(out, written(out.name, learned).encode("utf-8"))
    except OSError as error:
        raise JobFailed(f"{out} cannot be written ({error.strerror}). Nothing was written.") from None
    found_words = f"{_counts(learned)} {verb(len(learned), 'is', 'are')} in {out}."
    say(f"{found_words} Read it, take out what is wrong, and run: icc-bot learn accept {out}")
    return 0


def accept(settings: Settings, say: Say, file: Path) -> int:
    """Take over what is left of a reviewed file: all of it, or, if something of it is wrong, nothing.

    What somebody wrote by hand of the same thing stays, and is named.
    """
    learned = read(_text(file))
    name = learned.connection
    connections = _connections(settings)
    known = connections.require(name)
    glossary = Glossary(glossary_file(settings), connections)
    with ExitStack() as stack:
        catalog = stack.enter_context(closing(Catalog(connections)))
        wrong = [*glossary.problems(), *_wrong(learned, catalog.schema(known.name))]
        lines = [json.dumps({"connection": name, "question": q, "sql": sql}) for q, sql in learned.examples.items()]
        by = f"console:{getpass.getuser()}"
        kept = read_examples(
            "\n".join(lines), connections, catalog, by, lambda said: wrong.append(f"example {said[5:]}")
        )
        if wrong:
            for each in wrong:
                say(f"{file}: {each}")
            say("Nothing was taken over.")
            return 1
        for there in _take_out_known(known, glossary, learned):
            say(f"{there} is there already, and stays as it is.")
        path = connections_file(settings)
        if path and (learned.keys or learned.descriptions):
            put(path, _with_learned(path, known.name, learned))
        for term in _terms(learned):
            glossary.change(known.name, term.name, term)
        if kept:
            database = stack.enter_context(closing(database_of(settings)))
            examples_of(settings, database, catalog, now).store.keep(kept)
    taken = f"{_counts(learned)} {verb(len(learned), 'was', 'were')} taken over."
    say(f"{taken} What is new counts from the next question on.")
    return 0


def _terms(learned: Learned) -> list[Term]:
    return [Term(name, each.meaning, tuple(each.synonyms), each.filter) for name, each in learned.terms.items()]


def _wrong(learned: Learned, schema: Schema) -> Iterator[str]:
    """Yield what cannot be taken over: keys, descriptions and conditions of what the schema does not have."""
    place = find_places(schema)
    for text in learned.keys:
        key = key_of(text)
        if key is None or not place(key.table, key.column) or not place(key.target, key.key):
            yield f'the key "{text}" names a column that {schema.connection} does not have.'
    for text in learned.descriptions:
        table, _, column = text.partition(".")
        if not place(table, column):
            yield f'the description of "{text}" is of nothing that {schema.connection} has.'
    columns = {column.name.lower() for table in schema.tables for column in table.columns}
    for term in _terms(learned):
        if why := term_problem(term, schema.dialect):
            yield f'the term "{term.name}": {why}'
        elif term.filter and any(
            column.name.lower() not in columns
            for column in parse_one(term.filter, read=schema.dialect).find_all(exp.Column)
        ):
            yield f'the term "{term.name}": its filter names a column that {schema.connection} does not have.'


def _take_out_known(connection: Connection, glossary: Glossary, learned: Learned) -> Iterator[str]:
    """Yield what somebody has said by hand already, once it is taken out of what was learned."""
    said = {(key.table.lower(), key.column.lower()) for text in connection.keys if (key := key_of(text))}
    described = {place.lower() for place, _ in connection.descriptions}
    for text in list(learned.keys):
        key = key_of(text)
        if key and (key.table.lower(), key.column.lower()) in said:
            learned.keys.remove(text)
            yield f"A key of {key.table}.{key.column}"
    for text in [each for each in learned.descriptions if each.lower() in described]:
        del learned.descriptions[text]
        yield f"A description of {text}"
    for name in [each for each in learned.terms if glossary.term(connection.name, each)]:
        del learned.terms[name]
        yield f'A term "{name}"'


def _with_learned(path: Path, name: str, learned: Learned) -> bytes:
    """Return the file of connections with keys and descriptions in the connection's block; raises JobFailed."""
    try:
        before = path.read_bytes().decode("utf-8")
        document: Any = tomlkit.parse(before)
        block = document["connections"][name]
        if learned.keys:
            block["keys"] = tomlkit.item([*block.get("keys", []), *learned.keys]).multiline(True)
        if learned.descriptions and "descriptions" not in block:
            block["descriptions"] = tomlkit.inline_table()  # in its line, whatever follows the block
        for place, words in learned.descriptions.items():
            block["descriptions"][place] = words
        text = tomlkit.dumps(document)
        connections_in(path, text, os.environ, opens=False)
    except (TOMLKitError, RecursionError, KeyError, TypeError, SettingsError) as error:
        raise JobFailed(
            f"{path.name} is written in a way that cannot be changed here ({type(error).__name__}). Nothing was taken "
            "over; add keys and descriptions by hand."
        ) from None
    return with_line_ends(text, before).encode("utf-8")


def _connections(settings: Settings) -> Connections:
    if settings.base_url.strip():
        raise SettingsError(["icc-bot learn runs where the databases are read: on the machine of the jobs API."])
    if connections_file(settings) is None:
        raise SettingsError(["There is no connections.toml: icc-bot learn is for databases of your own."])
    return connections_of(settings)


def _only(catalog: Catalog) -> str:
    names = list(catalog.connections)
    if len(names) > 1:
        raise SettingsError([f"Say which database it is about: --connection {' or '.join(names)}."])
    return names[0]


def _counts(learned: Learned) -> str:
    kinds = (("key", learned.keys), ("description", learned.descriptions), ("term", learned.terms))
    parts = [counted(len(found), word) for word, found in (*kinds, ("example", learned.examples)) if found]
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:]))) or "0 entries"


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise JobFailed(f"{file} cannot be read ({type(error).__name__}); it must be a text in UTF-8.") from None


def _from_dbt(file: Path, text: str, schema: Schema, learned: Learned) -> None:
    try:
        data = parse_json(text)
    except ValueError:
        data = None
    if not isinstance(data, dict) or not data.keys() & {"nodes", "sources", "semantic_models", "metrics"}:
        raise JobFailed(f"{file} is neither dbt's manifest.json nor its semantic_manifest.json. Nothing was written.")
    try:
        from_dbt(data, schema, learned)
    except (AttributeError, KeyError, TypeError, RecursionError) as error:
        raise JobFailed(f"{file} is not as dbt writes it ({error}). Nothing was written.") from None
