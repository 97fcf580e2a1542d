"""What README, CONTRIBUTING and docs say is true: talks, commands, links, paths, settings, drawings.

`uv run pytest tests/test_docs.py --update` writes talks and drawings again: read them.
"""

import argparse
import re
import shlex
import tomllib
from collections.abc import Callable
from contextlib import redirect_stderr
from importlib.util import find_spec
from io import StringIO
from pathlib import Path

import pytest

from bot.command_line import parser
from bot.settings.environment import Settings
from router.flow import FLOW
from tests.support.documents import PAGES, ROOT, blocks, name_of, prose, quoted, read
from tests.support.golden_talk import in_words
from tests.support.transcript import ACTS

README_MAX_LINES = 250
TALK = re.compile(r"<!-- talk: (\w+) (\d+)-(\d+) -->\n```text\n(?P<shown>.*?)```", re.DOTALL)
DRAWING = re.compile(r"<!-- flow: ([\w -]+) (TB|LR) -->\n```mermaid\n(?P<shown>.*?)```", re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
PATH = re.compile(r"(?:bot|adapters|router|tests|docs|manifests)/[\w/.*-]*")

each_page = pytest.mark.parametrize("page", PAGES, ids=name_of)


def talk(name: str, first: int, last: int) -> str:
    """Return the turns of a golden talk, from 1 on: what was typed, and what the bot answered."""
    _, steps = in_words(name)
    turns = [step for step in steps if step.word in ACTS][first - 1 : last]
    assert len(turns) == last - first + 1, f"{name} has fewer turns than {last}"
    return "\n\n".join(text for turn in turns for text in (turn.line * (turn.word == ">"), turn.shown) if text) + "\n"


def up_to_date(page: Path, found: re.Pattern[str], due: Callable[[re.Match[str]], str], update: bool) -> None:
    """Check that what each match shows is what is due; with `--update`, write that first."""
    text = read(page)
    if update:
        text = found.sub(lambda match: text[match.start() : match.start("shown")] + due(match) + "```", text)
        page.write_text(text, encoding="utf-8")
    assert [due(match) for match in found.finditer(text)] == [match["shown"] for match in found.finditer(text)]


def drawing(part: str, direction: str) -> str:
    """Return the diagram of a part of the flow."""
    return FLOW.mermaid_of(part, "LR" if direction == "LR" else "TB") + "\n"


@each_page
def test_talks_are_true(page: Path, request: pytest.FixtureRequest) -> None:
    """Each talk that a page shows is part of one that is played as a test, and no talk stands there without a name."""
    update = request.config.getoption("--update")
    up_to_date(page, TALK, lambda match: talk(match[1], int(match[2]), int(match[3])), update)

    assert len(TALK.findall(read(page))) == len(blocks(page, "text"))


@each_page
def test_drawings_of_the_flow_are_todays(page: Path, request: pytest.FixtureRequest) -> None:
    """Each part of the flow is drawn as the table has it."""
    update = request.config.getoption("--update")
    up_to_date(page, DRAWING, lambda match: drawing(match[1], match[2]), update)


def test_every_part_of_the_flow_is_drawn_once() -> None:
    """The page on the architecture draws each part but the second query, which is like the first one."""
    drawn = [part for part, _, _ in DRAWING.findall(read(ROOT / "docs/architecture.md"))]

    assert drawn == [part for part in FLOW.parts if part != "second query"]


def test_the_second_query_is_like_the_first() -> None:
    """The second query of a comparison has the first one's stages, but for its ways out."""
    first, second = (
        {
            (stage.replace(which, ""), word, to.replace(which, ""))
            for stage, word, to in FLOW.edges()
            if FLOW.part_of().get(stage) == part
        }
        for part, which in (("first query", "FIRST_"), ("second query", "SECOND_"))
    )

    assert {word for _, word, _ in first ^ second} == {"yes", "both"}


@each_page
def test_commands_exist(page: Path) -> None:
    """Each `icc-bot` command, in a block or in a sentence, is one that the program takes."""
    lines = [line for block in blocks(page, "sh") for line in block.splitlines() if not line.startswith("#")]
    wrong = [line for line in lines for part in commands_in(line) if refused(part, whole=True)]
    wrong += [text for text in quoted(page) for part in commands_in(text) if refused(part, whole=False)]

    assert wrong == []


def test_every_command_is_shown() -> None:
    """Each command of the program stands in a block of a page."""
    (commands,) = [action for action in parser()._actions if isinstance(action, argparse._SubParsersAction)]
    shown = {part[0] for page in PAGES for block in blocks(page, "sh") for part in commands_in(block) if part}

    assert set(commands.choices) - shown == set()


def commands_in(text: str) -> list[list[str]]:
    """Return the words after each `icc-bot` that begins a command of the shell."""
    calls = re.findall(r"(?:^|[\s(])icc-bot((?: [^|>&\n]*)?)", text, re.MULTILINE)
    return [shlex.split(call.replace("…", ""), comments=True) for call in calls if call.strip()]


def refused(words: list[str], whole: bool) -> bool:
    """Return whether the program does not take these words; unless they are the whole command, some may be missing."""
    errors = StringIO()
    try:
        with redirect_stderr(errors):
            parser().parse_args(words)
    except SystemExit as ended:
        return bool(ended.code) and (whole or "required" not in errors.getvalue())
    return False


def anchors(page: Path) -> set[str]:
    """Return what a link can name in a page: each heading in lower case, blanks as hyphens, without other signs."""
    headings = re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@each_page
def test_links_lead_somewhere(page: Path) -> None:
    """Each link leads to a file of the project, and to a heading in it where it names one."""
    lost = []
    for link in LINK.findall(prose(page)):
        if re.match(r"https?://", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.is_file() or (anchor and anchor not in anchors(target)):
            lost.append(link)

    assert lost == []


def test_every_page_is_reached_from_the_readme() -> None:
    """The README leads to each page of docs, and stays short."""
    text = read(ROOT / "README.md")

    assert [name_of(page) for page in PAGES if page.parent == ROOT / "docs" and f"({name_of(page)})" not in text] == []
    assert len(text.splitlines()) <= README_MAX_LINES


@each_page
def test_paths_exist(page: Path) -> None:
    """Each path that a page names is a file or a folder of the project."""
    words = [word.strip(",;:") for text in [*quoted(page), *blocks(page, "sh")] for word in text.split()]
    paths = [word for word in words if PATH.fullmatch(word)]
    paths += [path for block in blocks(page, "mermaid") for path in PATH.findall(block)]

    assert [path for path in paths if not any(ROOT.glob(path.rstrip("/"))) and "NAME" not in path] == []


@each_page
def test_modules_exist(page: Path) -> None:
    """Each module that a page has Python run is there."""
    modules = re.findall(r"python -m ([a-z_.]+)", read(page))

    assert [module for module in modules if not find_spec(module)] == []


def test_every_setting_has_its_row() -> None:
    """The settings that the code reads are exactly those of the page, with their defaults."""
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*?) \|", read(ROOT / "docs/settings.md"), re.MULTILINE))
    fields = {field.alias: field.default for field in Settings.model_fields.values()}

    assert sorted(rows) == sorted(fields)
    plain = {name: default for name, default in fields.items() if isinstance(default, int | float) or default == "UTC"}
    assert {name: shown(default) for name, default in plain.items()} == {name: rows[name] for name in plain}


def shown(default: bool | float | str) -> str:
    """Return how the page shows a default."""
    text = str(default).lower() if isinstance(default, bool) else str(default)
    return f"`{text.removesuffix('.0')}`"


@each_page
def test_settings_that_are_named_exist(page: Path) -> None:
    """Each variable of the bot that a page names is one that it reads."""
    named = set(re.findall(r"\b(?:ICC_BOT|SLACK|TEAMS|EMAIL|HANDOFF|SMTP|API)_[A-Z_]+\b", read(page)))

    assert named - {field.alias for field in Settings.model_fields.values()} == set()


@each_page
def test_toml_is_toml(page: Path) -> None:
    """Each piece of a file that a page shows can be read."""
    assert [tomllib.loads(block) for block in blocks(page, "toml")] != [{}]
