"""`icc-bot eval`: measures a model on questions or talks, or compares two runs."""

from collections.abc import Sequence
from pathlib import Path

from bot.command_line import Say
from bot.evaluation.run import Wanted, compare_runs, evaluate
from bot.settings.environment import Settings
from router.errors import SettingsError

SAMPLE_TALKS = Path()
"""Stands for the talks on the sample company."""


def measure(
    settings: Settings,
    say: Say,
    *,
    questions: Path | None = None,
    talks: Path | None = None,
    compare: Sequence[Path] = (),
    limit: int | None = None,
    seed: int = 1,
    out: Path | None = None,
    model: str = "",
    options: Sequence[tuple[str, str]] = (),
    examples: Path | None = None,
) -> int:
    """Ask what the run does not have yet, and say the figures; or say how two runs differ."""
    if compare:
        old, new = compare
        return compare_runs(old, new, say)
    if examples and talks is not None:
        raise SettingsError(["--examples goes with questions; in a talk, the answer before is shown."])
    if model:
        settings = settings.model_copy(update={"sql_model": model})
    file = None if talks == SAMPLE_TALKS else talks or questions
    return evaluate(settings, Wanted(file, limit, seed, out, dict(options), examples, talks is not None), say)
