"""What the doctor says of the glossary."""

from collections.abc import Iterator
from contextlib import closing

from adapters.finding import Finding
from bot.clock import now
from bot.settings import Settings
from bot.teaching import PROPOSALS_FILE, glossary_file
from router.catalog.connection import Connections
from router.knowledge.glossary import Glossary
from router.knowledge.proposals import Proposals


def check_glossary(settings: Settings, connections: Connections) -> Iterator[Finding]:
    """Yield everything that is wrong with the file, how many terms there are, and how many proposals wait."""
    path = glossary_file(settings)
    if path.exists():
        glossary = Glossary(path, connections, logs=False)  # each is a finding
        problems = glossary.problems()
        yield from (Finding("warning", "glossary", problem) for problem in problems)
        count = sum(len(glossary.terms(name)) for name in connections)
        if count or not problems:
            yield Finding("ok", "glossary", f"{path.name} has {count} term{'' if count == 1 else 's'} in use.")
    if not (settings.home / PROPOSALS_FILE).exists():
        return
    with closing(Proposals(settings.home / PROPOSALS_FILE, now)) as proposals:
        for name in connections:
            if waiting := len(proposals.waiting(name)):
                what = "1 proposal waits" if waiting == 1 else f"{waiting} proposals wait"
                yield Finding("ok", "glossary", f"{what} for {name}; `glossary`, typed in a talk, shows them.")
