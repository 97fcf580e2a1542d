"""Checks the tokens of the jobs API: each must stand for somebody who may do what its scopes say."""

from collections.abc import Iterator

from adapters.api.auth import ApiToken
from adapters.check_finding import Finding
from bot.commands.api_tokens import tokens_of
from bot.settings.environment import Settings
from router.catalog.connection import Connections
from router.errors import SettingsError
from router.policy import readable, writable


def check_api(settings: Settings, connections: Connections) -> Iterator[Finding]:
    """Yield a finding for each token; nothing where there is none, since nobody can use the API then."""
    try:
        tokens = tokens_of(settings).all()
    except SettingsError as error:
        yield from (Finding("FAILED", "API", problem) for problem in error.problems)
        return
    for token in tokens:
        yield _finding(token, connections)


def _finding(token: ApiToken, connections: Connections) -> Finding:
    about, person = f"API token {token.name}", token.user.email or token.user.id
    if "act_for" in token.scopes:
        others = ", ".join(sorted(token.scopes - {"act_for"})) or "nothing"
        return Finding("ok", about, f"names whoever acts, and may have {others} done: as good as all that they may.")
    if not readable(connections, token.user):
        return Finding("warning", about, f"{person} may read no connection; name them among its `readers`.")
    if "write" in token.scopes and not writable(connections, token.user):
        return Finding("warning", about, f"{person} may write to no connection; name them among its `writers`.")
    return Finding("ok", about, f"acts as {person}: {', '.join(sorted(token.scopes))}.")
