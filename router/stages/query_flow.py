"""The way from a question, or somebody's own SQL, to a query that is confirmed: a part of the table, written once."""

from collections.abc import Mapping

from router.machine import Ask, Handler
from router.memory.stage import Stage as S
from router.stages.confirm import ConfirmGeneratedSql, ConfirmSql, Purpose
from router.stages.connection import ChooseConnection, ChooseSchema, ChooseTables, ReadSchema
from router.stages.query import CheckSql, NeedQuestion, NeedSql, WriteSql

Rows = dict[S, tuple[Handler, Mapping[str, S]]]


# fmt: off
def query_flow(
    prefix: str, ways: Ask, purpose: Purpose, *, confirmed: S, question: S | None = None, others: Mapping[str, S] | None = None,
    asks: str = "What would you like to know?", asks_where: str = "Which database is it about?",
) -> Rows:
    """Return the way from a question, or somebody's own SQL, to a query that is confirmed, over the stages of a prefix.

    `confirmed` is the stage that comes next. A question that is typed on the way leads to `question`, or begins this
    way anew. `others` are further ways out of the first stage, which offers the ways to a query.
    """
    def at(verb: str, what: str) -> S:
        return S[f"{verb}_{prefix}{what}"]

    first, ask, provide = at("ASK", "SQL_METHOD"), at("NEED", "NATURAL_LANGUAGE"), at("NEED", "USER_SQL")
    connection, schema, tables = (at("CHOOSE", what) for what in ("CONNECTION", "SCHEMA", "TABLES"))
    read, write, check = at("READ", "SCHEMA"), at("WRITE", "SQL"), at("CHECK", "SQL")
    generated, own = at("CONFIRM", "GENERATED_SQL"), at("CONFIRM", "USER_SQL")
    asked = {"question": question or connection, "sql": connection}
    return {
        first:      (ways,                         {"generate": ask, "provide": provide, **asked, "database": connection, **(others or {})}),
        ask:        (NeedQuestion(asks),           {**asked, "tables": connection, "provide": provide}),
        provide:    (NeedSql(),               {**asked, "generate": ask}),
        connection: (ChooseConnection(asks_where), {"chosen": read, "sql": connection}),
        read:       (ReadSchema(),                 {"read": tables, "several": schema, "failed": connection}),
        schema:     (ChooseSchema(),               {"chosen": read, "sql": connection, "database": connection}),
        tables:     (ChooseTables(),               {"question": write, "sql": check, "nothing": first}),
        write:      (WriteSql(),                   {"written": generated, "failed": ask}),
        check:      (CheckSql(),                   {"sound": own, "failed": provide}),
        generated:  (ConfirmGeneratedSql(purpose), {"yes": confirmed, "no": ask, "edit": provide, "again": write, **asked}),
        own:        (ConfirmSql(purpose),          {"yes": confirmed, "no": provide, **asked}),
    }
