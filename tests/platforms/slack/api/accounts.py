"""The methods about tokens, people and the installation."""

from typing import Any

from tests.platforms.slack.api.request import Refused, Request
from tests.platforms.slack.payloads import APP
from tests.platforms.slack.world import Person


def auth_test(request: Request) -> dict[str, Any]:
    team = request.team
    return {
        "url": f"https://{team.name.lower()}.slack.com/",
        "team": team.name,
        "user": request.world.people[team.bot_user].name,
        "team_id": team.id,
        "user_id": team.bot_user,
        "bot_id": team.bot_id,
        "is_enterprise_install": False,
    }


def api_test(request: Request) -> dict[str, Any]:
    return {"args": request.args}


def open_connection(request: Request) -> dict[str, Any]:
    if request.token != request.slack.app_token:
        raise Refused("invalid_auth" if request.token.startswith("xapp-") else "not_allowed_token_type")
    return {"url": request.slack.sockets.ticket(request.slack.root)}


def user_by_email(request: Request) -> dict[str, Any]:
    """Return who of the workspace has an address."""
    email = request.text("email").casefold()
    people = [each for each in request.world.people.values() if each.team == request.team.id and not each.bot]
    found = next((each for each in people if each.email and each.email.casefold() == email), None)
    if found is None:
        raise Refused("users_not_found")
    return _user(request, found)


def user_info(request: Request) -> dict[str, Any]:
    person = request.world.people.get(request.text("user"))
    if person is None or not (person.team == request.team.id or _shares(request, person.id)):
        raise Refused("user_not_found")
    return _user(request, person)


def _user(request: Request, person: Person) -> dict[str, Any]:
    profile = {"real_name": person.name, "display_name": person.name}
    if "users:read.email" in request.team.scopes and person.email and person.team == request.team.id:
        profile["email"] = person.email
    names = {"name": person.name.lower(), "real_name": person.name, "tz": "Etc/UTC", "tz_offset": 0}
    # A guest of one channel is a guest of a few as well.
    guest = {"is_restricted": bool(person.guest), "is_ultra_restricted": person.guest == "single"}
    flags = {"deleted": False, "is_bot": person.bot, **guest}
    return {"user": {"id": person.id, "team_id": person.team, **names, **flags, "profile": profile}}


def _shares(request: Request, user: str) -> bool:
    """Return whether somebody of another team is in a channel of this one."""
    channels = request.world.channels.values()
    return any(user in channel.members for channel in channels if channel.team == request.team.id)


def bot_info(request: Request) -> dict[str, Any]:
    team = request.team
    if request.text("bot") not in ("", team.bot_id):
        raise Refused("bot_not_found")
    name = request.world.people[team.bot_user].name
    return {"bot": {"id": team.bot_id, "name": name, "app_id": APP, "user_id": team.bot_user, "deleted": False}}


def exchange_code(request: Request) -> dict[str, Any]:
    check_client(request)
    team_id = request.world.codes.pop(request.text("code"), None)
    if team_id is None:
        raise Refused("invalid_code")
    team = request.world.teams[team_id]
    team.installed = True
    return {
        "access_token": team.token,
        "token_type": "bot",
        "scope": ",".join(sorted(team.scopes)),
        "bot_user_id": team.bot_user,
        "app_id": APP,
        "team": {"id": team.id, "name": team.name},
        "enterprise": None,
        "authed_user": {"id": next(each.id for each in request.world.people.values() if each.team == team.id)},
        "is_enterprise_install": False,
    }


def check_client(request: Request) -> None:
    """Demand the app's own id and secret."""
    if request.text("client_id") != request.slack.client_id:
        raise Refused("invalid_client_id")
    if request.text("client_secret") != request.slack.client_secret:
        raise Refused("bad_client_secret")


def revoke(request: Request) -> dict[str, Any]:
    if str(request.args.get("test", "")).lower() in ("1", "true"):
        return {"revoked": False}
    request.slack.end_install(request.team, uninstalled=False)
    return {"revoked": True}


def uninstall(request: Request) -> dict[str, Any]:
    check_client(request)
    request.slack.end_install(request.team)
    return {}
