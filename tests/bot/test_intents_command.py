"""`icc-bot intents`, in a house."""

import json
from datetime import UTC, datetime
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from adapters.finding import Finding
from bot.intents import intents_file
from bot.intents_acts import review_all
from bot.intents_check import check_intents
from bot.settings import Settings
from router.intents.categories import Category
from router.intents.choices import Choice, Choices, Review
from tests.bot.here import run_here
from tests.settings_of import settings_of


class House:
    """A folder with a house, and the choices in it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.toml = folder, folder / "intents.toml"
        self.environment = {
            "ICC_BOT_HOME": str(folder / "home"),
            "ICC_BOT_CONNECTIONS": str(folder / "connections.toml"),
        }
        self.settings: Settings = settings_of(self.environment)

    def say(self, *arguments: str) -> CompletedProcess[str]:
        """Return what `icc-bot intents` says."""
        return run_here(self.folder, self.environment, "intents", *arguments)

    def choose(self, text: str, chosen: Category | None) -> Choice:
        """Return a choice that was kept."""
        choices = self._choices()
        kept = choices.keep(text, (Category.WRITE, Category.EMAIL), chosen)
        choices.close()
        return kept

    def state(self, id: str) -> Review:
        """Return what became of a choice."""
        choices = self._choices()
        state = choices.get(id).state
        choices.close()
        return state

    def _choices(self) -> Choices:
        return Choices(self.folder / "home" / "intents.sqlite", lambda: datetime(2026, 3, 15, tzinfo=UTC))


@pytest.fixture(name="house")
def _house(tmp_path: Path) -> House:
    (tmp_path / "connections.toml").write_text('[shop]\nurl = "sqlite:///shop.sqlite"\n')
    return House(tmp_path)


def test_a_sentence_is_shown(house: House) -> None:
    """What it is taken for in a talk, or the doubt, with the nearest examples, and what is to be done with the rows."""
    said = house.say("show", "and by month?", "--after", "Revenue by region").stdout
    assert ["Taken for refine_question.", "In full: Revenue by region and month"] == said.splitlines()[-2:]
    assert "and by month?" in said
    assert "Where it follows a question, name that with --after." in house.say("show", "and by month?").stdout
    mailed = house.say("show", "revenue by region and mail it to ana@x.com").stdout.splitlines()
    assert ["Taken for ask_data.", "In full: revenue by region", "Then: mail it to ana@x.com"] == mailed[-3:]
    assert "Asked back: " in house.say("show", "hm, run it past somebody?").stdout
    assert "The sentence says nothing.\n" == house.say("show", " ").stdout


def test_choices_are_accepted_and_dismissed(house: House) -> None:
    """An accepted one is an example of the house; another category may be named; the rest still waits."""
    assert "No choice waits.\n" == house.say("review").stdout
    mail, lost = house.choose("flurb it", Category.EMAIL), house.choose("gnarf", None)
    listed = house.say("review").stdout
    assert [each in listed for each in (mail.id, "flurb it", "something else", "review accept ID")] == [True] * 4

    refused = house.say("review", "accept", lost.id)
    assert (1, True) == (refused.returncode, "say what it is with --as" in refused.stderr)
    assert "is no category" in house.say("review", "accept", lost.id, "--as", "holidays").stderr
    assert "Which one?" in house.say("review", "accept").stderr
    assert "An example of email now: flurb it (intents.toml)\n" == house.say("review", "accept", mail.id).stdout
    assert "Dismissed: gnarf\n" == house.say("review", "dismiss", lost.id).stdout
    assert (Review.ACCEPTED, Review.DISMISSED) == (house.state(mail.id), house.state(lost.id))
    assert "flurb it" in house.toml.read_text()
    assert "Taken for email." in house.say("show", "flurb it").stdout


def test_choices_are_asked_about_in_a_terminal(house: House) -> None:
    """Each is shown; a letter or a category decides it, and Enter leaves it for later."""
    for text in ("one gnarf", "two gnarf", "three gnarf", "four gnarf"):
        house.choose(text, Category.WRITE)
    answers, said = iter(["a", "job status", "", "q"]), list[str]()

    assert 0 == review_all(house.settings, said.append, lambda prompt: next(answers))
    assert [
        "An example of write now: one gnarf (intents.toml)",
        "An example of job_status now: two gnarf (intents.toml)",
    ] == [line for line in said if line.startswith("An example")]


def test_the_doctor_and_a_rebuild_count(house: House, caplog: pytest.LogCaptureFixture) -> None:
    """Both name once what is wrong with the file, and count what is in use and what waits."""
    assert [] == list(check_intents(house.settings))
    assert house.toml == intents_file(house.settings)
    house.toml.write_text('[email]\nexamples = ["to Ana"]\n[holidays]\n')
    house.choose("x", None)
    warning, *fine = check_intents(house.settings)

    assert ("warning", True) == (warning.grade, "[holidays] is no category" in warning.sentence)
    assert [
        Finding("ok", "intents", "intents.toml has 1 example in use."),
        Finding("ok", "intents", "1 choice waits for a look: `icc-bot intents review`."),
    ] == fine
    built = house.say("rebuild")
    assert (1, True, True) == (built.returncode, "[holidays]" in built.stdout, ", 1 of them own, in " in built.stdout)
    assert (1, []) == (built.stdout.count("[holidays]"), caplog.messages)


def test_it_is_measured(house: House) -> None:
    """Other names of keys and categories are understood; with --strict, missed targets are the exit status."""
    lines = [
        {"sentence": "and by month?", "category": "refine the last question"},
        {"TEXT": "is it raining?", "intent": "Other systems", "more": 1},
        {"utterance": "hello", "label": "compare"},
    ]
    file = house.folder / "set.jsonl"
    file.write_text("\n".join(json.dumps(each) for each in lines[:2]) + "\n\n")
    good = house.say("eval", "--file", str(file), "--strict")
    assert (0, True) == (good.returncode, "2 sentences: 100.0 % right, 0.0 % clarified" in good.stdout)
    assert "ms (median)" in good.stdout

    file.write_text("\n".join(json.dumps(each) for each in lines))
    bad = house.say("eval", "--file", str(file), "--strict", "--errors")
    assert (1, True) == (bad.returncode, "33.3 % wrong." in bad.stdout)
    assert "wrong: 'hello' is compare, taken for small_talk" in bad.stdout
    assert 0 == house.say("eval", "--file", str(file)).returncode


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "this is no JSON object"),
        ('{"sentence": "x"}', 'it needs "sentence" and "category"'),
        ('{"sentence": "x", "category": "holidays"}', "holidays is no category"),
        ("", "has no sentences"),
    ],
)
def test_a_file_that_cannot_be_measured(house: House, line: str, reason: str) -> None:
    """The line and the reason are said."""
    (house.folder / "set.jsonl").write_text(line)
    done = house.say("eval", "--file", str(house.folder / "set.jsonl"))
    assert (1, True) == (done.returncode, reason in done.stderr)
    assert 1 == house.say("eval", "--file", str(house.folder / "none.jsonl")).returncode
