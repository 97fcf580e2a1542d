"""The orchestrator: runs the agents on a question until its tree is done."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from router.agents.matches import cut_to_fit, fits
from router.agents.options import SHIPPED, Options
from router.agents.prompt import prefix
from router.agents.question import Model, Question
from router.agents.repair.asked.order import LARGEST, TIMELY
from router.agents.shape import Shape
from router.agents.tree.agent import Agent
from router.agents.tree.analyzer import analyse
from router.agents.tree.chooser import choose
from router.agents.tree.combination import combine
from router.agents.tree.discretion import discreet
from router.agents.tree.evaluator import DryRun, evaluate, judge
from router.agents.tree.generator import generate
from router.agents.tree.linker import link
from router.agents.tree.node import Node, State, Try
from router.agents.tree.status import check, composable
from router.agents.tree.tree import Tree
from router.catalog.schema import Schema


@dataclass(frozen=True, slots=True)
class Orchestrator:
    """What the agents work with, for one question and whoever waits for it."""

    model: Model
    schema: Schema
    dry_run: DryRun
    asker: str
    progress: Callable[[str], None]
    stopped: Callable[[], bool]
    options: Options = SHIPPED

    def solve(self, question: Question) -> Tree:
        """Return the tree of a question when it is done; raises AgentFailed and Stopped."""
        # Whoever saw a query and wants another one gets one that a model wrote: the parts would be the same again.
        tree = Tree((Node(question, whole=bool(question.avoid) or not self.options.decomposition),))
        while (status := check(tree)).node is not None:
            tree = _WORK[self._next(tree.nodes[status.node], status.agents)](self, tree, status.node)
        return tree

    def _next(self, node: Node, agents: tuple[Agent, ...]) -> Agent:
        if self.options.orchestrator == "rules":
            return agents[0]
        return choose(discreet(node, self.schema), agents, partial(self._fill, node.question.text))

    def _link(self, tree: Tree, number: int) -> Tree:
        node = tree.nodes[number]
        views = self.options.views == "all" or (self.options.views == "wide" and not fits(self.schema))
        view = link(node.question.text, self.schema, node.written, views)
        return tree.put(number, replace(node, view=view, whole=True))

    def _analyse(self, tree: Tree, number: int) -> Tree:
        node = tree.nodes[number]
        division = analyse(node.question, self.schema, partial(self._fill, node.question.text))
        tree = tree.put(number, replace(node, whole=True))
        if division is None:
            return tree
        parts = [Node(replace(node.question, text=text), name, number) for name, text in division.parts]
        return tree.divided(parts, division.operation)

    def _generate(self, tree: Tree, number: int) -> Tree:
        node = tree.nodes[number]
        if composable(tree, number):
            named = [(tree.nodes[part].name, tree.nodes[part].tries[-1].sql) for part in tree.parts(number)]
            draft = combine(named, tree.operation, self.schema) or ""
            return tree.put(number, replace(node, draft=draft, state=State.NEED_EVAL))
        self._tell(tree, number)
        view = node.view or (node.tries[-1].view if node.tries else None)
        assert view is not None, "an agent that may not be next was chosen"
        seen = discreet(node, self.schema)
        draft = generate(self._text, seen.question, view, seen.written, self.options)
        return tree.put(number, replace(node, view=view, draft=draft, state=State.NEED_EVAL))

    def _evaluate(self, tree: Tree, number: int) -> Tree:
        node = tree.nodes[number]
        if composable(tree, number):
            judged = self._composed(tree, number)
        else:
            judged = evaluate(
                node.draft, node.question, self.schema, self.dry_run, node.written, node.view, self.options
            )
        tries = (*node.tries, judged)
        most = max(self.options.tries, 2 if tries[0].composed else 1)  # then the model writes it as a whole
        bad = State.MAX_RETRIES if len(tries) >= most else State.BAD_SQL
        state = State.GOOD_SQL if judged.good else bad
        return tree.put(number, replace(node, tries=tries, state=state, view=None, draft=""))

    def _composed(self, tree: Tree, number: int) -> Try:
        """Judge a statement that was put together: there is nothing to mend in it."""
        parts, draft = [tree.nodes[part] for part in tree.parts(number)], tree.nodes[number].draft
        if not draft:
            return Try("", "The parts cannot be put together.", composed=True)
        sql, problem, estimate = judge(draft, self.schema, self.dry_run)
        asked = " and ".join(f"“{part.question.text}”" for part in parts)
        told = dict.fromkeys(note for part in parts for note in part.tries[-1].notes)
        notes = tuple(
            note for note in told if note not in (LARGEST, TIMELY)
        )  # parts that are put together have no order
        return Try(sql, problem, notes=(f"Answered in parts: {asked}.", *notes), estimate=estimate, composed=True)

    def _tell(self, tree: Tree, number: int) -> None:
        node = tree.nodes[number]
        if node.written:
            self.progress("Correcting the SQL…")
        elif node.parent is not None:
            parts = tree.parts(node.parent)
            self.progress(f"Writing the SQL, part {parts.index(number) + 1} of {len(parts)}…")

    def _text(self, system: str, user: str, warmth: float) -> str:
        return self.model.text(
            system,
            user,
            asker=self.asker,
            progress=self.progress,
            stopped=self.stopped,
            agent="sql",
            temperature=warmth,
        )

    def _fill(self, question: str, shape: type[Shape], user: str) -> Shape:
        """Have a model answer after the beginning that the SQL is written after, so that it is read only once."""
        system, _ = prefix(cut_to_fit(question, self.schema), self.options)
        return self.model.fill(
            shape,
            system,
            user,
            asker=self.asker,
            progress=self.progress,
            stopped=self.stopped,
            agent="sql_tree",
            temperature=0.0,
        )


_WORK: Mapping[Agent, Callable[[Orchestrator, Tree, int], Tree]] = {
    Agent.SCHEMA_LINKER: Orchestrator._link,
    Agent.QUERY_ANALYZER: Orchestrator._analyse,
    Agent.SQL_GENERATOR: Orchestrator._generate,
    Agent.SQL_EVALUATOR: Orchestrator._evaluate,
}
