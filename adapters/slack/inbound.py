"""Slack's payloads as inputs of the router; what is not for the bot is None."""

import logging
import re
from collections.abc import Mapping
from dataclasses import replace
from time import time
from typing import Any

from slack_bolt.request.internals import extract_team_id, extract_user_id

from adapters.chat.admission import AFTER_A_NAME
from adapters.chat.inbox import EVENT_LIFETIME
from adapters.chat.shown_messages import ShownMessages
from adapters.chat.surface import Heard, MessagePlace, Posted
from adapters.rendering.controls import QuestionRef, answers_of, asked_from
from adapters.slack.menus import CHOOSE, PRESS, TAKE
from adapters.slack.modals import opened_by
from adapters.slack.mrkdwn import read_typed
from router.cards import Buttons, Card, Choice
from router.memory.draft import User
from router.memory.thread import ThreadKey
from router.turn import Filled, Input, Pressed, Said

log = logging.getLogger("icc_bot")

Payload = Mapping[str, Any]

CHANGES = {"message_changed", "message_deleted"}
"""Subtypes of events that tell of a message as it was changed since."""

SPOKEN_SUBTYPES = {None, "file_share", "thread_broadcast", "me_message"}
"""Subtypes of messages that are a person's words."""


def heard_message(body: Payload, bot: str, shown: ShownMessages) -> Heard | None:
    """Return what a message says to the bot: a mention, a direct message, or a word in a thread."""
    event, team = body["event"], team_of(body)
    user, channel, ts = event.get("user"), event["channel"], event["ts"]
    if not user or event.get("bot_id") or event.get("subtype") not in SPOKEN_SUBTYPES:
        return None
    text, direct = event.get("text") or "", is_direct(channel)
    mentioned = f"<@{bot}" in text
    thread = event.get("thread_ts")
    if not (direct or mentioned or thread):
        return None
    if not (direct or mentioned) and re.search(r"<(@\w+|!subteam|!here|!channel|!everyone)", text):
        return None  # said to somebody else
    key = _key(shown, team, channel, thread) if thread else ThreadKey("slack", team, channel, ts)
    spoken = re.sub(rf"<@{bot}(\|[^>]*)?>{AFTER_A_NAME}", " ", text)
    words = read_typed(spoken).strip()
    return Heard(
        key,
        User(f"slack:{user}"),
        Said(words),
        # The same message may come as a mention and as a message: what is the same is its place.
        event=f"{team}:{channel}:{ts}",
        addressed=direct or mentioned,
        # Under a private result, the direct message stands for a thread that others read.
        shared=not is_direct(key.channel),
        place=MessagePlace(team, channel, thread) if key.channel != channel else None,
    )


def heard_change(body: Payload, bot: str, shown: ShownMessages) -> tuple[Heard, str] | None:
    """Return a message as its author changed it, without words if it was deleted, and what marks this change.

    The bot's own messages come back so whenever they are drawn again, and people's when Slack adds a preview of a link:
    neither is a change.
    """
    event = body["event"]
    before, now = event.get("previous_message") or {}, event.get("message") or {}
    # With replies below it, a deleted message stays as a tombstone.
    gone = event["subtype"] == "message_deleted" or now.get("subtype") == "tombstone"
    message = before if gone else now
    edited = (now.get("edited") or {}).get("ts")
    unchanged = not gone and (not edited or now.get("text") == before.get("text"))
    if unchanged or _is_old(str(message.get("ts") or "0")):
        return None

    def heard(text: str) -> Heard | None:
        said = {**message, "channel": event["channel"], "text": text}
        return heard_message({**body, "event": said}, bot, shown)

    texts = [before.get("text") or "", message.get("text") or ""]
    said = heard(f"<@{bot}> {'' if gone else texts[1]}")  # whatever is left of the mention, these are the words
    if said is None or not any(map(heard, texts)):
        return None
    addressed = is_direct(event["channel"]) or any(f"<@{bot}" in text for text in texts)
    return replace(said, addressed=addressed), "deleted" if gone else f"changed {edited}"


def _is_old(ts: str) -> bool:
    """Return whether a message is so old that it is not known any more whether it was taken."""
    return float(ts) < time() - EVENT_LIFETIME.total_seconds() + 3600.0


def brings_no_words(body: Payload, heard: Heard) -> bool:
    """Return whether a message has files or pictures alone."""
    return heard.input == Said("") and bool(body["event"].get("files"))


def heard_press(body: Payload, shown: ShownMessages) -> Heard | None:
    """Return a pressed button, or an entry chosen from a menu; None if the message is none of ours."""
    action, team = body["actions"][0], team_of(body)
    asked = _asked(action.get("block_id", ""), team)
    if asked is None:
        return None
    answers = _answers(body, action, asked, shown)
    if not answers:
        return None
    event = f"{team}:{body['user']['id']}:{body.get('trigger_id') or action.get('action_ts')}"
    return _acted(body, asked, Pressed(answers[0], asked.turn, tuple(answers[1:])), event)


def heard_form(body: Payload, values: dict[str, str], turn: int | None = None) -> Heard | None:
    """Return a form that was sent; `turn` is the question's number if it has changed since the form was opened.

    Once it has, the form itself is the question that stands, and the button that opened it says nothing more.
    """
    view = body["view"]
    where, answer = opened_by(view["private_metadata"])
    asked = _asked(where, team_of(body))
    if asked is None:
        return None
    number = asked.turn if turn is None else turn
    event = f"{team_of(body)}:{view['id']}:{body.get('trigger_id') or number}"
    return _acted(body, asked, Filled(values, number, answer if turn is None else ""), event)


def asked_by(body: Payload) -> QuestionRef | None:
    """Return which question a button belongs to; None if the message is none of ours."""
    return _asked(body["actions"][0].get("block_id", ""), team_of(body))


def card_of(body: Payload, shown: ShownMessages) -> Card | None:
    """Return the card that is used, as it was posted."""
    block = body["actions"][0] if "actions" in body else body
    asked = _asked(block.get("block_id", ""), team_of(body))
    if asked is None:
        return None
    at = pressed_in(body)
    # A post whose reply was lost may stand there twice, and one of the two is not known.
    message = shown.message(at.channel, at.id) or shown.question_at(at.channel, asked.key, asked.turn)
    cards = message.reply.cards if message else ()
    return cards[asked.card] if asked.card < len(cards) else None


def place_in(body: Payload) -> MessagePlace:
    """Return where a person acted; the channel is empty in a modal and in the Home tab."""
    container, message, event = (body.get(part) or {} for part in ("container", "message", "event"))
    named = body.get("channel_id") or (body.get("channel") or {}).get("id") or event.get("channel")
    thread = message.get("thread_ts") or container.get("thread_ts") or event.get("thread_ts")
    respond = body.get("response_url") or ""
    return MessagePlace(team_of(body), container.get("channel_id") or named or "", thread or "", respond)


def pressed_in(body: Payload) -> Posted:
    """Return the message that was pressed in; what is pressed elsewhere, as in a modal, has no id."""
    return Posted(place_in(body).channel, str((body.get("container") or {}).get("message_ts", "")))


def team_of(body: Payload) -> str:
    """Return the id of the workspace through which this comes, empty if it names none.

    In channels that are shared with other companies, `team_id` may be that of the author; Bolt knows which is which.
    """
    return extract_team_id(dict(body)) or ""


def actor_of(body: Payload) -> User:
    """Return who acted, by the name that came along, if any."""
    user = body.get("user") or {}
    return User(f"slack:{extract_user_id(dict(body))}", str(body.get("user_name") or user.get("name") or ""))


def is_direct(channel: str) -> bool:
    """Return whether a channel is a direct message to the bot."""
    return channel.startswith("D")


def _acted(body: Payload, asked: QuestionRef, given: Input, event: str) -> Heard:
    return Heard(
        asked.key, actor_of(body), given, event, shared=not is_direct(asked.key.channel), place=_aside(body, asked.key)
    )


def _aside(body: Payload, key: ThreadKey) -> MessagePlace | None:
    """Return where a button is that is not in its question's own thread: below a result that was sent privately."""
    at = place_in(body)
    if at.channel in ("", key.channel):
        return None
    return MessagePlace(key.team, at.channel, at.thread or pressed_in(body).id)


def _asked(text: str, team: str) -> QuestionRef | None:
    try:
        asked = asked_from(text)
    except ValueError:
        return None
    if (asked.key.platform, asked.key.team) == ("slack", team):
        return asked
    log.warning("refused what came from workspace %s: it names a thread of %s", team, asked.key.team)
    return None


def _answers(body: Payload, action: Payload, asked: QuestionRef, shown: ShownMessages) -> tuple[str, ...]:
    """Return what was answered: the value of a button, or the entries that were chosen from a menu."""
    if action["action_id"].startswith(PRESS) and action.get("value"):
        return (str(action["value"]),)
    chosen = [action.get("selected_option")]
    if action["action_id"].startswith(TAKE):
        blocks = body.get("state", {}).get("values", {})
        states = [state for block in blocks.values() for id, state in block.items() if id == f"{CHOOSE}:{asked.card}"]
        chosen = [option for state in states for option in state.get("selected_options") or []]
    values = [str(option["value"]) for option in chosen if option]
    card = card_of(body, shown)
    known = answers_of(card.options, values) if isinstance(card, Buttons | Choice) and values else ()
    return known or tuple(values)  # a message that is only just posted may not be known here yet


def _key(shown: ShownMessages, team: str, channel: str, thread: str) -> ThreadKey:
    """Return the thread that is talked in: under a result that was sent privately, that is the one it came from."""
    root = shown.message(channel, thread)
    return root.key if root and root.key.team == team else ThreadKey("slack", team, channel, thread)
