"""THE TABLE: every stage, its handler, its ways out. Start reading here.

A handler returns a word and never names a stage. Besides the words, `help`, `back`, `restart` and `cancel` work everywhere.
"""

from router.machine import Flow
from router.memory import Stage as S
from router.stages.columns import MapColumns
from router.stages.compare_columns import AskAutoMatch
from router.stages.compare_map import MapTable
from router.stages.compare_match import MatchColumns
from router.stages.compare_report import AskReporting
from router.stages.compare_sides import AskFirst, AskSecond
from router.stages.compare_sql import ConfirmCompare, ExecuteCompare
from router.stages.compare_target import AskCompareJob, AskCompareSchema, AskCompareTable, FetchCompareSchemas
from router.stages.compare_tolerances import AskTolerances
from router.stages.confirm import FIRST, SECOND, ConfirmGeneratedSql, ConfirmSql
from router.stages.connection import ChooseConnection, ChooseSchema, ChooseTables, ReadSchema
from router.stages.email_rows import ChooseRows
from router.stages.job_name import NameJob
from router.stages.parameters import ReadParameters
from router.stages.plan import ConfirmPlan
from router.stages.query import CheckSql, NeedQuestion, NeedSql, WriteSql
from router.stages.repeat import AskRepeating, ConfirmRepeating
from router.stages.results import ExecuteSql, RunQuery, ShowResults
from router.stages.send_email import ConfirmEmail, ConfirmResend, NeedDetails, SendMail
from router.stages.start import AskSqlMethod, Farewell, Start
from router.stages.takeaways import DrawChart, ShareResult, WriteFile
from router.stages.target import ChooseTable, ChooseTarget, ChooseTargetSchema, FetchColumns, FetchSchemas, FetchTables
from router.stages.understand import UnderstandQuery
from router.stages.value import ChooseValue
from router.stages.write_data import ChooseMode, ConfirmWrite, WriteRows
from router.stages.write_or_email import WriteOrEmail

# fmt: off
FLOW = Flow({
    S.START:                 (Start(),               {"question": S.UNDERSTAND_QUERY, "sql": S.CHOOSE_CONNECTION, "database": S.CHOOSE_CONNECTION,
                                                      "generate": S.NEED_NATURAL_LANGUAGE, "provide": S.NEED_USER_SQL, "neither": S.ASK_SQL_METHOD,
                                                      "compare": S.ASK_FIRST_SQL_METHOD}),
    S.ASK_SQL_METHOD:        (AskSqlMethod(),        {"generate": S.NEED_NATURAL_LANGUAGE, "provide": S.NEED_USER_SQL,
                                                      "question": S.UNDERSTAND_QUERY, "sql": S.CHOOSE_CONNECTION, "database": S.CHOOSE_CONNECTION,
                                                      "compare": S.ASK_FIRST_SQL_METHOD}),
    S.NEED_NATURAL_LANGUAGE: (NeedQuestion(),        {"question": S.UNDERSTAND_QUERY, "sql": S.CHOOSE_CONNECTION, "tables": S.CHOOSE_CONNECTION,
                                                      "provide": S.NEED_USER_SQL}),
    S.NEED_USER_SQL:         (NeedSql(),             {"sql": S.CHOOSE_CONNECTION, "generate": S.NEED_NATURAL_LANGUAGE, "question": S.UNDERSTAND_QUERY}),
    S.UNDERSTAND_QUERY:      (UnderstandQuery(),     {"question": S.CHOOSE_CONNECTION, "plan": S.CONFIRM_PLAN, "provide": S.NEED_USER_SQL, "compare": S.ASK_SECOND_SQL_METHOD,
                                                      "comparison": S.ASK_FIRST_SQL_METHOD, "sentence": S.READ_PARAMETERS, "file": S.WRITE_FILE, "chart": S.DRAW_CHART,
                                                      "repeat": S.SCHEDULE, "rows": S.SHOW_RESULTS, "sql": S.CONFIRM_GENERATED_SQL, "own_sql": S.CONFIRM_USER_SQL,
                                                      "email_sql": S.CONFIRM_EMAIL_QUERY, "provide_email": S.NEED_EMAIL_QUERY,
                                                      "value": S.CHOOSE_VALUE, "ask": S.NEED_NATURAL_LANGUAGE, "heard": S.UNDERSTAND_QUERY, "typed_sql": S.CHOOSE_CONNECTION}),
    S.CONFIRM_PLAN:          (ConfirmPlan(),         {"question": S.CHOOSE_CONNECTION, "changed": S.CONFIRM_PLAN, "rows": S.SHOW_RESULTS,
                                                      "sql": S.CONFIRM_GENERATED_SQL, "own_sql": S.CONFIRM_USER_SQL, "provide": S.NEED_USER_SQL,
                                                      "email_sql": S.CONFIRM_EMAIL_QUERY, "provide_email": S.NEED_EMAIL_QUERY,
                                                      "value": S.CHOOSE_VALUE, "cancel": S.NEED_NATURAL_LANGUAGE,
                                                      "heard": S.UNDERSTAND_QUERY, "typed_sql": S.CHOOSE_CONNECTION}),
    S.CHOOSE_CONNECTION:     (ChooseConnection(),    {"chosen": S.READ_SCHEMA}),
    S.READ_SCHEMA:           (ReadSchema(),          {"read": S.CHOOSE_TABLES, "several": S.CHOOSE_SCHEMA, "failed": S.CHOOSE_CONNECTION}),
    S.CHOOSE_SCHEMA:         (ChooseSchema(),        {"chosen": S.READ_SCHEMA, "database": S.CHOOSE_CONNECTION}),
    S.CHOOSE_TABLES:         (ChooseTables(),        {"question": S.CHOOSE_VALUE, "sql": S.CHECK_SQL, "nothing": S.ASK_SQL_METHOD}),
    S.CHOOSE_VALUE:          (ChooseValue(),         {"chosen": S.WRITE_SQL, "more": S.CHOOSE_VALUE, "question": S.UNDERSTAND_QUERY, "sql": S.CHOOSE_CONNECTION}),
    S.WRITE_SQL:             (WriteSql(),            {"written": S.CONFIRM_GENERATED_SQL, "failed": S.NEED_NATURAL_LANGUAGE}),
    S.CHECK_SQL:             (CheckSql(),            {"sound": S.CONFIRM_USER_SQL, "failed": S.NEED_USER_SQL}),
    S.CONFIRM_GENERATED_SQL: (ConfirmGeneratedSql(), {"yes": S.EXECUTE_SQL, "no": S.NEED_NATURAL_LANGUAGE, "edit": S.NEED_USER_SQL, "again": S.WRITE_SQL, "teach": S.CONFIRM_GENERATED_SQL,
                                                      "question": S.UNDERSTAND_QUERY, "sql": S.CHOOSE_CONNECTION}),
    S.CONFIRM_USER_SQL:      (ConfirmSql(),          {"yes": S.EXECUTE_SQL, "no": S.NEED_USER_SQL,
                                                      "question": S.UNDERSTAND_QUERY, "sql": S.CHOOSE_CONNECTION}),
    S.EXECUTE_SQL:           (ExecuteSql(),          {"done": S.SHOW_RESULTS, "failed": S.CONFIRM_GENERATED_SQL, "own_failed": S.CONFIRM_USER_SQL}),
    S.SHOW_RESULTS:          (ShowResults(),         {"page": S.SHOW_RESULTS, "file": S.WRITE_FILE, "chart": S.DRAW_CHART, "share": S.SHARE_RESULT, "repeat": S.SCHEDULE,
                                                      "compare": S.ASK_SECOND_SQL_METHOD, "comparison": S.ASK_FIRST_SQL_METHOD, "again": S.CONFIRM_COMPARE_SQL,
                                                      "errand": S.NEED_WRITE_OR_EMAIL, "sentence": S.READ_PARAMETERS, "question": S.UNDERSTAND_QUERY, "sql": S.CHOOSE_CONNECTION,
                                                      "database": S.CHOOSE_CONNECTION, "done": S.DONE}),
    S.WRITE_FILE:            (WriteFile(),           {"written": S.SHOW_RESULTS, "failed": S.SHOW_RESULTS}),
    S.DRAW_CHART:            (DrawChart(),           {"drawn": S.SHOW_RESULTS, "failed": S.SHOW_RESULTS}),
    S.SHARE_RESULT:          (ShareResult(),         {"shared": S.SHOW_RESULTS, "failed": S.SHOW_RESULTS}),
    S.SCHEDULE:              (AskRepeating(),        {"filled": S.CONFIRM_SCHEDULE, "wrong": S.SCHEDULE, "cancel": S.SHOW_RESULTS}),
    S.CONFIRM_SCHEDULE:      (ConfirmRepeating(),    {"yes": S.SHOW_RESULTS, "no": S.SCHEDULE, "cancel": S.SHOW_RESULTS}),
    S.NEED_WRITE_OR_EMAIL:   (WriteOrEmail(),        {"fetch_connections": S.CHOOSE_TARGET, "fetch_schemas": S.FETCH_SCHEMAS, "fetch_tables": S.FETCH_TABLES,
                                                      "fetch_columns": S.FETCH_COLUMNS, "ask_mode": S.CHOOSE_WRITE_MODE, "ask_columns": S.MAP_COLUMNS,
                                                      "write": S.CONFIRM_WRITE, "ask_query": S.CHOOSE_EMAIL_ROWS, "ask_details": S.NEED_EMAIL_DETAILS,
                                                      "email": S.CONFIRM_EMAIL, "sentence": S.READ_PARAMETERS, "cancel": S.SHOW_RESULTS}),
    S.READ_PARAMETERS:       (ReadParameters(),      {"read": S.NEED_WRITE_OR_EMAIL, "failed": S.NEED_WRITE_OR_EMAIL}),
    S.CHOOSE_TARGET:         (ChooseTarget(),        {"chosen": S.NEED_WRITE_OR_EMAIL, "none": S.SHOW_RESULTS, "cancel": S.SHOW_RESULTS}),
    S.FETCH_SCHEMAS:         (FetchSchemas(),        {"one": S.NEED_WRITE_OR_EMAIL, "several": S.CHOOSE_TARGET_SCHEMA, "failed": S.SHOW_RESULTS}),
    S.CHOOSE_TARGET_SCHEMA:  (ChooseTargetSchema(),  {"chosen": S.NEED_WRITE_OR_EMAIL, "cancel": S.SHOW_RESULTS}),
    S.FETCH_TABLES:          (FetchTables(),         {"read": S.CHOOSE_TARGET_TABLE, "failed": S.SHOW_RESULTS}),
    S.CHOOSE_TARGET_TABLE:   (ChooseTable(),         {"chosen": S.NEED_WRITE_OR_EMAIL, "cancel": S.SHOW_RESULTS}),
    S.FETCH_COLUMNS:         (FetchColumns(),        {"read": S.NEED_WRITE_OR_EMAIL, "failed": S.FETCH_TABLES}),
    S.CHOOSE_WRITE_MODE:     (ChooseMode(),          {"chosen": S.NEED_WRITE_OR_EMAIL, "table": S.NEED_WRITE_OR_EMAIL, "cancel": S.SHOW_RESULTS}),
    S.MAP_COLUMNS:           (MapColumns(),          {"mapped": S.NEED_WRITE_OR_EMAIL, "cancel": S.SHOW_RESULTS}),
    S.CONFIRM_WRITE:         (ConfirmWrite(),        {"yes": S.WRITE_DATA, "columns": S.MAP_COLUMNS, "name": S.NAME_JOB, "table": S.NEED_WRITE_OR_EMAIL,
                                                      "cancel": S.SHOW_RESULTS}),
    S.NAME_JOB:              (NameJob(),             {"named": S.CONFIRM_WRITE, "cancel": S.SHOW_RESULTS}),
    S.WRITE_DATA:            (WriteRows(),           {"written": S.SHOW_RESULTS, "failed": S.NEED_WRITE_OR_EMAIL}),
    S.CHOOSE_EMAIL_ROWS:     (ChooseRows(),          {"result": S.NEED_WRITE_OR_EMAIL, "query": S.CHECK_EMAIL_QUERY, "cancel": S.SHOW_RESULTS}),
    S.CHECK_EMAIL_QUERY:     (CheckSql(),            {"sound": S.CONFIRM_EMAIL_QUERY, "failed": S.NEED_EMAIL_QUERY}),
    S.NEED_EMAIL_QUERY:      (NeedSql(),             {"sql": S.CHECK_EMAIL_QUERY, "generate": S.NEED_NATURAL_LANGUAGE, "question": S.UNDERSTAND_QUERY}),
    S.CONFIRM_EMAIL_QUERY:   (ConfirmSql(),          {"yes": S.RUN_EMAIL_QUERY, "no": S.NEED_EMAIL_QUERY,
                                                      "question": S.UNDERSTAND_QUERY, "sql": S.CHOOSE_CONNECTION}),
    S.RUN_EMAIL_QUERY:       (RunQuery(),            {"done": S.NEED_WRITE_OR_EMAIL, "own_failed": S.CONFIRM_EMAIL_QUERY}),
    S.NEED_EMAIL_DETAILS:    (NeedDetails(),         {"filled": S.NEED_WRITE_OR_EMAIL, "wrong": S.NEED_EMAIL_DETAILS, "sentence": S.READ_PARAMETERS, "cancel": S.SHOW_RESULTS}),
    S.CONFIRM_EMAIL:         (ConfirmEmail(),        {"yes": S.SEND_EMAIL, "form": S.CONFIRM_EMAIL, "details": S.NEED_EMAIL_DETAILS, "cancel": S.SHOW_RESULTS}),
    S.SEND_EMAIL:            (SendMail(),            {"sent": S.SHOW_RESULTS, "failed": S.CONFIRM_EMAIL, "unsure": S.CONFIRM_RESEND}),
    S.CONFIRM_RESEND:        (ConfirmResend(),       {"again": S.SEND_EMAIL, "cancel": S.SHOW_RESULTS}),
    S.ASK_FIRST_SQL_METHOD:    (AskFirst(),{"generate": S.NEED_FIRST_NATURAL_LANGUAGE, "provide": S.NEED_FIRST_USER_SQL, "question": S.CHOOSE_FIRST_CONNECTION,
                                                      "sql": S.CHOOSE_FIRST_CONNECTION, "database": S.CHOOSE_FIRST_CONNECTION}),
    S.NEED_FIRST_NATURAL_LANGUAGE: (NeedQuestion("What shall the first query find?"), {"question": S.CHOOSE_FIRST_CONNECTION, "sql": S.CHOOSE_FIRST_CONNECTION,
                                                      "tables": S.CHOOSE_FIRST_CONNECTION, "provide": S.NEED_FIRST_USER_SQL}),
    S.NEED_FIRST_USER_SQL:     (NeedSql(), {"sql": S.CHOOSE_FIRST_CONNECTION, "generate": S.NEED_FIRST_NATURAL_LANGUAGE, "question": S.CHOOSE_FIRST_CONNECTION}),
    S.CHOOSE_FIRST_CONNECTION: (ChooseConnection("Which database is the first query for?"), {"chosen": S.READ_FIRST_SCHEMA}),
    S.READ_FIRST_SCHEMA:       (ReadSchema(), {"read": S.CHOOSE_FIRST_TABLES, "several": S.CHOOSE_FIRST_SCHEMA, "failed": S.CHOOSE_FIRST_CONNECTION}),
    S.CHOOSE_FIRST_SCHEMA:     (ChooseSchema(), {"chosen": S.READ_FIRST_SCHEMA, "database": S.CHOOSE_FIRST_CONNECTION}),
    S.CHOOSE_FIRST_TABLES:     (ChooseTables(), {"question": S.CHOOSE_FIRST_VALUE, "sql": S.CHECK_FIRST_SQL, "nothing": S.ASK_FIRST_SQL_METHOD}),
    S.CHOOSE_FIRST_VALUE:      (ChooseValue(), {"chosen": S.WRITE_FIRST_SQL, "more": S.CHOOSE_FIRST_VALUE, "question": S.CHOOSE_FIRST_CONNECTION, "sql": S.CHOOSE_FIRST_CONNECTION}),
    S.WRITE_FIRST_SQL:         (WriteSql(), {"written": S.CONFIRM_FIRST_GENERATED_SQL, "failed": S.NEED_FIRST_NATURAL_LANGUAGE}),
    S.CHECK_FIRST_SQL:         (CheckSql(), {"sound": S.CONFIRM_FIRST_USER_SQL, "failed": S.NEED_FIRST_USER_SQL}),
    S.CONFIRM_FIRST_GENERATED_SQL: (ConfirmGeneratedSql(FIRST), {"yes": S.ASK_SECOND_SQL_METHOD, "no": S.NEED_FIRST_NATURAL_LANGUAGE, "edit": S.NEED_FIRST_USER_SQL,
                                                      "again": S.WRITE_FIRST_SQL, "teach": S.CONFIRM_FIRST_GENERATED_SQL, "question": S.CHOOSE_FIRST_CONNECTION,
                                                      "sql": S.CHOOSE_FIRST_CONNECTION}),
    S.CONFIRM_FIRST_USER_SQL:  (ConfirmSql(FIRST), {"yes": S.ASK_SECOND_SQL_METHOD, "no": S.NEED_FIRST_USER_SQL,
                                                      "question": S.CHOOSE_FIRST_CONNECTION, "sql": S.CHOOSE_FIRST_CONNECTION}),
    S.ASK_SECOND_SQL_METHOD:    (AskSecond(),{"generate": S.NEED_SECOND_NATURAL_LANGUAGE, "provide": S.NEED_SECOND_USER_SQL, "question": S.CHOOSE_SECOND_CONNECTION,
                                                      "sql": S.CHOOSE_SECOND_CONNECTION, "database": S.CHOOSE_SECOND_CONNECTION, "both": S.MATCH_COLUMNS}),
    S.NEED_SECOND_NATURAL_LANGUAGE: (NeedQuestion("What shall the second query find?"), {"question": S.CHOOSE_SECOND_CONNECTION, "sql": S.CHOOSE_SECOND_CONNECTION,
                                                      "tables": S.CHOOSE_SECOND_CONNECTION, "provide": S.NEED_SECOND_USER_SQL}),
    S.NEED_SECOND_USER_SQL:     (NeedSql(), {"sql": S.CHOOSE_SECOND_CONNECTION, "generate": S.NEED_SECOND_NATURAL_LANGUAGE, "question": S.CHOOSE_SECOND_CONNECTION}),
    S.CHOOSE_SECOND_CONNECTION: (ChooseConnection("Which database is the second query for?"), {"chosen": S.READ_SECOND_SCHEMA}),
    S.READ_SECOND_SCHEMA:       (ReadSchema(), {"read": S.CHOOSE_SECOND_TABLES, "several": S.CHOOSE_SECOND_SCHEMA, "failed": S.CHOOSE_SECOND_CONNECTION}),
    S.CHOOSE_SECOND_SCHEMA:     (ChooseSchema(), {"chosen": S.READ_SECOND_SCHEMA, "database": S.CHOOSE_SECOND_CONNECTION}),
    S.CHOOSE_SECOND_TABLES:     (ChooseTables(), {"question": S.CHOOSE_SECOND_VALUE, "sql": S.CHECK_SECOND_SQL, "nothing": S.ASK_SECOND_SQL_METHOD}),
    S.CHOOSE_SECOND_VALUE:      (ChooseValue(), {"chosen": S.WRITE_SECOND_SQL, "more": S.CHOOSE_SECOND_VALUE, "question": S.CHOOSE_SECOND_CONNECTION, "sql": S.CHOOSE_SECOND_CONNECTION}),
    S.WRITE_SECOND_SQL:         (WriteSql(), {"written": S.CONFIRM_SECOND_GENERATED_SQL, "failed": S.NEED_SECOND_NATURAL_LANGUAGE}),
    S.CHECK_SECOND_SQL:         (CheckSql(), {"sound": S.CONFIRM_SECOND_USER_SQL, "failed": S.NEED_SECOND_USER_SQL}),
    S.CONFIRM_SECOND_GENERATED_SQL: (ConfirmGeneratedSql(SECOND), {"yes": S.MATCH_COLUMNS, "no": S.NEED_SECOND_NATURAL_LANGUAGE, "edit": S.NEED_SECOND_USER_SQL,
                                                      "again": S.WRITE_SECOND_SQL, "teach": S.CONFIRM_SECOND_GENERATED_SQL, "question": S.CHOOSE_SECOND_CONNECTION,
                                                      "sql": S.CHOOSE_SECOND_CONNECTION}),
    S.CONFIRM_SECOND_USER_SQL:  (ConfirmSql(SECOND), {"yes": S.MATCH_COLUMNS, "no": S.NEED_SECOND_USER_SQL,
                                                      "question": S.CHOOSE_SECOND_CONNECTION, "sql": S.CHOOSE_SECOND_CONNECTION}),
    S.MATCH_COLUMNS:         (MatchColumns(),        {"read": S.ASK_AUTO_MATCH, "failed": S.ASK_AUTO_MATCH, "mapped": S.ASK_REPORTING_TYPE,
                                                      "first": S.CONFIRM_FIRST_USER_SQL, "second": S.CONFIRM_SECOND_USER_SQL}),
    S.ASK_AUTO_MATCH:        (AskAutoMatch(),        {"accept": S.ASK_REPORTING_TYPE, "map": S.WAITING_MAP_TABLE, "again": S.MATCH_COLUMNS,
                                                      "first": S.NEED_FIRST_USER_SQL, "second": S.NEED_SECOND_USER_SQL,
                                                      "cancel": S.SHOW_RESULTS, "over": S.DONE}),
    S.WAITING_MAP_TABLE:     (MapTable(),            {"mapped": S.ASK_REPORTING_TYPE, "look": S.MATCH_COLUMNS, "wrong": S.WAITING_MAP_TABLE}),
    S.ASK_REPORTING_TYPE:    (AskReporting(),        {"chosen": S.CONFIRM_COMPARE_SQL}),
    S.CHOOSE_TOLERANCES:     (AskTolerances(),       {"chosen": S.CONFIRM_COMPARE_SQL, "wrong": S.CHOOSE_TOLERANCES}),
    S.CONFIRM_COMPARE_SQL:   (ConfirmCompare(),      {"yes": S.EXECUTE_COMPARE_SQL, "more": S.CONFIRM_COMPARE_SQL, "map": S.WAITING_MAP_TABLE,
                                                      "reporting": S.ASK_REPORTING_TYPE, "tolerances": S.CHOOSE_TOLERANCES, "into": S.FETCH_COMPARE_SCHEMAS,
                                                      "first": S.NEED_FIRST_USER_SQL, "second": S.NEED_SECOND_USER_SQL,
                                                      "cancel": S.SHOW_RESULTS, "over": S.DONE}),
    S.FETCH_COMPARE_SCHEMAS: (FetchCompareSchemas(), {"read": S.ASK_COMPARE_SCHEMA, "none": S.CONFIRM_COMPARE_SQL, "failed": S.CONFIRM_COMPARE_SQL}),
    S.ASK_COMPARE_SCHEMA:    (AskCompareSchema(),    {"chosen": S.ASK_COMPARE_TABLE_NAME, "none": S.CONFIRM_COMPARE_SQL}),
    S.ASK_COMPARE_TABLE_NAME: (AskCompareTable(),    {"named": S.ASK_COMPARE_JOB_NAME}),
    S.ASK_COMPARE_JOB_NAME:  (AskCompareJob(),       {"named": S.CONFIRM_COMPARE_SQL}),
    S.EXECUTE_COMPARE_SQL:   (ExecuteCompare(),      {"done": S.SHOW_RESULTS, "write": S.NEED_WRITE_OR_EMAIL, "failed": S.CONFIRM_COMPARE_SQL}),
    S.DONE:                  (Farewell(),            {}),
}, start=S.START, end=S.DONE)
# fmt: on
