"""What the doctor says of the house's own examples of what sentences want."""

from collections.abc import Iterator
from contextlib import closing

from adapters.finding import Finding
from bot.clock import now
from bot.intents import CHOICES_FILE, intents_file
from bot.settings import Settings
from router.intents.choices import Choices
from router.intents.own import Intents


def check_intents(settings: Settings) -> Iterator[Finding]:
    """Yield everything that is wrong with the file, how many examples there are, and how many choices wait."""
    path = intents_file(settings)
    if path.exists():
        intents = Intents(path, logs=False)  # each is a finding
        problems = intents.problems()
        yield from (Finding("warning", "intents", problem) for problem in problems)
        if (count := len(intents.own().examples)) or not problems:
            yield Finding("ok", "intents", f"{path.name} has {count} example{'' if count == 1 else 's'} in use.")
    if not (settings.home / CHOICES_FILE).exists():
        return
    with closing(Choices(settings.home / CHOICES_FILE, now)) as choices:
        if waiting := len(choices.waiting()):
            what = "1 choice waits" if waiting == 1 else f"{waiting} choices wait"
            yield Finding("ok", "intents", f"{what} for a look: `icc-bot intents review`.")
