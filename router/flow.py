"""THE TABLE: every stage, its handler, its ways out. Start reading here.

A handler returns a word and never names a stage. Besides the words, `help`, `back`, `restart` and `cancel` work everywhere.
"""

from router.machine import Flow
from router.memory import Stage as S
from router.stages.confirm import ConfirmGeneratedSql, ConfirmSql
from router.stages.connection import ChooseConnection, ChooseSchema, ChooseTables, ReadSchema
from router.stages.query import CheckSql, NeedQuestion, NeedSql, WriteSql
from router.stages.results import ExecuteSql, ShowResults, WriteOrEmail
from router.stages.start import AskSqlMethod, Farewell, Start
from router.stages.takeaways import DrawChart, ShareResult, WriteFile

# fmt: off
FLOW = Flow({
    S.START:                 (Start(),               {"question": S.CHOOSE_CONNECTION, "sql": S.CHOOSE_CONNECTION, "database": S.CHOOSE_CONNECTION,
                                                      "generate": S.NEED_NATURAL_LANGUAGE, "provide": S.NEED_USER_SQL, "neither": S.ASK_SQL_METHOD}),
    S.ASK_SQL_METHOD:        (AskSqlMethod(),        {"generate": S.NEED_NATURAL_LANGUAGE, "provide": S.NEED_USER_SQL,
                                                      "question": S.CHOOSE_CONNECTION, "sql": S.CHOOSE_CONNECTION, "database": S.CHOOSE_CONNECTION}),
    S.NEED_NATURAL_LANGUAGE: (NeedQuestion(),        {"question": S.CHOOSE_CONNECTION, "sql": S.CHOOSE_CONNECTION, "tables": S.CHOOSE_CONNECTION,
                                                      "provide": S.NEED_USER_SQL}),
    S.NEED_USER_SQL:         (NeedSql(),             {"sql": S.CHOOSE_CONNECTION, "generate": S.NEED_NATURAL_LANGUAGE}),
    S.CHOOSE_CONNECTION:     (ChooseConnection(),    {"chosen": S.READ_SCHEMA}),
    S.READ_SCHEMA:           (ReadSchema(),          {"read": S.CHOOSE_TABLES, "several": S.CHOOSE_SCHEMA, "failed": S.CHOOSE_CONNECTION}),
    S.CHOOSE_SCHEMA:         (ChooseSchema(),        {"chosen": S.READ_SCHEMA, "database": S.CHOOSE_CONNECTION}),
    S.CHOOSE_TABLES:         (ChooseTables(),        {"question": S.WRITE_SQL, "sql": S.CHECK_SQL, "nothing": S.ASK_SQL_METHOD}),
    S.WRITE_SQL:             (WriteSql(),            {"written": S.CONFIRM_GENERATED_SQL, "failed": S.NEED_NATURAL_LANGUAGE}),
    S.CHECK_SQL:             (CheckSql(),            {"sound": S.CONFIRM_USER_SQL, "failed": S.NEED_USER_SQL}),
    S.CONFIRM_GENERATED_SQL: (ConfirmGeneratedSql(), {"yes": S.EXECUTE_SQL, "no": S.NEED_NATURAL_LANGUAGE, "edit": S.NEED_USER_SQL, "again": S.WRITE_SQL,
                                                      "question": S.CHOOSE_CONNECTION, "sql": S.CHOOSE_CONNECTION}),
    S.CONFIRM_USER_SQL:      (ConfirmSql(),          {"yes": S.EXECUTE_SQL, "no": S.NEED_USER_SQL,
                                                      "question": S.CHOOSE_CONNECTION, "sql": S.CHOOSE_CONNECTION}),
    S.EXECUTE_SQL:           (ExecuteSql(),          {"done": S.SHOW_RESULTS, "failed": S.CONFIRM_GENERATED_SQL, "own_failed": S.CONFIRM_USER_SQL}),
    S.SHOW_RESULTS:          (ShowResults(),         {"page": S.SHOW_RESULTS, "file": S.WRITE_FILE, "chart": S.DRAW_CHART, "share": S.SHARE_RESULT,
                                                      "write": S.NEED_WRITE_OR_EMAIL, "email": S.NEED_WRITE_OR_EMAIL, "question": S.CHOOSE_CONNECTION, "sql": S.CHOOSE_CONNECTION,
                                                      "database": S.CHOOSE_CONNECTION, "done": S.DONE}),
    S.WRITE_FILE:            (WriteFile(),           {"written": S.SHOW_RESULTS, "failed": S.SHOW_RESULTS}),
    S.DRAW_CHART:            (DrawChart(),           {"drawn": S.SHOW_RESULTS, "failed": S.SHOW_RESULTS}),
    S.SHARE_RESULT:          (ShareResult(),         {"shared": S.SHOW_RESULTS, "failed": S.SHOW_RESULTS}),
    S.NEED_WRITE_OR_EMAIL:   (WriteOrEmail(),        {"back": S.SHOW_RESULTS}),
    S.DONE:                  (Farewell(),            {}),
}, start=S.START, end=S.DONE)
# fmt: on
