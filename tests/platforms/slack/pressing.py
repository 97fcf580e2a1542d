"""People press, choose and fill in, in messages, modals and Home tabs."""

from dataclasses import dataclass
from typing import Any

from tests.platforms.slack.api.views import replaced, shown
from tests.platforms.slack.delivery import Delivery
from tests.platforms.slack.forms import Impossible, State, empty_state, found, kept_state, missing, put, usable
from tests.platforms.slack.kit.payload import options_problems, view_problems
from tests.platforms.slack.payloads import container, message_json, place, view_json, who
from tests.platforms.slack.talking import Talking
from tests.platforms.slack.world import Message, View

Surface = Message | View
Values = str | list[str]


@dataclass
class Pressing(Talking):
    """People's hands. What needs the app's answer (`submit`, external menus) blocks until it is there."""

    def press(
        self,
        surface: Surface,
        name: str,
        user: str = "",
        blocks: list[dict[str, Any]] | None = None,
        late: bool = False,
    ) -> Delivery:
        """Press the button with this label, action_id or value; "Run" is enough for "Run on Shop".

        `blocks` are what the person still sees: an earlier state of the message, out of its `edits`. Raises
        Impossible if there is no such button, or if it is hidden from this person.
        """
        person = user or (surface.user if isinstance(surface, View) else "U1")
        block, element, action = _button(surface.blocks if blocks is None else blocks, name)
        allowed = element.get("visible_to_user_ids")
        if allowed is not None and person not in allowed:
            raise Impossible(f"{name!r} is not shown to {person}")
        return self._act(surface, person, {**action, "block_id": block["block_id"]}, blocks, late)

    def choose(
        self, surface: Surface, where: str, values: Values, user: str = "", typed: str | None = None, late: bool = False
    ) -> Delivery | None:
        """Choose in the menu with this label, placeholder, block_id or action_id; several values for multi-selects.

        Options are named by their text or value; external menus ask the app for them first, with what is `typed`
        (the value itself, unless given). Returns None for menus whose choice is only sent with a later press.
        """
        person = user or (surface.user if isinstance(surface, View) else "U1")
        block, element = found(surface.blocks, where)
        offered = None
        if "external" in element["type"]:
            wanted = [values] if isinstance(values, str) else values
            queries = wanted if typed is None else [typed]
            offered = [each for query in queries for each in self.suggest(surface, where, query, person)]
        with self.lock:
            chosen = put(element, values, offered)
            before = self._state(surface, person)[block["block_id"]][element["action_id"]]
            if isinstance(surface, Message) and element["type"] == "static_select" and chosen == before:
                raise Impossible(f"{values!r} is chosen already: Slack sends nothing then")
            self._state(surface, person)[block["block_id"]][element["action_id"]] = chosen
        if block["type"] == "input" and not block.get("dispatch_action"):
            return None
        known = {name: element[name] for name in ("placeholder",) if name in element}
        action = {"action_id": element["action_id"], "block_id": block["block_id"], **known, **chosen}
        return self._act(surface, person, action, late=late)

    fill = choose
    """Type into a field; the same as choosing, for the eye of who reads the test."""

    def suggest(self, surface: Surface, where: str, query: str = "", user: str = "U1") -> list[dict[str, Any]]:
        """Type into an external menu and return the options that the app offers."""
        block, element = found(surface.blocks, where)
        least = element.get("min_query_length", 3)
        if len(query) < least:
            raise Impossible(f"the menu asks the app from {least} characters on")
        with self.lock:
            payload = {
                **self._where(surface, user),
                "type": "block_suggestion",
                "action_id": element["action_id"],
                "block_id": block["block_id"],
                "value": query,
            }
        answer = self.send("options", payload).wait(self.ack_seconds + 10).body
        problems = options_problems(answer)
        if problems:
            self.note(f"options for {element['action_id']}: {problems}")
            return []
        groups = [each for group in answer.get("option_groups", []) for each in group["options"]]
        return [*answer.get("options", []), *groups]

    def submit(self, view: View, values: dict[str, Values] | None = None, user: str = "") -> dict[str, Any] | None:
        """Fill in a modal and send it; return what the app acknowledges it with, None if that is nothing.

        Values are keyed by label, placeholder, block_id or action_id. The modal closes, unless the app says errors
        or gives another view. Raises Impossible where Slack's client would not send it, TimeoutError if the app
        does not answer in time.
        """
        person = user or view.user
        for where, value in (values or {}).items():
            self.choose(view, where, value, person)
        with self.lock:
            if not view.open:
                raise Impossible("the modal is closed")
            empty = missing(view.blocks, view.state)
            if empty:
                raise Impossible(f"these have to be filled in: {empty}")
            payload = {**self._viewed(view, person, "view_submission"), "response_urls": []}
            payload["trigger_id"] = self.world.trigger(person, view.team)
        delivery = self.send("interaction", payload).wait(self.ack_seconds + 10)
        if not delivery.acked:
            raise TimeoutError(f"the app did not acknowledge the modal: {delivery.attempts}")
        with self.lock:
            self._submitted(view, delivery.body)
            self.lock.notify_all()
        return delivery.body if isinstance(delivery.body, dict) else None

    def close(self, view: View) -> Delivery | None:
        """Close a modal without sending it; the app hears of it if it asked to."""
        with self.lock:
            view.open = False
            payload = {**self._viewed(view, view.user, "view_closed"), "is_cleared": False}
        return self.send("interaction", payload) if view.body.get("notify_on_close") else None

    def _submitted(self, view: View, answer: Any) -> None:
        kind = answer.get("response_action") if isinstance(answer, dict) else None
        if kind == "errors":
            strangers = set(answer.get("errors", {})) - {block["block_id"] for block in view.blocks}
            if strangers or not answer.get("errors"):
                self.note(f"errors of a modal for blocks that it does not have: {sorted(strangers)}")
        elif kind in ("update", "push"):
            problems = view_problems(answer.get("view"), "modal")
            if problems:
                self.note(f"the view of a response_action: {problems}")
            elif kind == "update":
                replaced(self.world, view, answer["view"])
            else:
                shown(self.world, answer["view"], view.user, view.team, view.id)
        elif kind == "clear":
            for each in self.world.views.values():
                each.open = each.open and each.user != view.user
        else:
            view.open = False
            if answer:
                self.note(f"a modal was acknowledged with {answer}, which means nothing to Slack")

    def _act(
        self,
        surface: Surface,
        user: str,
        action: dict[str, Any],
        blocks: list[dict[str, Any]] | None = None,
        late: bool = False,
    ) -> Delivery:
        if isinstance(surface, View) and not surface.open:
            raise Impossible("the modal is closed")
        with self.lock:
            trigger = self.world.trigger(user, self.user(user).team)
            self.world.triggers[trigger].used = late
            payload = {
                **self._where(surface, user, blocks),
                "type": "block_actions",
                "trigger_id": trigger,
                "actions": [{**action, "action_ts": self.world.ts()}],
            }
            if isinstance(surface, Message):
                url = self.world.response_url(surface.channel, user, surface.team, surface)
                payload["response_url"] = f"{self.root}{url}"
                payload["state"] = {"values": self._state(surface, user)}
        return self.send("interaction", payload)

    def _where(self, surface: Surface, user: str, blocks: list[dict[str, Any]] | None = None) -> dict[str, Any]:
        about = who(self.world, self.user(user))
        if isinstance(surface, View):
            return {**about, "container": {"type": "view", "view_id": surface.id}, "view": view_json(surface)}
        about |= {"container": container(surface), "channel": place(self.world.channels[surface.channel])}
        if not surface.ephemeral_to:
            about["message"] = message_json(surface) | ({} if blocks is None else {"blocks": blocks})
        return about

    def _viewed(self, view: View, user: str, kind: str) -> dict[str, Any]:
        return {**who(self.world, self.user(user)), "type": kind, "view": view_json(view)}

    def _state(self, surface: Surface, user: str) -> State:
        if isinstance(surface, View):
            return surface.state
        surface.states[user] = kept_state(surface.blocks, surface.states.get(user) or empty_state(surface.blocks))
        return surface.states[user]


def _button(blocks: list[dict[str, Any]], name: str) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Return the button of this name with its block, and the action that pressing it is."""
    names = []
    for block, element in usable(blocks):
        kind = element["type"]
        action: dict[str, Any] = {"action_id": element["action_id"], "type": kind}
        if kind in ("button", "icon_button"):
            label = element["text"]["text"]
            names.append(label)
            if name in (label, label.partition(" on ")[0], element["action_id"], element.get("value")):
                known = {each: element[each] for each in ("text", "value", "style") if each in element}
                return block, element, action | known
        elif kind == "feedback_buttons":
            for side in ("positive_button", "negative_button"):
                names.append(element[side]["text"]["text"])
                if name in (names[-1], element[side]["value"]):
                    known = {"text": element[side]["text"], "value": element[side]["value"]}
                    return block, element, action | known
        elif kind == "overflow":
            for option in element["options"]:
                names.append(option["text"]["text"])
                if name in (names[-1], option["value"]):
                    return block, element, {**action, "selected_option": option}
    raise Impossible(f"there is no button {name!r}; there are {names}")
