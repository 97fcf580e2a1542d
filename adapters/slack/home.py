"""The Home tab: how to begin, what one may ask, and what one asked last."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from adapters.fitting import cut
from adapters.slack.asks import button
from adapters.slack.ids import REPEAT
from adapters.slack.mrkdwn import escaped
from adapters.slack.texts import section, small
from router.catalog.connection import Connection
from router.jobs.feedback import Answered
from router.memory import User, key_from
from router.policy import examples, readable
from router.repeats import Listed
from router.turn import Tools

RECENT = 8
PROMPTS = 4
REPEATED = 20
"""Of what is repeated, two blocks each: a tab has at most a hundred."""
TITLE = 75
NOTICE = "Answers are written by AI and can be wrong: read the SQL before you press Run. Nothing runs without you."


def home_view(
    user: User, tools: Tools, asked: Sequence[Answered], repeated: Sequence[Listed] = (), said: str = ""
) -> dict[str, Any]:
    """Return the Home tab of one person; `said` is what came of a press in it."""
    connections, more = readable(tools.connections, user), len(repeated) - REPEATED
    return {
        "type": "home",
        "blocks": [
            _header("Ask your data"),
            section(
                "Write a question to me under *Messages*, mention me in a channel, or type `/ask` and your question. I "
                "show you the SQL; nothing runs before you press *Run*. Then the rows come as a table, and as CSV or "
                "Excel if you like. `help` tells at any time what you can do."
            ),
            _header("What you may ask about"),
            *(_connection(connection) for connection in connections[:20]),
            *([] if connections else [section("No database yet. Your administrator can add you to its readers.")]),
            *([_header("What I repeat for you")] if repeated or said else []),
            *([section(escaped(said))] if said else []),
            *(block for listed in repeated[:REPEATED] for block in _repeated(listed)),
            *([small(f"{more} more: type `schedules` to me for all of them.")] if more > 0 else []),
            *([_header("What you asked last"), *(_recent(answered) for answered in asked)] if asked else []),
            {"type": "divider"},
            small(NOTICE),
        ],
    }


def sentence_view(sentence: str) -> dict[str, Any]:
    """Return a Home tab that says this and nothing else."""
    return {"type": "home", "blocks": [section(escaped(sentence))]}


def prompts_for(user: User, tools: Tools, asked: Sequence[Answered]) -> list[dict[str, str]]:
    """Return at most four questions to begin with: examples of the databases one may ask, then one's own."""
    offered = examples(tools.connections, user)[:PROMPTS]
    questions = list(dict.fromkeys([*offered, *(answered.question for answered in asked)]))
    chosen = questions[:PROMPTS] or ["What can you do?"]
    return [{"title": cut(question, TITLE), "message": question} for question in chosen]


def _header(text: str) -> dict[str, Any]:
    return {"type": "header", "text": {"type": "plain_text", "text": text}}


def _connection(connection: Connection) -> dict[str, Any]:
    examples = "".join(f"\n> {escaped(example)}" for example in connection.examples[:3])
    return section(cut(f"*{escaped(connection.label)}*{examples}", 2900))


def _repeated(listed: Listed) -> list[dict[str, Any]]:
    words = section(cut(f"*{escaped(listed.name)}*\n{escaped(listed.about)}", 2900))
    buttons = [
        button(way.label, f"{REPEAT}:{n}", way.answer, way.style if way.style != "danger" else "plain")
        for n, way in enumerate(listed.ways)
    ]
    return [words, {"type": "actions", "elements": buttons}]


def _recent(answered: Answered) -> dict[str, Any]:
    key = key_from(answered.thread)
    link = f"https://slack.com/archives/{quote(key.channel)}/p{key.thread.replace('.', '')}"
    question = escaped(cut(" ".join(answered.question.split()), 200)).replace("|", "¦")
    there = f"<{link}|{question}>" if key.platform == "slack" else question
    return section(f"{there}\n{escaped(answered.outcome)}")
