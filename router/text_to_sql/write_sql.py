"""A question becomes SQL: the model writes, the schema repairs, the guard and the database judge.

    schema_linker ──► sql_generator ──► sql_evaluator ──► good: the next sibling, or the parent
          ▲  query_analyzer (parts)           │
          └──────── another view ◄─────── bad, at most three times

A simple question is a tree of one node, and costs one call of the model. `check` says which node is worked on and which
agents may be next; `solve` runs them until none is left.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from pydantic import BaseModel
from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from router.catalog.schema import Schema
from router.errors import AgentFailed
from router.language.folding import fold
from router.language.wording import WORD
from router.sql.databases.session import Estimate
from router.text_to_sql.agents import REPEATED_PROBLEM, analyse, evaluate, fill, generate, judge, link
from router.text_to_sql.combination import combine
from router.text_to_sql.confidence import DOUBTFUL, confidence
from router.text_to_sql.prompt import prompt
from router.text_to_sql.query_before import COUNTED_NOTE, count_rows, inherits_conditions
from router.text_to_sql.question import Agent, Node, NodeState, SqlTask, Tree, Try
from router.text_to_sql.repair.group_order import LARGEST_FIRST_NOTE, TIME_ORDER_NOTE
from router.text_to_sql.schema_text import folded
from router.text_to_sql.unsaid_constants import unsaid_constants

CHECK_STEP = 3
"""The number of the step in which SQL is checked, and corrected, after the schema was read and the SQL written."""


@dataclass(frozen=True, slots=True)
class WrittenSql:
    """The query, a sentence for each repair, and what the database expects; `problem` says why it cannot run.

    `status` is the state in which the question was left, `attempts` the number of statements that were judged for it.
    """

    sql: str
    notes: tuple[str, ...] = ()
    estimate: Estimate | None = None
    attempts: int = 1
    problem: str | None = None
    status: NodeState = NodeState.NO_SQL
    signs: int = 0
    """The number of things that speak against a query that runs."""
    surprisal: float | None = None
    """That of the least likely tokens, as `confidence.surprisal` says; None if the model does not tell."""
    sure: float = 0.0
    """The likelihood, from 0 to 1, that it is right; 0 if it does not run."""
    doubts: tuple[str, ...] = ()
    """Findings that a person should look at, a sentence each; the first is on constants that nobody said."""
    leans: bool = False
    """True if it has conditions of the query before, which the question need not say."""

    @property
    def unsure(self) -> bool:
        """True if it runs, nothing was found, and it is less likely right than most."""
        return not self.problem and not self.doubts and self.sure < DOUBTFUL


def write_sql(task: SqlTask) -> WrittenSql:
    """Return a query that passed the guard and the dry run; after three attempts the last one, with its problem.

    A query that runs but cannot be the answer is doubted once, and returned if nothing better comes.
    """
    root = solve(task).root
    best = _best(root.tries)
    problem, notes = best.problem or None, best.notes
    if problem == REPEATED_PROBLEM:
        problem, notes = None, (*notes, "The model has no other idea: this is a query that you saw before.")
    state = root.state if best.sql else NodeState.NO_SQL
    written = WrittenSql(best.sql, notes, best.estimate, len(root.tries), problem, state)
    if not best.sql or problem:
        return written
    sure = confidence(best.sql, task.schema.dialect, len(best.signs), best.surprisal)
    constants = unsaid_constants(task.question, best.sql, task.schema) if task.options.doubts else ""
    doubts = (*((constants,) if constants else ()), *best.signs)
    leans = inherits_conditions(task.question, best.sql, task.schema.dialect)
    return replace(written, signs=len(best.signs), surprisal=best.surprisal, sure=sure, doubts=doubts, leans=leans)


def _best(tries: tuple[Try, ...]) -> Try:
    """Return the query against which least speaks, of several the last one that was not doubted, or else the first."""
    last = next((each for each in reversed(tries) if each.sql), tries[-1])
    if last.problem == REPEATED_PROBLEM:
        return last
    runs = [each for each in reversed(tries) if each.sql and not each.problem]
    return min(runs, key=lambda each: (len(each.signs), bool(each.doubt)), default=last)


# Hiding values that a repair put into a query from the model: nobody typed them, and their columns are not shown.


MARK_HELD_BACK = "…"

_QUOTES = "\"'`“”„‘’«»"


def discreet(node: Node, schema: Schema) -> Node:
    """Return a node without the values, in what was tried before, that only the database can have told."""

    def held(sql: str, *sentences: str) -> tuple[str, ...]:
        values, without = _without(sql, schema, node.question.text)
        return (without, *(_silent(sentence, values) for sentence in sentences))

    tries = []
    for each in node.tries:
        sql, problem, doubt = held(each.sql, each.problem, each.doubt)
        tries.append(replace(each, sql=sql, problem=problem, doubt=doubt))
    avoid = tuple(held(sql)[0] for sql in node.question.avoid)
    return replace(node, tries=tuple(tries), question=replace(node.question, avoid=avoid))


def _without(sql: str, schema: Schema, typed: str) -> tuple[list[str], str]:
    """Return the values that are held back, and the query without them; as it is if there are none."""
    columns = [column for table in schema.tables for column in table.columns]
    hidden = [column.values for column in columns if column.values and not column.shown]
    if not hidden or not sql:
        return [], sql
    try:
        tree = parse_one(sql, read=schema.dialect)
    except SqlglotError:
        return [], sql  # what cannot be read was not repaired
    words = [fold(word) for word in WORD.findall(typed)]
    values = dict[str, None]()
    for text in list(tree.find_all(exp.Literal, exp.National, exp.RawString)):
        if isinstance(text, exp.Literal) and not text.is_string:
            continue
        value = text.name
        told = any(value in column.samples for column in columns) or _is_typed(value, words)
        if not told and any(value in of_column for of_column in hidden):
            values[value] = None
            text.replace(exp.Literal.string(MARK_HELD_BACK))
    return list(values), tree.sql(schema.dialect) if values else sql


def _is_typed(value: str, words: list[str]) -> bool:
    """Return whether some of these words, one after another, are the value: "annual" does not say Ann."""
    wanted = fold(value)
    if not wanted:
        return True  # nothing but signs
    for first in range(len(words)):
        joined = ""
        for word in words[first:]:
            joined += word
            if joined == wanted:
                return True
            if not wanted.startswith(joined):
                break
    return False


def _silent(sentence: str, values: list[str]) -> str:
    """Return a sentence without the values that stand in quotes there; a short one may be a part of other words."""
    for value in values:
        ways = {value, value.replace("'", "''"), value.replace("\\", "\\\\").replace("'", "\\'")}
        either = "|".join(sorted(map(re.escape, ways), key=len, reverse=True))
        sentence = re.sub(rf"(?<=[{_QUOTES}])(?:{either})(?=[{_QUOTES}])", MARK_HELD_BACK, sentence)
    return sentence


# The status of a tree: its current node, and the agents that may work on it.


@dataclass(frozen=True, slots=True)
class Status:
    """`node` is the place of the node that is worked on, None when the task is done.

    `agents` are those who may be next; the first of them is the one that rules choose.
    """

    node: int | None
    agents: tuple[Agent, ...] = ()


def check(tree: Tree) -> Status:
    """Return the status of a tree: from the root, the first part that is not over, then the root itself.

    Without one of its parts a question is answered as a whole, and the others are not needed.
    """
    if tree.root.over:
        return Status(None)
    failed = any(part.state is NodeState.MAX_RETRIES for part in tree.parts)
    left = (number for number, part in enumerate(tree.parts, 1) if not part.over)
    number = 0 if failed else next(left, 0)
    return Status(number, _agents(tree, number))


def is_composable(tree: Tree, number: int) -> bool:
    """Return whether a node's statement can be put together from its parts; that is tried once."""
    good = all(part.state is NodeState.GOOD_SQL for part in tree.parts)
    return number == 0 and bool(tree.parts) and good and not tree.root.tries


def _agents(tree: Tree, number: int) -> tuple[Agent, ...]:
    node = tree.nodes[number]
    if node.state is NodeState.NEED_EVAL:
        return (Agent.SQL_EVALUATOR,)
    if node.view or is_composable(tree, number):
        return (Agent.SQL_GENERATOR,)
    if number == 0 and not node.whole and not node.tries:
        return (Agent.QUERY_ANALYZER, Agent.SCHEMA_LINKER)
    return (Agent.SCHEMA_LINKER,)


def solve(task: SqlTask) -> Tree:
    """Return the tree of a question when it is done; raises AgentFailed and Stopped."""
    if counted := _counted(task):
        return counted
    # A person who saw a query and wants another one gets one that a model wrote: the parts would be the same again.
    tree = Tree((Node(task.question, whole=bool(task.question.avoid) or not task.options.decomposition),))
    while (status := check(tree)).node is not None:
        node = tree.nodes[status.node]
        part = replace(task, question=node.question)
        by_rules = task.options.orchestrator == "rules"
        agent = status.agents[0] if by_rules else choose(part, discreet(node, task.schema), status.agents)
        tree = _WORK[agent](part, tree, status.node)
    return tree


def _counted(task: SqlTask) -> Tree | None:
    """Return the tree of a question that only asks how many rows the query before gives; None for any other one."""
    sql = count_rows(task.question, task.schema.dialect)
    if not sql or task.question.avoid:
        return None
    counted, problem, estimate = judge(task, sql)
    tried = Try(counted, notes=(COUNTED_NOTE,), estimate=estimate, composed=True)
    return None if problem else Tree((Node(task.question, state=NodeState.GOOD_SQL, tries=(tried,)),))


def _link(task: SqlTask, tree: Tree, number: int) -> Tree:
    node = tree.nodes[number]
    return tree.put(number, replace(node, view=link(task, node.written), whole=True))


def _analyse(task: SqlTask, tree: Tree, number: int) -> Tree:
    parts = (Node(replace(task.question, text=text), name, whole=True) for name, text in analyse(task))
    return Tree((replace(tree.root, whole=True), *parts))


def _generate(task: SqlTask, tree: Tree, number: int) -> Tree:
    node = tree.nodes[number]
    if is_composable(tree, number):
        draft = combine([(part.name, part.tries[-1].sql) for part in tree.parts], task.schema) or ""
        return tree.put(number, replace(node, draft=draft, state=NodeState.NEED_EVAL))
    _tell(task, tree, number)
    assert node.view, "an agent that may not be next was chosen"
    seen = discreet(node, task.schema)
    draft, surprisal = generate(replace(task, question=seen.question), node.view, seen.written)
    return tree.put(number, replace(node, draft=draft, surprisal=surprisal, state=NodeState.NEED_EVAL))


def _evaluate(task: SqlTask, tree: Tree, number: int) -> Tree:
    node = tree.nodes[number]
    if is_composable(tree, number):
        judged = _composed(task, tree)
    else:
        judged = replace(evaluate(task, node.draft, node.written), surprisal=node.surprisal)
    tries = (*node.tries, judged)
    most = max(task.options.tries, 2 if tries[0].composed else 1)  # then the model writes it as a whole
    bad = NodeState.MAX_RETRIES if len(tries) >= most else NodeState.BAD_SQL
    state = NodeState.GOOD_SQL if judged.good else bad
    return tree.put(number, replace(node, tries=tries, state=state, view=None, draft=""))


def _composed(task: SqlTask, tree: Tree) -> Try:
    """Judge a statement that was put together: there is nothing to mend in it."""
    parts, draft = tree.parts, tree.root.draft
    if not draft:
        return Try("", "The parts cannot be put together.", composed=True)
    sql, problem, estimate = judge(task, draft)
    asked = " and ".join(f"“{part.question.text}”" for part in parts)
    told = dict.fromkeys(note for part in parts for note in part.tries[-1].notes)
    # Parts that are put together have no order.
    notes = tuple(note for note in told if note not in (LARGEST_FIRST_NOTE, TIME_ORDER_NOTE))
    known = [part.tries[-1].surprisal for part in parts]
    surprisal = max((each for each in known if each is not None), default=None)
    said = (f"Answered in parts: {asked}.", *notes)
    return Try(sql, problem, notes=said, estimate=estimate, composed=True, surprisal=surprisal)


def _tell(task: SqlTask, tree: Tree, number: int) -> None:
    node = tree.nodes[number]
    if node.written:
        task.requester.progress("Correcting the SQL…", CHECK_STEP)
    elif number:
        task.requester.progress(f"Writing the SQL, part {number} of {len(tree.parts)}…")


_WORK: Mapping[Agent, Callable[[SqlTask, Tree, int], Tree]] = {
    Agent.SCHEMA_LINKER: _link,
    Agent.QUERY_ANALYZER: _analyse,
    Agent.SQL_GENERATOR: _generate,
    Agent.SQL_EVALUATOR: _evaluate,
}


# A model chooses the next agent, among those that may be next; what it says otherwise is not followed.


class Next(BaseModel):
    """The shape of the answer."""

    agent: Agent


def choose(task: SqlTask, node: Node, agents: tuple[Agent, ...]) -> Agent:
    """Return one of `agents`: the model's choice, or the first if it makes none; a single one is not asked about.

    Raises Stopped.
    """
    if len(agents) == 1:
        return agents[0]
    last = node.tries[-1] if node.tries else None
    history = f"{folded(last.sql, 1000)}\nThis failed: {folded(last.problem or last.doubt, 300)}\n" if last else ""
    user = prompt("sql_next").format(
        question=folded(node.question.text, 500), history=history, agents=", ".join(agents)
    )
    try:
        chosen = fill(task, Next, user).agent
    except AgentFailed:  # if it is away, the call for SQL says so
        return agents[0]
    return chosen if chosen in agents else agents[0]
