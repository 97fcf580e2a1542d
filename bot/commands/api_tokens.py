"""`icc-bot api --new-token`, `--tokens`, `--revoke`: the tokens of the jobs API."""

from adapters.api.auth import ApiTokens, new_token, person_of, scopes_of
from bot.command_line import Say
from bot.settings.environment import Settings
from router.errors import SettingsError


def tokens_of(settings: Settings) -> ApiTokens:
    """Return the tokens in the bot's folder."""
    return ApiTokens(settings.home / "api-tokens")


def make_token(settings: Settings, say: Say, name: str, user: str, scopes: str) -> int:
    """Say a new token, which is kept nowhere but as its hash."""
    if not name or not user:
        raise SettingsError(["A token needs a name and a person: --name nightly-report --user ana@example.com."])
    secret, token = new_token(name, person_of(user), scopes_of(scopes))
    tokens_of(settings).add(token)
    say(secret)
    whose = "everybody" if "act_for" in token.scopes else "this person"
    say(f"This is the token; it is shown once and kept nowhere. It gives these rights of {whose}.")
    return 0


def list_tokens(settings: Settings, say: Say) -> int:
    """Say name, person and scopes of every token."""
    for token in tokens_of(settings).all():
        say(token.line.rpartition(" ")[0])
    return 0


def revoke_token(settings: Settings, say: Say, name: str) -> int:
    """Let nobody in by this token any more, also if the API is running."""
    tokens_of(settings).revoke(name)
    say(f"{name} is revoked.")
    return 0
