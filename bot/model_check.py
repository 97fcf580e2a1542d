"""Looks at which model is chosen, and whether it is there, for the doctor and for each platform's start."""

from collections.abc import Callable
from typing import Final

from adapters.finding import Finding, Grade
from bot.models import Choice, ModelSettings, choose, choose_reader
from bot.settings import Settings
from bot.wiring import model_settings
from router.errors import SettingsError

SQL_MODEL: Final = "model that writes SQL"


def check_sql_model(settings: Settings, missing: Grade) -> Finding:
    """Return which model writes SQL, and why that one; graded `missing` where it is not there."""
    return _found(SQL_MODEL, choose, settings, missing)


def check_reader(settings: Settings) -> Finding:
    """Return which model reads parameters; a talk leads to its end without it."""
    return _found("model that reads parameters", choose_reader, settings, "warning")


def _found(about: str, choose: Callable[[ModelSettings], Choice], settings: Settings, missing: Grade) -> Finding:
    try:
        choice = choose(model_settings(settings))
        problem = choice.problem()
        return Finding(missing if problem else "ok", about, f"{choice.why} {problem}".rstrip())
    except SettingsError as error:
        return Finding(missing, about, " ".join(error.problems))
