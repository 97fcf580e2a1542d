"""Activities as inputs of the router; what is not for the bot is None."""

import html
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from adapters.chat.admission import AFTER_A_NAME
from adapters.chat.shown_messages import ShownMessage, ShownMessages
from adapters.chat.surface import Heard, MessagePlace, Posted, rated_in
from adapters.rendering.controls import QuestionRef, asked_from, asks_in, is_lasting
from adapters.teams.controls import FILL, STOP, answers_in, asked_in, option_in
from adapters.teams.forms import values_in
from adapters.teams.json_fields import text
from adapters.teams.quotes import quoted_ids, quotes, unquoted
from router.cards import Choice, Form, Reply
from router.interactions.result_buttons import is_lasting_press
from router.memory.draft import User
from router.memory.recurrence import zone_known
from router.memory.thread import ThreadKey
from router.turn import Filled, Input, Pressed, QuotedCard, Said

Activity = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Click:
    """A click, the message that it was pressed in, and where that one stands.

    The message may be known under another id than it was pressed under: Teams can take one without an answer.
    """

    heard: Heard
    message: ShownMessage
    at: Posted


MENTIONS_MAX = 10
"""The number of ways of mentioning the bot that are looked for in one message."""

MENTION = re.compile(r"<at[^<>]*+>([^<]*+)</at>")


def key_of(activity: Activity) -> ThreadKey:
    """Return the thread: a thread of a channel, a person's chat, or each person's part of a group chat."""
    conversation = activity["conversation"]
    id, kind = conversation["id"], text(conversation, "conversationType")
    thread = f"{id}#{user_of(activity).id}" if kind == "groupChat" else id
    return ThreadKey("teams", tenant_of(activity), channel_of(activity), thread)


def place_of(activity: Activity) -> MessagePlace:
    """Return where an answer to an activity goes."""
    key = key_of(activity)
    return MessagePlace(key.team, key.channel, key.thread)


def channel_of(activity: Activity) -> str:
    """Return the chat, or the channel of a thread."""
    id: str = activity["conversation"]["id"]
    return id.partition(";")[0]


def user_of(activity: Activity) -> User:
    """Return who acts, by the id that their company's directory has for them."""
    who = activity["from"]
    zone = zone_known(text(activity, "localTimezone"))
    return User(f"teams:{text(who, 'aadObjectId') or text(who, 'id')}", text(who, "name"), zone=zone)


def tenant_of(activity: Activity) -> str:
    """Return the company that the conversation belongs to."""
    return text(activity["conversation"], "tenantId") or text(activity["channelData"].get("tenant"), "id")


def is_shared(activity: Activity) -> bool:
    """Return whether others can read the conversation."""
    return text(activity["conversation"], "conversationType") != "personal"


def heard_message(activity: Activity, shown: ShownMessages | None = None) -> Heard:
    """Return what a message says; Teams gives a bot only what mentions it, or is written to it alone.

    If it quotes a card that was `shown`, it is said in that card's thread, and about it.
    """
    event = f"{activity['conversation']['id']}:{activity.get('id', '')}"
    heard = Heard(key_of(activity), user_of(activity), Said(_words(activity)), event, shared=is_shared(activity))
    if shown is None or not quotes(activity):
        return heard
    base = channel_of(activity)
    held = (shown.message(base, id) for id in reversed(quoted_ids(activity)))
    cards = (each for each in held if each and each.key.team == heard.key.team and asks_in(each.reply))
    if (card := next(cards, None)) is None:
        return replace(heard, quoted=QuotedCard())
    quoted = QuotedCard(result=rated_in(card.reply)) if is_lasting(card.reply) else QuotedCard(card.turn)
    return replace(_in_thread(heard, card.key, activity), quoted=quoted)


def _in_thread(heard: Heard, key: ThreadKey, activity: Activity) -> Heard:
    """Return an input as one of a card's thread; the card may stand elsewhere, as below a private result."""
    aside = key.channel != channel_of(activity)
    place = MessagePlace(key.team, channel_of(activity), activity["conversation"]["id"]) if aside else None
    return replace(heard, key=key, shared=aside or heard.shared, place=place)


def is_ours(asked: QuestionRef, activity: Activity) -> bool:
    """Return whether a card's data names a talk of the company that the conversation belongs to."""
    return asked.key.platform == "teams" and asked.key.team == tenant_of(activity)


def find_shown(activity: Activity, data: Mapping[str, Any], shown: ShownMessages) -> ShownMessage | None:
    """Return the message of a card with this data; None if it is none of this conversation."""
    try:
        _, asked = asked_in(data)
    except ValueError:
        return None
    base = channel_of(activity)
    message = shown.message(base, message_of(activity, data)) or shown.question_at(base, asked.key, asked.turn)
    return message if message and message.key == asked.key and is_ours(asked, activity) else None


def heard_click(activity: Activity, data: Mapping[str, Any], shown: ShownMessages) -> Click | None:
    """Return a pressed button, a chosen entry or a filled form; None if the card is none of ours."""
    message = find_shown(activity, data, shown)
    if message is None:
        return None
    verb, asked = asked_in(data)
    stale = message.reply.turn != asked.turn  # drawn again since: the core says that it belongs to an earlier step
    given: Input
    if verb == FILL:
        form, answer = form_in(message.reply, data)
        if not (stale or form):
            return None
        given = Filled(values_in(form, asked.card, data) if form else {}, asked.turn, answer)
    else:
        answers = answers_in(message.reply, data) or ("",)[: int(stale)]
        if not answers or verb == STOP:
            return None
        given = Pressed(answers[0], asked.turn, answers[1:])
    user = user_of(activity)
    # A click that is sent again may come under another id and with another time, and after its message became another
    # one: it is known by what it brings. What was typed is not in its name.
    brought = sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]
    event = f"{message_of(activity, data)}:{asked.turn}:{asked.card}:{brought}:{user.id}"
    if is_lasting_press(given):
        # It may be pressed again once the talk went on; if that drew it again, the button has another number.
        event = f"{event}:{asked.turn if stale else shown.last_turn(asked.key)}"
    heard = Heard(asked.key, user, given, event, shared=is_shared(activity))
    at = Posted(channel_of(activity), message_of(activity, data))
    return Click(_in_thread(heard, asked.key, activity), message, at)


def message_of(activity: Activity, data: Mapping[str, Any]) -> str:
    """Return the id of the message that was pressed in; what a dialog sends says which one opened it."""
    return text(data, "m") or text(activity, "replyToId")


def form_in(reply: Reply, data: Mapping[str, Any]) -> tuple[Form | None, str]:
    """Return the form that was sent, and the answer of the button that opened it, if one did."""
    if "a" in data:
        option = option_in(reply, data)
        return (option.form, option.answer) if option else (None, "")
    number = asked_in(data)[1].card
    card = reply.cards[number] if 0 <= number < len(reply.cards) else None
    return (card, "") if isinstance(card, Form) else (None, "")


def menu_in(dataset: str, activity: Activity, shown: ShownMessages) -> Choice | None:
    """Return the menu that somebody types into, if it stands in this conversation; None for any other."""
    try:
        asked = asked_from(dataset)
    except ValueError:
        return None
    question = shown.question_at(channel_of(activity), asked.key, asked.turn) if is_ours(asked, activity) else None
    cards = question.reply.cards if question else ()
    card = cards[asked.card] if 0 <= asked.card < len(cards) else None
    return card if isinstance(card, Choice) else None


def _words(activity: Activity) -> str:
    """Return the words of a message without what it quotes, and without the bot's own mention, known by its id."""
    said, bot = unquoted(activity), text(activity["recipient"], "id")
    mentions = [each for each in activity.get("entities", []) if each.get("type") == "mention"]
    own = {text(each, "text") for each in mentions if text(each.get("mentioned"), "id") == bot} - {""}
    for mention in sorted(own, key=len, reverse=True)[:MENTIONS_MAX]:
        said = re.sub(re.escape(mention) + AFTER_A_NAME, " ", said)
    said = MENTION.sub(r"@\1", said)
    return html.unescape(said).replace("\xa0", " ").strip()
