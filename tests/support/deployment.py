"""What `deploy/` says of how the bot is run, read as Docker, Compose and systemd read it, to be run without them."""

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from tests.support.documents import ROOT

FOLDER = ROOT / "deploy"


@dataclass(frozen=True)
class Image:
    """The last stage of a Dockerfile."""

    environment: dict[str, str]
    entrypoint: list[str]
    command: list[str]
    health: list[str]
    user: str
    lines: list[str]
    """All instructions, of all stages."""


def image() -> Image:
    """Return what the Dockerfile makes."""
    text = re.sub(r"^\s*#.*\n", "", (FOLDER / "Dockerfile").read_text(), flags=re.MULTILINE)
    lines = [line for line in text.replace("\\\n", " ").splitlines() if line.strip()]
    last = max(place for place, line in enumerate(lines) if line.startswith("FROM "))
    said: dict[str, list[str]] = {}
    for line in lines[last:]:
        name, _, rest = line.partition(" ")
        said.setdefault(name, []).append(rest.strip())
    environment = dict(pair.split("=", 1) for rest in said["ENV"] for pair in shlex.split(rest))
    return Image(
        environment,
        json.loads(said["ENTRYPOINT"][0]),
        json.loads(said["CMD"][0]),
        json.loads(said["HEALTHCHECK"][0].partition(" CMD ")[2]),
        said["USER"][0],
        lines,
    )


@dataclass(frozen=True)
class Composed:
    """A Compose file, with its variables set."""

    services: dict[str, dict[str, Any]]
    volumes: list[str]

    def in_order(self) -> Iterator[str]:
        """Give the services, each after those that it waits for."""
        given: list[str] = []
        while len(given) < len(self.services):
            free = [name for name in self.services if name not in given and not self.waits_for(name).keys() - {*given}]
            assert free, "they wait for one another"
            given += free
            yield from free

    def waits_for(self, name: str) -> dict[str, str]:
        """Return the condition of each service that one waits for."""
        waits: dict[str, dict[str, str]] = self.services[name].get("depends_on", {})
        return {other: given["condition"] for other, given in waits.items()}


def composed(variables: Mapping[str, str]) -> Composed:
    """Return what the Compose file says; raises KeyError for a variable that is not set."""
    text = (FOLDER / "compose.yaml").read_text()
    text = re.sub(r"\$\{(\w+)(?::\?[^}]*)?\}", lambda found: variables[found[1]], text)
    read = yaml.safe_load(text)
    return Composed(read["services"], list(read["volumes"]))


def seconds(span: str) -> float:
    """Return a span of time as Compose and systemd write it."""
    return float(span.removesuffix("s"))


def env_file(path: Path) -> dict[str, str]:
    """Return what a file of environment variables sets."""
    lines = [line for line in path.read_text().splitlines() if line.strip() and not line.startswith("#")]
    return {name: value for name, _, value in (line.partition("=") for line in lines)}


@dataclass
class Unit:
    """A unit of systemd: each setting with its values, the last one last."""

    settings: dict[str, list[str]] = field(default_factory=dict)

    def one(self, name: str) -> str:
        """Return a setting that has one value."""
        (value,) = self.settings[name]
        return value

    def environment(self, under: Path) -> dict[str, str]:
        """Return the environment of its process; files are looked for under a folder, and win."""
        found = dict(pair.split("=", 1) for line in self.settings["Environment"] for pair in shlex.split(line))
        for name in self.settings["EnvironmentFile"]:
            path = under / name.removeprefix("-").lstrip("/")
            if path.exists() or not name.startswith("-"):
                found |= env_file(path)
        return found

    def command(self, environment: Mapping[str, str]) -> list[str]:
        """Return its command: a word that is a variable becomes as many words as the variable has."""
        words: list[str] = []
        for word in self.one("ExecStart").split():
            words += shlex.split(environment[word[1:]]) if word.startswith("$") else [word]
        return words


def unit(instance: str) -> Unit:
    """Return the template as it is for an instance."""
    found = Unit()
    for line in (FOLDER / "icc-bot@.service").read_text().splitlines():
        if "=" in line and not line.startswith(("#", "[")):
            name, value = line.replace("%i", instance).replace("%S", "/var/lib").split("=", 1)
            found.settings.setdefault(name, []).append(value)
    return found
