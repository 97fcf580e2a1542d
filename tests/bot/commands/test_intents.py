"""`icc-bot intents`, at a site with choices that wait."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from bot.commands.intents import review_all
from bot.settings.environment import Settings
from router.storage.database import home_database
from router.understanding.categories import Category
from router.understanding.choice_log import ChoiceLog, RecordedChoice, Review
from tests.support.bot_settings import settings_of
from tests.support.in_process import run_here


class IntentsSite:
    """A folder of a bot, and the choices in it."""

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

    def choose(self, text: str, chosen: Category | None) -> RecordedChoice:
        """Return a choice that was kept."""
        with self._choices() as choices:
            return choices.keep(text, (Category.WRITE, Category.EMAIL), chosen)

    def state(self, id: str) -> Review:
        """Return what became of a choice."""
        with self._choices() as choices:
            return choices.get(id).state

    @contextmanager
    def _choices(self) -> Iterator[ChoiceLog]:
        with closing(home_database(self.folder / "home")) as database:
            yield ChoiceLog(database, lambda: datetime(2026, 3, 15, tzinfo=UTC))


@pytest.fixture(name="site")
def _site(tmp_path: Path) -> IntentsSite:
    (tmp_path / "connections.toml").write_text('[shop]\nurl = "sqlite:///shop.sqlite"\n')
    return IntentsSite(tmp_path)


@pytest.mark.usefixtures("samples_at_home")
def test_a_sentence_is_shown(site: IntentsSite) -> None:
    """A sentence is shown as in a talk, or with its doubt, the nearest examples, and the wishes for the rows."""
    said = site.say("show", "and by month?", "--after", "Revenue by region").stdout
    assert ["Taken for refine_question."] == said.splitlines()[-1:]
    assert "and by month?" in said
    assert "Where it follows a question, name that with --after." in site.say("show", "and by month?").stdout
    mailed = site.say("show", "revenue by region and mail it to ana@x.com").stdout.splitlines()
    assert ["Taken for ask_data.", "Read as: revenue by region", "Then: mail it to ana@x.com"] == mailed[-3:]
    assert "Asked back: " in site.say("show", "hm, run it past somebody?").stdout
    assert "The sentence says nothing.\n" == site.say("show", " ").stdout


@pytest.mark.thorough
def test_choices_are_accepted_and_dismissed(site: IntentsSite) -> None:
    """An accepted one is an example of the site; another category may be named; the rest still waits."""
    assert "No choice waits.\n" == site.say("review").stdout
    mail, lost = site.choose("flurb it", Category.EMAIL), site.choose("gnarf", None)
    listed = site.say("review").stdout
    assert [each in listed for each in (mail.id, "flurb it", "something else", "review accept ID")] == [True] * 4

    refused = site.say("review", "accept", lost.id)
    assert (1, True) == (refused.returncode, "say what it is with --as" in refused.stderr)
    assert "is no category" in site.say("review", "accept", lost.id, "--as", "holidays").stderr
    assert "Which one?" in site.say("review", "accept").stderr
    assert "An example of email now: flurb it (intents.toml)\n" == site.say("review", "accept", mail.id).stdout
    assert "Dismissed: gnarf\n" == site.say("review", "dismiss", lost.id).stdout
    assert (Review.ACCEPTED, Review.DISMISSED) == (site.state(mail.id), site.state(lost.id))
    assert "flurb it" in site.toml.read_text()
    assert "Taken for email." in site.say("show", "flurb it").stdout


def test_choices_are_asked_about_in_a_terminal(site: IntentsSite) -> None:
    """Each is shown; a letter or a category decides it, and Enter leaves it for later."""
    for text in ("one gnarf", "two gnarf", "three gnarf", "four gnarf"):
        site.choose(text, Category.WRITE)
    answers, said = iter(["a", "job_status", "", "q"]), list[str]()

    assert 0 == review_all(site.settings, said.append, lambda prompt: next(answers))
    assert [
        "An example of write now: one gnarf (intents.toml)",
        "An example of job_status now: two gnarf (intents.toml)",
    ] == [line for line in said if line.startswith("An example")]
