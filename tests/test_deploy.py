"""Every command of `deploy/` is run as it stands there, without Docker and systemd, over a real PostgreSQL.

Paths lie under a folder of the test, each process has a port of its own, and Slack is the stand-in; whatever else a
process has in its environment, the files set.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import tomllib
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from adapters.chat.underway import DRAIN_SECONDS, STOP_MAX_SECONDS
from adapters.slack.scopes import OPTIONAL_SCOPES, SCOPES
from bot.command_line import parser
from tests.platforms.ollama import Ollama
from tests.platforms.slack.stand_in import Slack
from tests.support.deployment import FOLDER, composed, env_file, image, seconds, unit
from tests.support.documents import ROOT
from tests.support.postgres import PASSWORD, PostgresDatabase
from tests.support.replicas import CONNECTIONS
from tests.support.shop import build_shop
from tests.support.slack_talk import CHANNELS, whole_talk

OURS = ("ICC_", "SLACK_", "Microsoft", "TEAMS_", "OLLAMA", "SQL_MODEL", "PORT", "SHOP_")
START_SECONDS = 90.0
STATE, CONFIG = "/var/lib/icc-bot", "/etc/icc-bot"


@dataclass
class Machine:
    """Where processes run: `root` stands for the root of their file systems, `slack` for Slack's servers."""

    root: Path
    slack: Slack
    model: Ollama
    running: "dict[str, subprocess.Popen[bytes]]" = field(default_factory=dict)
    ports: dict[str, int] = field(default_factory=dict)

    def environment(self, name: str, given: Mapping[str, str]) -> dict[str, str]:
        """Return the environment of a process that is given this: what is a path there, is one here."""
        clean = {key: value for key, value in os.environ.items() if not key.startswith(OURS)}
        paths = {STATE: str(self.root / name), CONFIG: str(self.root / CONFIG.lstrip("/"))}
        here = dict(given)
        for path, real in paths.items():
            here = {key: value.replace(path, real) for key, value in here.items()}
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.ports[name] = probe.getsockname()[1]
        programs = os.pathsep.join([str(Path(sys.executable).parent), clean["PATH"]])
        return clean | here | {"PATH": programs, "SLACK_API_URL": self.slack.url, "PORT": str(self.ports[name])}

    def run(self, name: str, command: list[str], environment: dict[str, str]) -> int:
        """Run what ends by itself, and return its exit status."""
        with self.log(name).open("wb") as log:
            return subprocess.run(command, env=environment, stdout=log, stderr=log, check=False).returncode

    def begin(self, name: str, command: list[str], environment: dict[str, str]) -> None:
        """Begin what stays."""
        home = self.root / name
        home.mkdir(mode=0o700, exist_ok=True)
        with self.log(name).open("wb") as log:
            self.running[name] = subprocess.Popen(command, env=environment, stdout=log, stderr=log, cwd=home)

    def log(self, name: str) -> Path:
        """Return where a process says what it says."""
        return self.root / f"{name}.log"

    def wait_ready(self, name: str) -> None:
        """Return when a process can do its work."""
        end = time.monotonic() + START_SECONDS
        while self.status(name, "/health/ready") != 200:
            if self.running[name].poll() is not None or time.monotonic() > end:
                raise RuntimeError(self.log(name).read_text())
            time.sleep(0.1)

    def status(self, name: str, path: str) -> int:
        """Return what a process answers, 0 if it does not."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.ports[name]}{path}", timeout=5) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return 0

    def stop(self, name: str, limit: float) -> int:
        """Have a process end, and return its exit status; raises TimeoutExpired if it takes longer."""
        process = self.running.pop(name)
        process.send_signal(signal.SIGTERM)
        try:
            return process.wait(limit)
        finally:
            process.kill()

    def write(self, path: str, **values: str) -> None:
        """Write a file of environment variables."""
        file = self.root / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(f"{name}={value}\n" for name, value in values.items()))


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    """A machine with a database to ask and its connections; Slack and a model are near."""
    with Slack() as slack, Ollama() as model:
        slack.scopes = {*SCOPES, *OPTIONAL_SCOPES}
        for channel in CHANNELS[:4]:
            slack.channel(channel)
        for number in range(4):
            slack.user(f"U{number}", f"Ana {number}", f"ana{number}@example.com")
        build_shop(tmp_path / "shop.sqlite")
        config = tmp_path / CONFIG.lstrip("/")
        config.mkdir(parents=True)
        (config / "connections.toml").write_text(CONNECTIONS)
        lent = Machine(tmp_path, slack, model)
        with _ended(lent):
            yield lent


@contextmanager
def _ended(machine: Machine) -> Iterator[None]:
    try:
        yield
    finally:
        for process in machine.running.values():
            process.kill()
            process.wait()


def secrets_of(machine: Machine) -> dict[str, dict[str, str]]:
    """Return what people write into the two files of secrets."""
    slack, shop = machine.slack, machine.root / "shop.sqlite"
    tokens = {"SLACK_BOT_TOKEN": slack.bot_token, "SLACK_APP_TOKEN": slack.app_token}
    model = {"OLLAMA_BASE_URL": machine.model.url, "SQL_MODEL_NAME": "qwen2.5-coder:7b"}
    return {
        "bot.env": tokens | {"ICC_BOT_AUDIT_KEY": "k" * 32},
        "worker.env": model | {"SHOP_URL": f"sqlite:///{shop}"},
    }


@pytest.mark.thorough
def test_compose(machine: Machine, postgres: PostgresDatabase) -> None:
    """All services come up in their order and are well, share talks, and end by SIGTERM in time."""
    given, made = secrets_of(machine), image()
    there = f"postgresql://icc_bot:{PASSWORD}@postgres:5432/icc_bot"
    file = composed({"POSTGRES_PASSWORD": PASSWORD})
    for name in file.in_order():
        service = file.services[name]
        if name == "postgres":
            continue
        environment = made.environment | {
            key: value for each in service["env_file"] for key, value in given[each].items()
        }
        assert there == service["environment"]["ICC_BOT_DATABASE_URL"]
        environment |= {"ICC_BOT_DATABASE_URL": postgres.owner_url.replace("+psycopg", "")}
        here, command = machine.environment(name, environment), made.entrypoint + service["command"]
        if service["restart"] == "no":
            assert 0 == machine.run(name, command, here), machine.log(name).read_text()
            continue
        machine.begin(name, command, here)
    for name in machine.running:
        machine.wait_ready(name)
        environment = machine.environment("another", {}) | {"PORT": str(machine.ports[name])}
        assert 0 == machine.run("health", made.health, environment), machine.log("health").read_text()
    machine.slack.wait_socket(2)
    for number in range(4):
        whole_talk(machine.slack, number)
    trails = [name for name in machine.running if "finished" in _trail(machine, name)]
    assert trails
    assert {name.partition("-")[0] for name in trails} == {"worker"}
    for name in list(machine.running):
        assert 0 == machine.stop(name, seconds(file.services[name]["stop_grace_period"])), machine.log(name).read_text()


def _trail(machine: Machine, name: str) -> str:
    file = machine.root / name / "audit.jsonl"
    return file.read_text() if file.exists() else ""


def test_compose_says_what_waits_for_what() -> None:
    """The tables are made before anybody needs them, and nobody waits for what is only begun."""
    file = composed({"POSTGRES_PASSWORD": "x"})
    started = {"postgres": "service_healthy", "upgrade": "service_completed_successfully"}
    bots = {name: service for name, service in file.services.items() if name not in started}

    assert ["slack", "slack", "worker", "worker"] == sorted(service["command"][0] for service in bots.values())
    assert [started] * 4 == [file.waits_for(name) for name in bots]
    assert {"postgres": "service_healthy"} == file.waits_for("upgrade")
    assert "healthcheck" in file.services["postgres"]
    assert int(file.services["postgres"]["image"].partition(":")[2]) >= 16
    mounted = [volume.partition(":")[0] for each in file.services.values() for volume in each.get("volumes", [])]
    assert sorted(file.volumes) == sorted(name for name in mounted if not name.startswith("."))
    assert {True} == {seconds(service["stop_grace_period"]) > ending() for service in bots.values()}


def ending() -> float:
    """Return the seconds that a process may take to end its talks, first those of the one platform."""
    return 2 * (DRAIN_SECONDS + STOP_MAX_SECONDS)


def test_only_workers_know_the_databases() -> None:
    """What a database or the model needs is in the workers' file, and those who take in do not read that."""
    services = composed({"POSTGRES_PASSWORD": "x"}).services
    readers = {name for name, service in services.items() if "worker.env" in service.get("env_file", [])}

    assert {"worker-1", "worker-2"} == readers
    assert {"SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "ICC_BOT_AUDIT_KEY"} == set(env_file(FOLDER / "bot.env.example"))
    assert {"OLLAMA_BASE_URL", "SQL_MODEL_NAME"} == set(env_file(FOLDER / "worker.env.example"))


def test_the_image_alone(machine: Machine) -> None:
    """Without any database for its state, its own command comes up and is well, and ends by SIGTERM."""
    made = image()
    given = secrets_of(machine)
    here = machine.environment("alone", made.environment | given["bot.env"] | given["worker.env"])
    machine.begin("alone", made.entrypoint + made.command, here)
    machine.wait_ready("alone")

    assert 0 == machine.run("health", made.health, here)
    assert 0 == machine.stop("alone", ending())
    assert 0 != machine.run("health", made.health, here)


def test_nothing_secret_is_in_the_image() -> None:
    """It is made of what is listed alone, no value of it is a secret, and it does not run as root."""
    made = image()
    ignored = [
        line for line in (FOLDER / "Dockerfile.dockerignore").read_text().splitlines() if line[:1] not in ("", "#")
    ]
    listed = {line.removeprefix("!") for line in ignored if line.startswith("!")}

    assert "*" == ignored[0]
    assert {"adapters", "bot", "router", "pyproject.toml", "README.md", "LICENSE"} == listed
    assert [] == [name for name in listed if not (ROOT / name).exists()]
    assert {"PATH", "PYTHONUNBUFFERED", "ICC_BOT_HOME", "ICC_BOT_CONNECTIONS", "PORT"} == set(made.environment)
    assert made.user.partition(":")[0] not in ("", "0", "root")
    assert "--compile-bytecode" in " ".join(made.lines)


def test_the_image_has_extras_that_there_are() -> None:
    """Each optional part that is installed unless others are named is one of the project."""
    (line,) = [line for line in image().lines if line.startswith("ARG EXTRAS=")]
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]

    assert set() == set(line.partition("=")[2].strip('"').split()) - extras.keys()


INSTANCES = {
    "slack": {"ARGUMENTS": "--concurrency 0"},
    "worker": {},
    "worker-2": {"COMMAND": "worker", "ARGUMENTS": "--queues slack --concurrency 8"},
}
"""Units that are begun, each with its own file."""


@pytest.mark.thorough
def test_units(machine: Machine, postgres: PostgresDatabase) -> None:
    """Units of the template come up with their files of environment variables, share talks, and end by SIGTERM."""
    given = secrets_of(machine)
    server = {"ICC_BOT_DATABASE_URL": postgres.owner_url.replace("+psycopg", "")}
    machine.write(f"{CONFIG}/bot.env", **given["bot.env"], **server)
    for name, own in INSTANCES.items():
        machine.write(f"{CONFIG}/{name}.env", **own, **(given["worker.env"] if name != "slack" else {}))
        each = unit(name)
        environment = each.environment(machine.root)
        program, *arguments = each.command(environment)
        assert "/opt/icc-bot/bin/icc-bot" == program
        machine.begin(name, ["icc-bot", *arguments], machine.environment(name, environment))
    for name in INSTANCES:
        machine.wait_ready(name)
    machine.slack.wait_socket()
    whole_talk(machine.slack, 1)
    for name in INSTANCES:
        assert "SIGTERM" == unit(name).one("KillSignal")
        limit = seconds(unit(name).one("TimeoutStopSec"))
        assert limit > ending()
        assert 0 == machine.stop(name, limit), machine.log(name).read_text()


@pytest.mark.parametrize("command", ["slack", "teams", "worker", "api", "web"])
def test_the_template_is_for_commands_that_stay(command: str) -> None:
    """Without a file of its own, an instance runs the command of its name."""
    environment = {"COMMAND": command, "ARGUMENTS": ""}

    assert ["/opt/icc-bot/bin/icc-bot", command] == unit(command).command(environment)
    parser().parse_args([command])


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd here")
def test_systemd_takes_the_template(tmp_path: Path) -> None:
    """systemd finds nothing wrong with it, and little that it could keep a process from is open."""
    text = (FOLDER / "icc-bot@.service").read_text()
    file = tmp_path / "icc-bot@slack.service"
    file.write_text(text.replace("/opt/icc-bot/bin/icc-bot", sys.executable))
    verify = ["systemd-analyze", "verify", "--man=no", str(file)]
    done = subprocess.run(verify, capture_output=True, text=True, check=False)
    said = [line for line in done.stderr.splitlines() if "icc-bot" in line]

    assert (0, []) == (done.returncode, said)
    judge = ["systemd-analyze", "security", "--offline=yes", "--threshold=25", "--no-pager", str(file)]
    assert 0 == subprocess.run(judge, capture_output=True, check=False).returncode
