"""Lines from a file as a talk in a terminal."""

from functools import partial
from io import StringIO
from pathlib import Path

from adapters.console import hold_talk as hold
from router.engine import Router
from tests.platforms.ollama import Answer, Ollama
from tests.support.talk import ANA, Talk, llm_at


def held(router: Router, *lines: str) -> tuple[str, str]:
    """Return what the lines of a talk lead to, and what is told beside it."""
    out, err = StringIO(), StringIO()
    hold(router, ANA, "one", lines, out, err)
    return out.getvalue(), err.getvalue()


def test_what_is_not_read_is_told(tmp_path: Path) -> None:
    """Lines after the end of a talk are counted, and a question that failed is asked again by `run`."""
    with Ollama() as server:
        server.enqueue(Answer("out of order", status=500), "SELECT name FROM regions")
        talk = Talk(tmp_path, partial(llm_at, server.url))
        out, err = held(talk.router, "which regions are there?", "run", "done", "more", "of it")
        alone = held(talk.router, "done", "more")[1]
        talk.close()

    assert ["Question: which regions are there?"] * 2 == [prompt.splitlines()[-1] for prompt in server.prompts]
    assert "> run\n\nName of regions\n" in out
    assert "The conversation is over; 2 more lines were not read.\n" == err
    assert "The conversation is over; 1 more line was not read.\n" == alone
