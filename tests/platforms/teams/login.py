"""The login: tokens for who shows the app's secret, or signs with its certificate."""

import secrets
from typing import TYPE_CHECKING, Any

import jwt

from tests.platforms.teams.world import Token

if TYPE_CHECKING:
    from tests.platforms.teams.server import Server

SCOPE = "https://api.botframework.com/.default"
ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
LIFE = 3599


def log_in(teams: "Server", tenant: str, form: dict[str, str]) -> tuple[int, dict[str, Any]]:
    """Return the status and the answer to a request for a token."""
    if tenant not in (teams.tenant, "botframework.com"):
        return 400, _error("invalid_request", f"AADSTS90002: Tenant '{tenant}' not found.")
    if form.get("grant_type") != "client_credentials":
        return 400, _error("unsupported_grant_type", "AADSTS70003: The grant type is not supported.")
    if form.get("client_id") != teams.app_id:
        return 400, _error("unauthorized_client", "AADSTS700016: The application was not found in the directory.")
    if not _proved(teams, form):
        return 401, _error("invalid_client", "AADSTS7000215: Invalid client secret provided.")
    if SCOPE not in form.get("scope", "").split():
        return 400, _error("invalid_scope", f"AADSTS70011: The scope {form.get('scope')} is not valid.")
    made = Token(f"stand-in.{secrets.token_urlsafe(24)}", tenant, teams.app_id, SCOPE, teams.world.now() + LIFE)
    teams.world.tokens.append(made)
    told = {"token_type": "Bearer", "expires_in": LIFE, "ext_expires_in": LIFE, "access_token": made.value}
    return 200, told


def _proved(teams: "Server", form: dict[str, str]) -> bool:
    if "client_assertion" not in form:
        return form.get("client_secret") == teams.app_password
    if not teams.app_public_key or form.get("client_assertion_type") != ASSERTION:
        return False
    try:
        claims = jwt.decode(
            form["client_assertion"],
            teams.app_public_key,
            algorithms=["RS256", "PS256"],
            options={"verify_aud": False},
        )
    except jwt.InvalidTokenError:
        return False
    return bool(claims.get("iss") == claims.get("sub") == teams.app_id)


def _error(error: str, description: str) -> dict[str, Any]:
    return {"error": error, "error_description": description, "error_codes": [], "correlation_id": "stand-in"}


def discovery(teams: "Server", tenant: str) -> dict[str, Any]:
    """Return what the login says of itself."""
    root = f"{teams.login_url}/{tenant}"
    return {
        "issuer": f"{root}/v2.0",
        "authorization_endpoint": f"{root}/oauth2/v2.0/authorize",
        "token_endpoint": f"{root}/oauth2/v2.0/token",
        "jwks_uri": f"{root}/discovery/v2.0/keys",
    }
