"""The methods that open and change modals and Home tabs."""

import secrets
from typing import Any

from tests.platforms.slack.api.request import Refused, Request
from tests.platforms.slack.forms import empty_state, kept_state
from tests.platforms.slack.kit.payload import view_problems
from tests.platforms.slack.payloads import view_json
from tests.platforms.slack.world import View, World, with_ids

DEEPEST = 3
TRIGGER_LIVES = 3.0


def sound(request: Request, kind: str) -> dict[str, Any]:
    """Return the view that is given, which is sound."""
    view = request.args.get("view")
    problems = view_problems(view, kind)
    if problems:
        raise Refused("invalid_arguments", problems)
    assert isinstance(view, dict)
    return view


def shown(world: World, body: dict[str, Any], user: str, team: str, previous: str | None = None) -> View:
    """Open a view."""
    view = View(world.new_id("V"), user, team, {**body, "blocks": with_ids(body["blocks"], world)}, previous)
    view.hash = f"{int(world.now())}.{secrets.token_hex(4)}"
    view.state = empty_state(view.blocks)
    world.views[view.id] = view
    return view


def replaced(world: World, view: View, body: dict[str, Any]) -> None:
    """Give a view new blocks; what was typed into a field that is still there stays."""
    view.body = {**body, "blocks": with_ids(body["blocks"], world)}
    view.hash = f"{int(world.now())}.{secrets.token_hex(4)}"
    view.state = kept_state(view.blocks, view.state)


def exchange(request: Request) -> str:
    """Take a trigger_id and return who pressed; each works once, within three seconds."""
    trigger = request.world.triggers.get(request.text("trigger_id"))
    if trigger is None or trigger.team != request.team.id:
        raise Refused("invalid_trigger_id")
    if trigger.used:
        raise Refused("exchanged_trigger_id")
    if request.world.now() - trigger.born > TRIGGER_LIVES:
        raise Refused("expired_trigger_id")
    trigger.used = True
    return trigger.user


def open_view(request: Request) -> dict[str, Any]:
    body = sound(request, "modal")
    user = exchange(request)
    return {"view": view_json(shown(request.world, body, user, request.team.id))}


def push(request: Request) -> dict[str, Any]:
    body = sound(request, "modal")
    user = exchange(request)
    stack = [view for view in request.world.views.values() if view.open and view.user == user]
    if not stack:
        raise Refused("not_found")
    if len(stack) >= DEEPEST:
        raise Refused("push_limit_reached")
    return {"view": view_json(shown(request.world, body, user, request.team.id, stack[-1].id))}


def update(request: Request) -> dict[str, Any]:
    body = sound(request, "modal")
    views = [view for view in request.world.views.values() if view.open and view.team == request.team.id]
    wanted, external = request.text("view_id"), request.text("external_id")
    view = next(
        (each for each in views if each.id == wanted or (external and each.body.get("external_id") == external)), None
    )
    if view is None:
        raise Refused("not_found")
    check_hash(request, view)
    replaced(request.world, view, body)
    return {"view": view_json(view)}


def check_hash(request: Request, view: View) -> None:
    """Refuse a change that was made from an older view."""
    if request.args.get("hash") not in (None, view.hash):
        raise Refused("hash_conflict")


def publish(request: Request) -> dict[str, Any]:
    user = request.text("user_id")
    person = request.world.people.get(user)
    if person is None or person.team != request.team.id:
        raise Refused("user_not_found")
    body = sound(request, "home")
    view = request.world.homes.get(user)
    if view is None:
        view = shown(request.world, body, user, request.team.id)
        del request.world.views[view.id]
        request.world.homes[user] = view
    else:
        check_hash(request, view)
        replaced(request.world, view, body)
    return {"view": view_json(view)}
