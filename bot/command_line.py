"""The arguments of every command, as `command_line.toml` describes them.

What a command needs is imported once it runs: to print a help, or to list jobs, no library of a platform is loaded.
"""

import argparse
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

Say = Callable[[str], None]
"""Prints a line for the person who runs a command."""

COMMANDS_FILE: Final = Path(__file__).with_suffix(".toml")

MORE_COMMANDS: Final = (
    "For better answers: examples, learn, intents, eval. To look inside: trace, guard, flow. "
    "Each of them says more with --help."
)

PORT_MAX: Final = 65535
QUEUES: Final = ("slack", "teams", "web")
"""The names of all queues: one a platform, and the page."""
TALKS_MAX: Final = 1024
"""Talks that one process works on at once, at most."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command: the module and function that it is, the arguments that people give it, and those it always has."""

    function: str
    arguments: tuple[str, ...]
    given: Mapping[str, Any]


def run_command(argv: list[str]) -> int:
    """Run the command that `argv` names and return its exit status."""
    typed = parser().parse_args(argv)
    command: Command = typed.command
    module, _, name = command.function.partition(":")
    function: Callable[..., int] = getattr(import_module(f"bot.{module}"), name)
    from bot.settings.environment import read_settings

    arguments = {name: getattr(typed, name) for name in command.arguments if hasattr(typed, name)}
    return function(read_settings(), print, **arguments, **command.given)


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    described = tomllib.loads(COMMANDS_FILE.read_text(encoding="utf-8"))
    top = argparse.ArgumentParser(
        "icc-bot",
        description="Ask your company's databases a question; approve the SQL; see the rows.",
        epilog=MORE_COMMANDS,
    )
    top.add_argument("--version", action="version", version=f"icc-bot {version('icc-bot')}")
    commands = top.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for name, command in described["commands"].items():
        _add_command(commands, name, command, described["shared"])
    return top


def _add_command(commands: Any, name: str, command: dict[str, Any], shared: dict[str, dict[str, Any]]) -> None:
    """Add a command with its arguments, and the acts below it."""
    texts = {text: command[text] for text in ("help", "description") if text in command}
    parser = commands.add_parser(name, argument_default=argparse.SUPPRESS, **texts)
    arguments = {each: shared[each] for each in command.get("shared", ())} | command.get("arguments", {})
    exclusive = None
    if any("alone" in options for options in arguments.values()):
        exclusive = parser.add_mutually_exclusive_group(required="one_of_them" in command)
    names = []
    for flag, described in arguments.items():
        options = {option: value for option, value in described.items() if option not in ("alone", "flag")}
        if "type" in options:
            options["type"] = TYPES[options["type"]]
        group = exclusive if exclusive and "alone" in described else parser
        names.append(group.add_argument(described.get("flag", flag), **options).dest)
    if "run" in command:
        parser.set_defaults(command=Command(command["run"], tuple(names), command.get("given", {})))
    if "acts" in command:
        acts = parser.add_subparsers(
            title=command.get("title", "what to do"),
            metavar=command.get("metavar", "ACT"),
            required="run" not in command,
        )
        for act, described in command["acts"].items():
            _add_command(acts, act, described, shared)


# What people type, as the commands take it.


def _read_number(text: str, least: int, most: int | None, noun: str) -> int:
    if not text.isdecimal() or int(text) < least or (most is not None and int(text) > most):
        limits = f"from {least} to {most}" if most is not None else f"from {least} on"
        raise argparse.ArgumentTypeError(f"{text} is no {noun}; it goes {limits}")
    return int(text)


def _read_queues(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in QUEUES:
            raise argparse.ArgumentTypeError(f'"{name}" is no queue; there are {", ".join(QUEUES)}')
    return names


def _read_option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise argparse.ArgumentTypeError(f'"{text}" is not OPTION=VALUE')
    return name.strip(), value.strip()


TYPES: Final[Mapping[str, Callable[[str], Any]]] = {
    "path": Path,
    "number": int,
    "port": partial(_read_number, least=0, most=PORT_MAX, noun="port"),
    "talks": partial(_read_number, least=1, most=TALKS_MAX, noun="number of talks"),
    "talks_or_none": partial(_read_number, least=0, most=TALKS_MAX, noun="number of talks"),
    "count": partial(_read_number, least=1, most=None, noun="number of questions"),
    "days": partial(_read_number, least=0, most=None, noun="number of days"),
    "queues": _read_queues,
    "option": _read_option,
}
