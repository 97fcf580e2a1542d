"""People press, choose, search and agree."""

import html
import json
from dataclasses import dataclass, field
from typing import Any

from tests.platforms.teams.activities import activity, invoke
from tests.platforms.teams.cards.filling import Impossible, Values, around, filled, find_action, find_input, visible
from tests.platforms.teams.cards.judge import card_faults, card_problems, parts_of
from tests.platforms.teams.delivery import Post
from tests.platforms.teams.talking import Talking, Who
from tests.platforms.teams.world import ADAPTIVE, CONSENT, FILE_INFO, Card, File, Message, Person

OPTIONS = "application/vnd.microsoft.search.searchResponse"
NOTICE = "application/vnd.microsoft.activity.message"
ERROR = "application/vnd.microsoft.error"
TOP = 15
THEME = {"theme": "default"}
PEOPLE = "graph.microsoft.com/users"


@dataclass(frozen=True)
class Dialog:
    """A dialog over the chat, which one person sees."""

    message: Message
    title: str
    card: Card


@dataclass
class Pressing(Talking):
    """People's hands. Only `search` waits for the bot; a press is over when its `Post.wait()` returns."""

    dialogs: dict[str, Dialog] = field(default_factory=dict)
    """The dialogs that are open, by the key of who sees them."""

    def press(
        self,
        message: Message,
        name: str,
        user: Who = "alex",
        fill: Values | None = None,
        card: Card | None = None,
        dialogs: bool = True,
    ) -> Post:
        """Press the action with this title, verb or id, after filling in inputs (by id or label).

        `card` is what the person still sees: an earlier card of the message. Without `dialogs`, the client is so old
        that it opens none. Raises Impossible if no person could do
        it, also if the client finds an input wrong.
        """
        person = self.person(user)
        with self.lock:
            shown = visible(card or self._seen_card(message, person))
            action = find_action(shown, name)
            inputs: dict[str, str] = {}
            if action.get("associatedInputs") != "none":
                inputs = filled(around(shown, action), fill or {}, message.typed.get(person.key, {}))
            elif fill:
                raise Impossible(f"{name!r} sends no inputs")
            data: Any = action.get("data")
            sent: Any = data if isinstance(data, str) else dict(data or {}) | inputs
            if action["type"] == "Action.Submit" and dialogs and _opens(sent):
                told = invoke(self, "task/fetch", {"data": sent, "context": THEME}, message, person)
                return self.send(told, lambda post: self._dialog_told(message, person, post))
            if action["type"] == "Action.Submit":
                return self.send(self._submitted(message, person, sent))
            if action["type"] != "Action.Execute":
                raise Impossible(f"{name!r} is {action['type']}, of which the bot is not told")
            pressed: dict[str, Any] = {each: action[each] for each in ("type", "title", "id", "verb") if each in action}
            value = {"action": {**pressed, "data": sent}, "trigger": "manual"}
            told = invoke(self, "adaptiveCard/action", value, message, person)
        return self.send(told, lambda post: self._clicked(message, person, post))

    def submit(self, user: Who = "alex", fill: Values | None = None) -> Post:
        """Press the button of the dialog that is open for a person, after filling in inputs (by id or label)."""
        person = self.person(user)
        with self.lock:
            dialog = self.dialogs.get(person.key)
            if dialog is None:
                raise Impossible("no dialog is open")
            shown = visible(dialog.card)
            action = next((part for part in parts_of(shown) if part.get("type") == "Action.Submit"), None)
            if action is None:
                raise Impossible("the dialog has no button")
            typed = dialog.message.typed.get(person.key, {})
            sent = dict(action.get("data") or {}) | filled(shown, fill or {}, typed)
            told = invoke(self, "task/submit", {"data": sent, "context": THEME}, dialog.message, person)
            del told["replyToId"]  # a dialog is nobody's answer
        return self.send(told, lambda post: self._dialog_told(dialog.message, person, post))

    def close(self, user: Who = "alex") -> None:
        """Close the dialog that is open for a person."""
        with self.lock:
            self.dialogs.pop(self.person(user).key, None)

    def _dialog_told(self, message: Message, person: Person, post: Post) -> None:
        """Show the dialog that the bot answered with, say what it said in it, or close it."""
        if not post.attempts or post.attempts[-1].problem:
            self.toasts.append("Something went wrong. Please try again.")
            return
        self.dialogs.pop(person.key, None)
        match post.body:
            case {
                "task": {
                    "type": "continue",
                    "value": {"title": str(title), "card": {"content": card, "contentType": kind}},
                }
            }:
                found = card_problems(card) if kind == ADAPTIVE else [f"{kind} is no card"]
                found += [
                    "a dialog takes no Action.Execute" for p in parts_of(card) if p.get("type") == "Action.Execute"
                ]
                for fault in found or card_faults(card):
                    self.note(f"a dialog: {fault}")
                if not found:
                    self.dialogs[person.key] = Dialog(message, title, card)
            case {"task": {"type": "message", "value": str(said)}}:
                self.toasts.append(said)
            case None | "" | {} if post.activity["name"] == "task/submit":
                pass
            case body:
                self.note(f"answer to a dialog: {body!r} means nothing to Teams")

    def _submitted(self, message: Message, person: Person, sent: Any) -> dict[str, Any]:
        more: dict[str, Any] = {"value": sent, "replyToId": message.id}
        teams = sent.get("msteams") if isinstance(sent, dict) else None
        if teams is not None and teams.get("type") not in (None, "messageBack", "task/fetch"):
            raise Impossible(f"a Submit of the type {teams.get('type')} is not known here")
        if teams is not None and teams.get("type") == "messageBack":
            more |= {"text": teams.get("text", ""), "value": teams.get("value")}
        made = activity(self, "message", message.conversation, person, message.root, **more)
        made["channelData"] |= {"source": {"name": "message"}}
        return made | {"id": self.world.message_id()}

    def _seen_card(self, message: Message, person: Person) -> Card:
        card = message.card_for(person.key)
        if card is None or message.deleted:
            raise Impossible("there is no card")
        return card

    def _clicked(self, message: Message, person: Person, post: Post) -> None:
        """Show the clicker what the bot answered."""
        body = post.body
        if not post.attempts or post.attempts[-1].problem:
            self.toasts.append("Something went wrong. Please try again.")
            return
        kind = body.get("type") if isinstance(body, dict) and "statusCode" in body else None
        value: Any = body.get("value") if isinstance(body, dict) else None
        if kind == ADAPTIVE:
            found = card_problems(value)
            for fault in found or card_faults(value):
                self.note(f"answer to a click: {fault}")
            if not found:
                message.seen[person.key] = value
        elif kind == NOTICE and isinstance(value, str):
            self.toasts.append(value)
        elif kind == ERROR and isinstance(value, dict):
            self.toasts.append(str(value.get("message")))
        else:
            self.note(f"answer to a click: {body!r} means nothing to Teams")

    def search(
        self, message: Message, input_id: str, text: str, user: Who = "alex", fill: Values | None = None
    ) -> list[dict[str, str]]:
        """Type into an input with typeahead and return the choices that the bot offers, as title and value."""
        person = self.person(user)
        with self.lock:
            dialog = self.dialogs.get(person.key)
            shown = visible(dialog.card if dialog else self._seen_card(message, person))
            entry = find_input(shown, input_id)
            query = entry.get("choices.data")
            if entry["type"] != "Input.ChoiceSet" or entry.get("style") != "filtered" or not query:
                raise Impossible(f"{input_id!r} asks the bot nothing")
            if query["dataset"].startswith(PEOPLE):
                return self._people(message, entry, text, person)
            options = {"skip": 0, "top": TOP}
            value = {"queryText": text, "queryOptions": options, "dataset": query["dataset"]}
            if query.get("associatedInputs") == "auto":
                value["data"] = dict(fill or {})
            post = self.send(invoke(self, "application/search", value, message, person))
        body = post.wait(self.answer_seconds + 5).body
        results = _results(body)
        if not post.ok or results is None:
            self.note(f"answer to a search: {body!r} means nothing to Teams")
            return []
        with self.lock:
            typed = message.typed.setdefault(person.key, {})
            typed |= {f"{entry['id']}/{each['value']}": each["title"] for each in results[:TOP]}
        return results[:TOP]

    def _people(self, message: Message, entry: dict[str, Any], text: str, person: Person) -> list[dict[str, str]]:
        """Offer the people of the conversation, whom the client finds without the bot."""
        known = message.conversation.members
        found = [{"title": each.name, "value": each.aad} for each in known if text.casefold() in each.name.casefold()]
        typed = message.typed.setdefault(person.key, {})
        typed |= {f"{entry['id']}/{each['value']}": each["title"] for each in found}
        return found

    def feedback(self, message: Message, reaction: str = "like", text: str = "", user: Who = "alex") -> Post:
        """Press the thumb under a message that asks for feedback, and say why in the form that opens."""
        if not (message.activity.get("channelData") or {}).get("feedbackLoop"):
            raise Impossible("the message does not ask for feedback")
        value = {"reaction": reaction, "feedback": json.dumps({"feedbackText": text})}
        whole = {"actionName": "feedback", "actionValue": value}
        return self.send(invoke(self, "message/submitAction", whole, message, self.person(user)))

    def act_on(self, message: Message, edit: str = "", user: Who = "alex") -> Post:
        """Choose the action "Ask about this" of a message, and send its form, as it is or with other words."""
        words = html.escape(message.text)
        asked = {
            "commandId": "ask",
            "commandContext": "message",
            "messagePayload": {"id": message.id, "body": {"contentType": "html", "content": f"<p>{words}</p>"}},
        }
        person = self.person(user)
        post = self.send(invoke(self, "composeExtension/fetchTask", asked, message, person)).wait()
        name, filled = _input_of(post.body), _card_of(post.body)["body"][0].get("value", "")
        sent = asked | {"data": {name: edit or filled}}
        return self.send(invoke(self, "composeExtension/submitAction", sent, message, person))

    def consent(self, message: Message, accept: bool = True, user: Who = "") -> Post:
        """Agree to get a file that the bot offers, or decline it; with yes there is an address to put it."""
        person = self.person(user or message.conversation.members[0])
        offers = [each for each in message.attachments if each.get("contentType") == CONSENT]
        if not offers or message.deleted:
            raise Impossible("there is no file to get")
        name, content = offers[0]["name"], offers[0]["content"]
        value: dict[str, Any] = {"type": "fileUpload", "action": "accept" if accept else "decline"}
        value["context"] = content["acceptContext" if accept else "declineContext"]
        with self.lock:
            if accept:
                file = File(f"file-{self.world.number()}", name, content["sizeInBytes"], person)
                self.world.files[file.id] = file
                value["uploadInfo"] = {
                    "contentUrl": f"{self.root}/files/{file.id}/{name}",
                    "name": name,
                    "uploadUrl": f"{self.root}/upload/{file.id}",
                    "uniqueId": file.id,
                    "fileType": name.rpartition(".")[2],
                }
            return self.send(invoke(self, "fileConsent/invoke", value, message, person))

    def file_infos(self, message: Message) -> list[dict[str, Any]]:
        """Return the cards of uploaded files that hang on a message."""
        return [each for each in message.attachments if each.get("contentType") == FILE_INFO]


def _opens(sent: Any) -> bool:
    """Return whether a button asks for a dialog."""
    return (
        isinstance(sent, dict) and isinstance(sent.get("msteams"), dict) and sent["msteams"].get("type") == "task/fetch"
    )


def _results(body: Any) -> list[dict[str, str]] | None:
    """Return the choices of an answer to a search; None if it is none."""
    if not isinstance(body, dict) or body.get("type") != OPTIONS or body.get("statusCode") != 200:
        return None
    value = body.get("value")
    results = value.get("results") if isinstance(value, dict) else None
    if not isinstance(results, list):
        return None
    fits = all(isinstance(each.get("title"), str) and isinstance(each.get("value"), str) for each in results)
    return results if fits else None


def _card_of(body: Any) -> dict[str, Any]:
    """Return the card of a dialog; raises Impossible where Teams would show none."""
    task = (body or {}).get("task") or {}
    card: dict[str, Any] = ((task.get("value") or {}).get("card") or {}).get("content") or {}
    found = card_problems(card)
    if task.get("type") != "continue" or found:
        raise Impossible(f"there is no dialog: {found}")
    return card


def _input_of(body: Any) -> str:
    """Return the name of the first input of a dialog."""
    return next(str(each["id"]) for each in _card_of(body)["body"] if str(each["type"]).startswith("Input."))
