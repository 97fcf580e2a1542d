"""THE TABLE: every stage, its handler, its ways out. Start reading here.

A handler returns a word and never names a stage. Besides the words, `help`, `back`, `restart` and `cancel` work everywhere.
The way from a question to a query that is confirmed stands here three times, each under a prefix: `query_flow` is that part, written once.
"""

from collections.abc import Mapping

from router.machine import Ask, Flow, Handler
from router.memory.stage import Stage as S
from router.memory.understanding import TypedAt
from router.stages.compare.columns import AskAutoMatch, MatchColumns
from router.stages.compare.confirm import ConfirmCompare, ExecuteCompare
from router.stages.compare.form import FillForm, FillPart
from router.stages.compare.queries import AskFirst, AskSecond
from router.stages.confirm import RUN, USE_AS_FIRST, USE_AS_SECOND, ConfirmGeneratedSql, ConfirmSql, Purpose
from router.stages.connection import ChooseConnection, ChooseSchema, ChooseTables, ReadSchema
from router.stages.map_columns import MapColumns
from router.stages.plan import ConfirmPlan
from router.stages.query import CheckSql, NeedQuestion, NeedSql, WriteSql
from router.stages.results import DrawChart, ExecuteSql, RunQuery, ShareResult, ShowResults, WriteFile
from router.stages.schedule import AskRepeating, ConfirmRepeating
from router.stages.send_email import ConfirmEmail, NeedDetails, SendMail
from router.stages.start import AskSqlMethod, Farewell, Start
from router.stages.target import ChooseTarget, FetchColumns, FetchSchemas
from router.stages.understand import UnderstandQuery
from router.stages.write_data import ConfirmWrite, WriteRows
from router.stages.write_or_email import ReadParameters, WriteOrEmail

# fmt: off
INPUT_STAGES = {"question": S.UNDERSTAND_QUERY, "sql": S.CHOOSE_CONNECTION}
"""The ways of a message that is a question, or SQL, whatever was asked."""

FORM_WAYS = {"filled": S.NEED_WRITE_OR_EMAIL, "cancel": S.SHOW_RESULTS}
CARD_WAYS = {"changed": S.NEED_WRITE_OR_EMAIL, "cancel": S.SHOW_RESULTS}
"""The ways out of the form of a task, and of the card that shows it as it will be done, besides a Yes."""

CHANGED_WAYS = {"mapped": S.ASK_REPORTING_TYPE, "map": S.WAITING_MAP_TABLE}
REOPENED_WAYS = {"first": S.CONFIRM_FIRST_USER_SQL, "second": S.CONFIRM_SECOND_USER_SQL}
"""The ways of a comparison that was changed, and of one of its queries that is confirmed again."""

TYPED_AT: dict[S, TypedAt] = {
    S.START: "open", S.NEED_NATURAL_LANGUAGE: "open", S.SHOW_RESULTS: "rows", S.CONFIRM_GENERATED_SQL: "sql", S.CONFIRM_USER_SQL: "own_sql",
    S.CONFIRM_EMAIL_QUERY: "email_sql", S.NEED_USER_SQL: "provide", S.NEED_EMAIL_QUERY: "provide_email",
}
"""Stages under which a sentence is understood in a way of its own."""

RETURN_STAGES: dict[str, S] = {word: stage for stage, word in TYPED_AT.items() if word != "open"}
"""The ways back to where a sentence was typed, once it was answered."""

Rows = dict[S, tuple[Handler, Mapping[str, S]]]


def query_flow(
    prefix: str, ways: Ask, purpose: Purpose, *, confirmed: S, question: S | None = None, others: Mapping[str, S] | None = None,
    asks: str = "What would you like to know?", asks_where: str = "Which database is it about?",
) -> Rows:
    """Return the way from a question, or somebody's own SQL, to a query that is confirmed, over the stages of a prefix.

    `confirmed` is the stage that comes next. A question that is typed on the way leads to `question`, or begins this
    way again. `others` are further ways out of the first stage, which offers the ways to a query.
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
        provide:    (NeedSql(),                    {**asked, "generate": ask}),
        connection: (ChooseConnection(asks_where), {"chosen": read, "sql": connection}),
        read:       (ReadSchema(),                 {"read": tables, "several": schema, "failed": connection}),
        schema:     (ChooseSchema(),               {"chosen": read, "sql": connection, "database": connection}),
        tables:     (ChooseTables(),               {"question": write, "sql": check, "nothing": first}),
        write:      (WriteSql(),                   {"written": generated, "failed": ask}),
        check:      (CheckSql(),                   {"sound": own, "failed": provide}),
        generated:  (ConfirmGeneratedSql(purpose), {"yes": confirmed, "no": ask, "edit": provide, "again": write, **asked}),
        own:        (ConfirmSql(purpose),          {"yes": confirmed, "no": provide, **asked}),
    }


FLOW = Flow({
    S.START:                 (Start(),               {**INPUT_STAGES, "database": S.CHOOSE_CONNECTION, "generate": S.NEED_NATURAL_LANGUAGE, "provide": S.NEED_USER_SQL,
                                                      "neither": S.ASK_SQL_METHOD, "compare": S.ASK_FIRST_SQL_METHOD}),
    S.UNDERSTAND_QUERY:      (UnderstandQuery(),     {"question": S.CHOOSE_CONNECTION, "plan": S.CONFIRM_PLAN, "compare": S.ASK_SECOND_SQL_METHOD, "comparison": S.ASK_FIRST_SQL_METHOD,
                                                      "sentence": S.READ_PARAMETERS, "file": S.WRITE_FILE, "chart": S.DRAW_CHART, "share": S.SHARE_RESULT,
                                                      "repeat": S.NEED_WRITE_OR_EMAIL, **RETURN_STAGES,
                                                      "ask": S.NEED_NATURAL_LANGUAGE, "heard": S.UNDERSTAND_QUERY, "typed_sql": S.CHOOSE_CONNECTION}),
    S.CONFIRM_PLAN:          (ConfirmPlan(),         {"question": S.CHOOSE_CONNECTION, "changed": S.CONFIRM_PLAN, **RETURN_STAGES, "cancel": S.NEED_NATURAL_LANGUAGE,
                                                      "heard": S.UNDERSTAND_QUERY, "typed_sql": S.CHOOSE_CONNECTION}),
    **query_flow("", AskSqlMethod(), RUN, confirmed=S.EXECUTE_SQL, question=S.UNDERSTAND_QUERY, others={"compare": S.ASK_FIRST_SQL_METHOD}),
    S.EXECUTE_SQL:           (ExecuteSql(),          {"done": S.SHOW_RESULTS, "failed": S.CONFIRM_GENERATED_SQL, "own_failed": S.CONFIRM_USER_SQL}),
    S.SHOW_RESULTS:          (ShowResults(),         {"page": S.SHOW_RESULTS, "file": S.WRITE_FILE, "chart": S.DRAW_CHART, "share": S.SHARE_RESULT, "repeat": S.NEED_WRITE_OR_EMAIL,
                                                      "compare": S.ASK_SECOND_SQL_METHOD, "comparison": S.ASK_FIRST_SQL_METHOD, "again": S.CONFIRM_COMPARE_SQL,
                                                      "somewhere": S.NEED_WRITE_OR_EMAIL, "sentence": S.READ_PARAMETERS, **INPUT_STAGES,
                                                      "database": S.CHOOSE_CONNECTION, "done": S.DONE}),
    S.WRITE_FILE:            (WriteFile(),           {"written": S.SHOW_RESULTS, "failed": S.SHOW_RESULTS}),
    S.DRAW_CHART:            (DrawChart(),           {"drawn": S.SHOW_RESULTS, "failed": S.SHOW_RESULTS}),
    S.SHARE_RESULT:          (ShareResult(),         {"shared": S.SHOW_RESULTS, "failed": S.SHOW_RESULTS}),
    S.SCHEDULE:              (AskRepeating(),        FORM_WAYS),
    S.CONFIRM_SCHEDULE:      (ConfirmRepeating(),    {"yes": S.SHOW_RESULTS, "edit": S.SCHEDULE, **CARD_WAYS}),
    S.NEED_WRITE_OR_EMAIL:   (WriteOrEmail(),        {"ask_target": S.CHOOSE_TARGET, "fetch_schemas": S.FETCH_SCHEMAS, "fetch_columns": S.FETCH_COLUMNS,
                                                      "ask_columns": S.MAP_COLUMNS, "write": S.CONFIRM_WRITE,
                                                      "check_query": S.CHECK_EMAIL_QUERY, "ask_details": S.NEED_EMAIL_DETAILS, "email": S.CONFIRM_EMAIL,
                                                      "ask_repeating": S.SCHEDULE, "repeat": S.CONFIRM_SCHEDULE,
                                                      "sentence": S.READ_PARAMETERS, "cancel": S.SHOW_RESULTS}),
    S.READ_PARAMETERS:       (ReadParameters(),      {"read": S.NEED_WRITE_OR_EMAIL, "failed": S.NEED_WRITE_OR_EMAIL}),
    S.CHOOSE_TARGET:         (ChooseTarget(),        FORM_WAYS),
    S.FETCH_SCHEMAS:         (FetchSchemas(),        {"read": S.NEED_WRITE_OR_EMAIL, "ask": S.CHOOSE_TARGET, "failed": S.SHOW_RESULTS}),
    S.FETCH_COLUMNS:         (FetchColumns(),        {"read": S.NEED_WRITE_OR_EMAIL, "failed": S.CHOOSE_TARGET}),
    S.MAP_COLUMNS:           (MapColumns(),          FORM_WAYS),
    S.CONFIRM_WRITE:         (ConfirmWrite(),        {"yes": S.WRITE_DATA, "edit": S.CHOOSE_TARGET, **CARD_WAYS}),
    S.WRITE_DATA:            (WriteRows(),           {"written": S.SHOW_RESULTS, "failed": S.NEED_WRITE_OR_EMAIL}),
    S.CHECK_EMAIL_QUERY:     (CheckSql(),            {"sound": S.CONFIRM_EMAIL_QUERY, "failed": S.NEED_EMAIL_QUERY}),
    S.NEED_EMAIL_QUERY:      (NeedSql(),             {"sql": S.CHECK_EMAIL_QUERY, "generate": S.NEED_NATURAL_LANGUAGE, "question": S.UNDERSTAND_QUERY}),
    S.CONFIRM_EMAIL_QUERY:   (ConfirmSql(),          {"yes": S.RUN_EMAIL_QUERY, "no": S.NEED_EMAIL_QUERY, **INPUT_STAGES}),
    S.RUN_EMAIL_QUERY:       (RunQuery(),            {"done": S.NEED_WRITE_OR_EMAIL, "own_failed": S.CONFIRM_EMAIL_QUERY}),
    S.NEED_EMAIL_DETAILS:    (NeedDetails(),         FORM_WAYS),
    S.CONFIRM_EMAIL:         (ConfirmEmail(),        {"yes": S.SEND_EMAIL, "edit": S.NEED_EMAIL_DETAILS, **CARD_WAYS}),
    S.SEND_EMAIL:            (SendMail(),            {"sent": S.SHOW_RESULTS, "failed": S.CONFIRM_EMAIL}),
    **query_flow("FIRST_", AskFirst(), USE_AS_FIRST, confirmed=S.ASK_SECOND_SQL_METHOD,
                 asks="What should the first query find?", asks_where="Which database is the first query for?"),
    **query_flow("SECOND_", AskSecond(), USE_AS_SECOND, confirmed=S.MATCH_COLUMNS, others={"both": S.MATCH_COLUMNS},
                 asks="What should the second query find?", asks_where="Which database is the second query for?"),
    S.MATCH_COLUMNS:         (MatchColumns(),        {"read": S.ASK_AUTO_MATCH, "failed": S.ASK_AUTO_MATCH, "mapped": S.ASK_REPORTING_TYPE, **REOPENED_WAYS}),
    S.ASK_AUTO_MATCH:        (AskAutoMatch(),        {"again": S.MATCH_COLUMNS, **CHANGED_WAYS, **REOPENED_WAYS}),
    S.WAITING_MAP_TABLE:     (FillForm(),            CHANGED_WAYS),
    S.ASK_REPORTING_TYPE:    (FillPart("reporting", "reporting"), {"filled": S.CONFIRM_COMPARE_SQL}),
    S.CONFIRM_COMPARE_SQL:   (ConfirmCompare(),      {"yes": S.EXECUTE_COMPARE_SQL, "reporting": S.ASK_REPORTING_TYPE, "into": S.ASK_COMPARE_SCHEMA, **CHANGED_WAYS, **REOPENED_WAYS}),
    S.ASK_COMPARE_SCHEMA:    (FillPart("database"),  {"filled": S.ASK_COMPARE_TABLE_NAME}),
    S.ASK_COMPARE_TABLE_NAME: (FillPart("table"),    {"filled": S.ASK_COMPARE_JOB_NAME}),
    S.ASK_COMPARE_JOB_NAME:  (FillPart("name"),      {"filled": S.CONFIRM_COMPARE_SQL}),
    S.EXECUTE_COMPARE_SQL:   (ExecuteCompare(),      {"done": S.SHOW_RESULTS, "write": S.NEED_WRITE_OR_EMAIL, "failed": S.CONFIRM_COMPARE_SQL}),
    S.DONE:                  (Farewell(),            {}),
}, start=S.START, end=S.DONE, typed_at=TYPED_AT, parts={
    "question": S.START, "SQL": S.CHOOSE_CONNECTION, "result": S.EXECUTE_SQL, "write": S.NEED_WRITE_OR_EMAIL, "e-mail": S.CHECK_EMAIL_QUERY,
    "first query": S.ASK_FIRST_SQL_METHOD, "second query": S.ASK_SECOND_SQL_METHOD, "compare": S.MATCH_COLUMNS,
})
# fmt: on
