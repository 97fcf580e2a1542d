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
from adapters.rendering.controls import QuestionRef, asked_from, asks_in, lasts
from adapters.teams.controls import FILL, LOOK, STOP, answers_in, asked_in, option_in
from adapters.teams.forms import picked_in, values_in
from adapters.teams.json_fields import text
from adapters.teams.quotes import quoted_ids, quotes, unquoted
from router.cards import Choice, Form, Option, Reply
from router.interactions.result_buttons import is_lasting_press
from router.memory.draft import User
from router.memory.recurrence import zone_known
from router.memory.thread import ThreadKey
from router.turn import Filled, Input, Pressed, QuotedCard, Said

Activity = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Click:
    """A click: what was pressed, the message that it was pressed in, and where that one stands.

    The message may be known under another id than it was pressed under: Teams can take one without an answer.
    """

    heard: Heard
    message: ShownMessage
    at: Posted


HEARD_MAX_CHARS = 250_000
"""Characters of a message that are looked at: the router takes fewer, and Teams sends far fewer."""

MENTIONS_MAX = 10
"""The number of ways of mentioning the bot that are looked for in one message."""

MENTION = re.compile(r"<at[^<>]*+>([^<]*+)</at>")

REPEATED_CLICK_SECONDS = 60.0
"""Seconds within which the same click is the same click, whatever Teams calls it."""


def key_of(activity: Activity) -> ThreadKey:
    """Return the thread: a thread of a channel, a person's chat, or each person's part of a group chat."""
    conversation = activity["conversation"]
    id, kind = conversation["id"], text(conversation, "conversationType")
    thread = f"{id}#{user_of(activity).id}" if kind == "groupChat" else id
    return ThreadKey("teams", tenant_of(activity), id.partition(";")[0], thread)


def user_of(activity: Activity) -> User:
    """Return who acts, by the id that their company's directory has for them."""
    who = activity["from"]
    zone = zone_known(text(activity, "localTimezone"))
    return User(f"teams:{text(who, 'aadObjectId') or text(who, 'id')}", text(who, "name"), zone=zone)


def tenant_of(activity: Activity) -> str:
    """Return the company that the conversation belongs to."""
    return text(activity["conversation"], "tenantId") or text(activity["channelData"].get("tenant"), "id")


def is_shared(activity: Activity) -> bool:
    """Tell whether others can read the conversation."""
    return text(activity["conversation"], "conversationType") != "personal"


def heard_message(activity: Activity, shown: ShownMessages | None = None) -> Heard:
    """Return what a message says; Teams gives a bot only what mentions it, or is written to it alone.

    Where it quotes a card that was `shown`, it is said in that card's thread, and about it.
    """
    event = f"{activity['conversation']['id']}:{activity.get('id', '')}"
    heard = Heard(key_of(activity), user_of(activity), Said(_words(activity)), event, shared=is_shared(activity))
    if shown is None or not quotes(activity):
        return heard
    base, tenant = activity["conversation"]["id"].partition(";")[0], tenant_of(activity)
    held = (shown.message(base, id) for id in reversed(quoted_ids(activity)))
    cards = (each for each in held if each and each.key.team == tenant and asks_in(each.reply))
    if (card := next(cards, None)) is None:
        return replace(heard, quoted=QuotedCard())
    quoted = QuotedCard(result=rated_in(card.reply)) if lasts(card.reply) else QuotedCard(card.turn)
    shared = card.key.channel != base or heard.shared
    return replace(heard, key=card.key, shared=shared, place=_aside(activity, card.key), quoted=quoted)


def _aside(activity: Activity, key: ThreadKey) -> MessagePlace | None:
    """Return where a card stands that is not in its question's own channel, as below a private result."""
    conversation = activity["conversation"]["id"]
    base = conversation.partition(";")[0]
    return None if base == key.channel else MessagePlace(key.team, base, conversation)


def heard_click(activity: Activity, data: Mapping[str, Any], shown: ShownMessages) -> Click | None:
    """Return a pressed button, a chosen entry or a filled form; None where the card is none of ours."""
    try:
        verb, asked = asked_in(data)
    except ValueError:
        return None
    base, card = activity["conversation"]["id"].partition(";")[0], message_of(activity, data)
    message = shown.message(base, card) or shown.question_at(base, asked.key, asked.turn)
    if message is None or message.key != asked.key:
        return None
    if asked.key.platform != "teams" or asked.key.team != tenant_of(activity) or verb in (STOP, LOOK):
        return None
    given: Input
    stale = message.reply.turn != asked.turn  # drawn anew since: the core says that it belongs to an earlier step
    if verb == FILL:
        form, answer = form_in(message.reply, asked, data)
        if not (stale or form):
            return None
        given = Filled(values_in(form, asked.card, data) if form else {}, asked.turn, answer)
    else:
        answers = answers_in(message.reply, data) or ("",)[: int(stale)]
        if not answers:
            return None
        given = Pressed(answers[0], asked.turn, answers[1:])
    user = user_of(activity)
    # A click that is sent again may come under another id and with another time, and after its message became another
    # one: it is known by what it brings. What was typed is not in its name.
    brought = sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]
    event = f"{card}:{asked.turn}:{asked.card}:{brought}:{user.id}"
    if is_lasting_press(given):
        # It may be pressed again once the talk went on; where that drew it anew, the button has another number.
        event = f"{event}:{asked.turn if stale else shown.last_turn(asked.key)}"
    shared = asked.key.channel != base or is_shared(activity)
    heard = Heard(asked.key, user, given, event, shared=shared, place=_aside(activity, asked.key))
    return Click(heard, message, Posted(base, card))


def opened_in(activity: Activity, data: Mapping[str, Any], shown: ShownMessages) -> tuple[ShownMessage, Option] | None:
    """Return the button that asks for a dialog, and its message; None where the card is none of ours."""
    message = shown_in(activity, data, shown)
    option = option_in(message.reply, data) if message else None
    return (message, option) if message and option else None


def shown_in(activity: Activity, data: Mapping[str, Any], shown: ShownMessages) -> ShownMessage | None:
    """Return the message of a card with this data; None where it is none of this conversation."""
    try:
        _, asked = asked_in(data)
    except ValueError:
        return None
    base = activity["conversation"]["id"].partition(";")[0]
    message = shown.message(base, message_of(activity, data)) or shown.question_at(base, asked.key, asked.turn)
    if message is None or message.key != asked.key:
        return None
    return message if asked.key.platform == "teams" and asked.key.team == tenant_of(activity) else None


def message_of(activity: Activity, data: Mapping[str, Any]) -> str:
    """Return the id of the message that was pressed in; what a dialog sends says which one opened it."""
    return text(data, "m") or text(activity, "replyToId")


def form_in(reply: Reply, asked: QuestionRef, data: Mapping[str, Any]) -> tuple[Form | None, str]:
    """Return the form that was sent, and the answer of the button that opened it, where one did."""
    if "a" in data:
        option = option_in(reply, data)
        return (option.form, option.answer) if option else (None, "")
    card = reply.cards[asked.card] if 0 <= asked.card < len(reply.cards) else None
    return (card, "") if isinstance(card, Form) else (None, "")


def picked_people(data: Mapping[str, Any], message: ShownMessage) -> dict[str, tuple[str, ...]]:
    """Return the people that were picked in a form, by the names of its fields: ids of the company's directory."""
    verb, asked = asked_in(data)
    form, _ = form_in(message.reply, asked, data) if verb == FILL else (None, "")
    return picked_in(form, asked.card, data) if form else {}


def menu_in(dataset: str, activity: Activity, shown: ShownMessages) -> Choice | None:
    """Return the menu that somebody types into, where it stands in this conversation; None for any other."""
    try:
        asked = asked_from(dataset)
    except ValueError:
        return None
    if asked.key.platform != "teams" or asked.key.team != tenant_of(activity):
        return None
    question = shown.question_at(activity["conversation"]["id"].partition(";")[0], asked.key, asked.turn)
    cards = question.reply.cards if question else ()
    card = cards[asked.card] if 0 <= asked.card < len(cards) else None
    return card if isinstance(card, Choice) else None


def _words(activity: Activity) -> str:
    """Return the words of a message without what it quotes, and without the bot's own mention, known by its id."""
    said = unquoted(activity, text(activity, "text")[:HEARD_MAX_CHARS])
    bot = text(activity["recipient"], "id")
    mentions = [each for each in activity.get("entities", []) if each.get("type") == "mention"]
    own = {text(each, "text") for each in mentions if text(each.get("mentioned"), "id") == bot} - {""}
    for mention in sorted(own, key=len, reverse=True)[:MENTIONS_MAX]:
        said = re.sub(re.escape(mention) + AFTER_A_NAME, " ", said)
    said = MENTION.sub(r"@\1", said)
    return html.unescape(said).replace("\xa0", " ").strip()
