"""The site's own examples, and the choices that become some."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from router.errors import JobFailed
from router.knowledge.embeddings import Vectors
from router.storage.database import Database
from router.understanding.categories import Category
from router.understanding.choice_log import CHOICE_MAX_CHARS, ChoiceLog, Review
from router.understanding.intent_vectors import IntentVectors
from router.understanding.sentences import ExampleSentence
from router.understanding.site_examples import SiteExamples

SCHEDULE = '[schedule]\nexamples = ["flurb the gnarf", "flurb the zork"]\n'


@pytest.fixture(name="choices")
def _choices(database: Database) -> ChoiceLog:
    return ChoiceLog(database, lambda: datetime(2026, 3, 15, 9, tzinfo=UTC))


def test_a_changed_file_is_taken_up(tmp_path: Path) -> None:
    """The same classifier as long as the file is the same; another one once it says something else."""
    path = tmp_path / "intents.toml"
    intents = SiteExamples(path)
    before = intents.classifier()

    assert Category.NONSENSE == before.decide("flurb the gnarf").likely
    path.write_text(SCHEDULE)
    assert Category.SCHEDULE == intents.classifier().decide("flurb the gnarf").likely
    assert intents.classifier() is intents.classifier()
    path.unlink()
    assert Category.NONSENSE == intents.classifier().decide("flurb the gnarf").likely


def test_a_broken_file_changes_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """What the file said before is used on, and the fault is said, in the log too."""
    path = tmp_path / "intents.toml"
    path.write_text(SCHEDULE)
    intents = SiteExamples(path)
    good = intents.classifier()
    for broken in (b"[schedule\nexamples = 5", b"\xff\xfe\x00"):
        path.write_bytes(broken)
        assert good is intents.classifier()
        assert 1 == len(intents.problems())
    assert ["intents.toml" in record.getMessage() for record in caplog.records] == [True, True]
    path.write_text(SCHEDULE)
    assert () == intents.problems()


def test_a_sentence_is_added_and_all_else_stays(tmp_path: Path) -> None:
    """It stands behind what the site wrote, whatever is in it; twice is once."""
    path = tmp_path / "intents.toml"
    ours = '# ours\n[email]  # sent\nexamples = [\n  "to Ana", # the boss\n]\nthreshold = 0.7\n'
    path.write_text(ours)
    intents = SiteExamples(path)
    for text, category in (('say "hi" to\n Bob', Category.EMAIL), ("stündlich", Category.SCHEDULE)):
        intents.add(text, category)
        intents.add(text, category)

    assert path.read_text(encoding="utf-8").startswith(ours)
    assert [
        ExampleSentence("to Ana", Category.EMAIL, own=True),
        ExampleSentence('say "hi" to Bob', Category.EMAIL, own=True),
        ExampleSentence("stündlich", Category.SCHEDULE, own=True),
    ] == list(intents.own().examples)
    assert {Category.EMAIL: 0.7} == intents.own().thresholds


def test_a_broken_file_is_not_appended_to(tmp_path: Path) -> None:
    """A file that is no TOML is refused with what to do."""
    path = tmp_path / "intents.toml"
    path.write_text("[help")
    with pytest.raises(JobFailed, match="Nothing was changed"):
        SiteExamples(path).add("guide me", Category.HELP)
    assert path.read_text() == "[help"


def test_choices_are_kept_and_reviewed(choices: ChoiceLog) -> None:
    """The sentence, what was offered and what was chosen; what was reviewed does not wait any more."""
    kept = choices.keep("x " * 400, (Category.WRITE, Category.EMAIL), Category.EMAIL)
    other = choices.keep("blorp", (Category.HELP,), None)

    assert (kept, other) == choices.waiting()
    assert (CHOICE_MAX_CHARS, datetime(2026, 3, 15, 9, tzinfo=UTC)) == (len(kept.text), kept.at)
    choices.review(kept.id, Review.ACCEPTED)
    assert (other,) == choices.waiting()
    assert Review.ACCEPTED == choices.get(kept.id.lower()).state
    with pytest.raises(JobFailed, match="There is no choice I-0"):
        choices.get("I-0")


def test_vectors_vote(choices: ChoiceLog) -> None:
    """The nearest examples by vectors make the shares; a model that fails says nothing."""

    def embed(texts: list[str]) -> list[list[float]]:
        return [[float("mail" in text), float("mail" not in text), 0.1] for text in texts]

    examples = [
        *(ExampleSentence(f"mail {number}", Category.EMAIL) for number in range(9)),
        *(ExampleSentence(f"help {number}", Category.HELP) for number in range(9)),
    ]
    vectors = Vectors("letters", embed, choices)
    vectors._make([each.text for each in examples])
    other = IntentVectors(vectors)("the mail of today", examples)

    assert other is not None
    assert Category.EMAIL == max(zip(other.shares, Category, strict=True))[1]
    assert 1 == pytest.approx(sum(other.shares))
    assert IntentVectors(Vectors("none", lambda texts: [], choices))("mail", examples) is None
