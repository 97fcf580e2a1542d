"""From a question, or somebody's own SQL, to a query that can be shown for approval."""

from dataclasses import replace
from datetime import date
from functools import partial
from typing import Literal
from zoneinfo import ZoneInfo

from sqlglot import exp

from router.cards import Buttons, Card, Field, Form, Option, Text
from router.catalog.schema import Schema
from router.handoff.handoff import way_to_people
from router.jobs.results.cells import line
from router.knowledge.knowledge import NOTHING_KNOWN, Example, Known, Term
from router.language.folding import fold
from router.language.wording import truncate
from router.machine import Ask, Work
from router.memory.draft import Draft
from router.memory.recurrence import zone_known
from router.policy import require_read
from router.sql.databases.session import Estimate
from router.sql.explain.explanation import explanation_of
from router.sql.guard import check
from router.sql.parsing import statement
from router.sql.pasted_text import put_right
from router.sql.scope import Scope
from router.stages.compare.typed_query import take_same_elsewhere
from router.stages.side_questions import heard
from router.stages.start import draft_typed, take
from router.text_to_sql.ambiguous_columns import Home, spoken_of, unsure_columns
from router.text_to_sql.named_values import Named, named_in
from router.text_to_sql.question import Question, SqlTask
from router.text_to_sql.repair.query import quoted
from router.text_to_sql.schema_linking import likely_tables
from router.text_to_sql.write_sql import write_sql
from router.turn import Filled, Pressed, Turn
from router.understanding.categories import Category
from router.understanding.kinds import asks_clearly
from router.understanding.typed_sql import TypedSql

TIMES_MAX = 4
"""Times of a question that a person is told the dates of."""

BEFORE_SHOWN_CHARS = 120
"""Characters that are shown of the question below which another one was typed."""

ONE_QUERY = "I need one SQL query here, such as SELECT … FROM …"


class NeedQuestion(Ask):
    """Ask for the question in the person's own words."""

    accepts_definitions = True
    fields = frozenset(["question"])
    help = "Ask as you'd ask a colleague: “Which five customers brought the most revenue this year?”"

    def __init__(self, prompt: str = "What would you like to know?") -> None:
        self.prompt = prompt

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        draft = turn.memory.draft
        if not draft.question:
            return (Text(self.prompt),)
        ways = (
            Option("again", "Ask it again", "primary"),
            Option("tables", "Pick the tables"),
            Option("provide", "I have SQL"),
            *way_to_people(turn),
            Option("cancel", "Cancel"),
        )
        below = f" (below “{line(draft.follows[0], BEFORE_SHOWN_CHARS)}”)" if draft.leans else ""
        return (
            Text(f"Your question was: {draft.question}{below}"),
            Buttons("Put it in other words, or:", ways),
        )

    def answer(self, turn: Turn) -> Literal["question", "sql", "provide", "tables", "unclear"]:
        draft, tables = turn.memory.draft, turn.word("tables") is not None
        if tables or (draft.question and turn.word("again", "yes")):
            if draft.method == "provide":  # SQL of one's own is no answer to the question that was tried
                turn.memory.draft = draft.asked_again()
            turn.memory.choosing = "tables" if tables else turn.memory.choosing
            return "tables" if tables else "question"
        if turn.word("provide"):
            return "provide"
        return take_same_elsewhere(turn) or take(turn) or turn.unclear("That does not look like a question.")


class NeedSql(Ask):
    """Ask for the person's own SQL, or let them edit the SQL at hand."""

    fields = frozenset(["sql"])
    takes_sql = False
    help = "Paste or edit one SELECT statement. It is checked first, and shown to you again before it runs."

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        draft = turn.memory.draft
        as_typed = (Text(each, "quiet") for each in draft.as_typed)
        ways = (Option("generate", "Ask in words instead"), Option("cancel", "Cancel"))
        return (*as_typed, sql_form(draft), Buttons("", ways))

    def answer(self, turn: Turn) -> Literal["sql", "generate", "question", "unclear"]:
        if turn.word("generate"):
            return "generate"
        if (sql := self._query(turn)) is None:
            about_sql = isinstance(turn.incoming.input, Pressed) or heard(turn).likely == Category.OWN_SQL
            return (None if about_sql else take(turn)) or turn.unclear(ONE_QUERY)
        turn.asks = True
        turn.memory.draft = own_sql(turn, sql)
        return "sql"

    def _query(self, turn: Turn) -> TypedSql | None:
        """Return what is checked as SQL: in the form, all that is no clear question is told what is wrong with it."""
        found, filled = turn.typed_sql() or turn.sql_in(turn.text), isinstance(turn.incoming.input, Filled)
        if filled and turn.text and not (found and found.cut) and not asks_clearly(turn.text):
            return TypedSql(found.text if found else turn.text)
        return found


def question_form(draft: Draft) -> Form:
    """Return the form in which a question is put in other words."""
    return Form("Change the question", (Field("question", "Your question", "text", draft.question),), "Ask")


def sql_form(draft: Draft) -> Form:
    """Return the form in which SQL is typed or edited."""
    field = Field("sql", "SQL (one SELECT)", "code", draft.sql, problem=draft.problem)
    return Form("Edit the SQL" if draft.sql else "Your SQL", (field,), "Check it")


def own_sql(turn: Turn, typed: TypedSql) -> Draft:
    """Return a draft of the person's SQL, with the question that it began with."""
    draft, new = turn.memory.draft, draft_typed(typed)
    changed = bool(draft.question) and new.sql.split() != draft.sql.split()
    return replace(new, question=draft.question, leans=draft.leans, plan=draft.plan, changed=changed)


class WriteSql(Work):
    """Have the model write the SQL; what a person sees has passed the guard and a dry run, or says why not."""

    drafts_sql = True
    doing = "Writing the SQL…"
    step = 2
    achieves = "sql"

    def work(self, turn: Turn) -> Literal["written"]:
        memory, services = turn.memory, turn.services
        draft = memory.draft
        turn.record("asked", question=draft.question)
        require_read(turn.owner, turn.connection)
        schema = _schema(turn)
        tried = (*draft.tried, draft.sql) if draft.sql else draft.tried
        known = _known(turn, schema)
        question = Question(
            draft.question,
            today=_today(turn),
            evidence=draft.evidence,
            avoid=tried,
            failure=draft.failure if turn.connection.samples else "",  # it may hold values
            known=known,
            named=_named(turn),
            follows=Example(*draft.follows) if draft.follows else None,
        )
        dry_run = partial(_dry_run, turn, schema.scope)
        written = write_sql(SqlTask(question, schema, services.sql_model(), dry_run, turn.requester, services.options))
        taken, others = ((), ()) if written.problem else _readings(turn, written.sql, known)
        memory.draft = replace(
            _explained(draft, written.sql, schema, written.problem or ""),
            method="generate",
            notes=(*_times(question), *_used(known.terms), *taken, *written.notes, *_expectation(written.estimate)),
            readings=others,
            doubts=written.doubts,
            less_sure=written.unsure,
            leans=draft.leans or written.leans,
            tried=tried,
            changed=False,
            failure="",
        )
        turn.record("generated", question=draft.question, sql=written.sql, error=memory.draft.problem)
        return "written"


class CheckSql(Work):
    """Check somebody's own SQL against the guard and the database, before it is shown for approval."""

    doing = "Checking the SQL…"

    def work(self, turn: Turn) -> Literal["sound", "failed"]:
        turn.record("asked", sql=turn.memory.draft.sql)
        require_read(turn.owner, turn.connection)
        memory, schema = turn.memory, _schema(turn)
        pasted = put_right(memory.draft.sql, schema.dialect)
        if pasted.problem:
            memory.draft = replace(memory.draft, problem=pasted.problem)
            return "failed"
        said = (*memory.draft.as_typed, *((pasted.said,) if pasted.said else ()))
        memory.draft = replace(memory.draft, sql=pasted.sql, as_typed=said)
        verdict = check(pasted.sql, schema.dialect, schema.scope)
        if not verdict.allowed:
            turn.record("refused", sql=memory.draft.sql, error=verdict.reason)
            memory.draft = replace(memory.draft, problem=verdict.reason)
            return "failed"
        estimate = _dry_run(turn, schema.scope, verdict.sql)
        memory.draft = replace(_explained(memory.draft, verdict.sql, schema), notes=_expectation(estimate))
        return "sound"


def _explained(draft: Draft, sql: str, schema: Schema, problem: str = "") -> Draft:
    """Return the draft with SQL that nobody approved yet, and with what that does if it can run."""
    words = None if problem else explanation_of(sql, schema.dialect)
    title, steps = (words.title, words.steps) if words else ("", ())
    return replace(draft, sql=sql, title=title, steps=steps, problem=problem, approval=None)


def _known(turn: Turn, schema: Schema) -> Known:
    """Return what is known of the question's words; what its hint says of a term goes before the glossary."""
    knowledge, draft = turn.services.knowledge, turn.memory.draft
    if knowledge is None:
        return NOTHING_KNOWN
    known, hint = knowledge.about(turn.memory.place.connection, draft.question, schema), draft.evidence.casefold()
    terms = (term for term in known.terms if not any(name.casefold() in hint for name in (term.name, *term.synonyms)))
    return replace(known, terms=tuple(terms))


def _schema(turn: Turn) -> Schema:
    schema = turn.schema()
    return schema.only(turn.memory.place.tables) if turn.memory.draft.method == "generate" else schema


def _dry_run(turn: Turn, scope: Scope, sql: str) -> Estimate:
    with turn.services.catalog.trial(turn.memory.place.connection, scope, turn.owner) as trial:
        turn.stopping.runs(trial.cancel)
        return trial.check(sql)


def _today(turn: Turn) -> date:
    """Return the day that it is for the person, in their own time zone if that is known."""
    zone = zone_known(turn.owner.zone)
    now = turn.services.clock()
    return (now.astimezone(ZoneInfo(zone)) if zone else now).date()


def _times(question: Question) -> tuple[str, ...]:
    """Return the dates that the question's times are taken as, in one line."""
    lines = [time.line for time in question.times]
    return ("; ".join(lines[:TIMES_MAX]),) if lines else ()


def _used(terms: tuple[Term, ...]) -> tuple[str, ...]:
    """Return what is said of the terms that the model was told."""
    short = (f"{term.name} = {truncate(term.meaning, 80)}" for term in terms)
    return (f"Used: {'; '.join(short)}",) if terms else ()


def _expectation(estimate: Estimate | None) -> tuple[str, ...]:
    """Return the planner's estimate as a sentence, if there is one."""
    return (" ".join(estimate.sentences),) if estimate and estimate.sentences else ()


# Words of a question that may mean several columns: the card names the one that was used, and a press changes it.


def _named(turn: Turn) -> tuple[Named, ...]:
    """Return the values that the question names, but for the words that a hint explains."""
    hint = fold(turn.memory.draft.evidence)
    found = named_in(turn.memory.draft.question, turn.values())
    return tuple(each for each in found if fold(each.words) not in hint)


def _readings(turn: Turn, sql: str, known: Known) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return sentences on how the SQL takes words that may mean several columns, and the hints for the others."""
    schema = turn.schema().only(turn.memory.place.tables)
    tree = statement(sql, schema.dialect)
    if isinstance(tree, str):
        return (), ()
    draft = turn.memory.draft
    shown = likely_tables(draft.question, schema)  # words that others share with the tables of a model are plain
    taken, others = list[str](), list[str]()
    for unsure in unsure_columns(draft.question, shown, draft.evidence, known, spoken_of(_named(turn))):
        used = [home for home in unsure.homes if _is_used(home, tree)]
        if len(used) == 1:
            taken.append(f"I took it that {_reading(unsure.words, used[0], schema)}.")
        others += [_reading(unsure.words, home, schema) for home in unsure.homes if home not in used]
    return tuple(taken), tuple(others)


def _reading(words: str, home: Home, schema: Schema) -> str:
    """Return what words mean, as the model is told it, and as its button says it."""
    return f"{words} means {quoted(home.table, schema.dialect)}.{quoted(home.column, schema.dialect)}"


def _is_used(home: Home, tree: exp.Expr) -> bool:
    """Return whether a query has the column."""
    tables = (each for each in tree.find_all(exp.Table) if each.name.lower() == home.table.lower())
    names = {each.alias_or_name.lower() for each in tables}
    columns = (each for each in tree.find_all(exp.Column) if each.name.lower() == home.column.lower())
    return bool(names) and any(each.table.lower() in {*names, ""} for each in columns)
