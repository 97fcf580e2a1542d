"""How people begin: the greeting of a conversation, and the answer to `home` in a person's own chat.

`home` says what one may ask about, and what one asked last. It takes the place of a tab: a tab is a web page, which
knows who looks at it only by single sign-on, and Teams draws no tabs of cards any more. In a chat, Teams itself says
who the person is.
"""

import asyncio
import logging
from collections.abc import Sequence

from adapters.chat.admission import TurnedAway, identify, tell
from adapters.chat.conversation_service import ConversationService
from adapters.chat.surface import Heard
from adapters.teams.conversations import reference_of
from adapters.teams.dialogs import CARD
from adapters.teams.drawing import Element, adaptive
from adapters.teams.failures import Undone
from adapters.teams.feedback import known
from adapters.teams.inbound import is_shared
from adapters.teams.json_fields import Json
from adapters.teams.message import suggested
from adapters.teams.surface import TeamsSurface
from adapters.teams.text_elements import block, bold, run
from router.language.wording import truncate
from router.memory.draft import User
from router.policy import examples, no_database, readable
from router.services import Services
from router.turn import Said

log = logging.getLogger("icc_bot")

HOME = "home"
HEADING = "What would you like to know?"
EXAMPLES_MAX = 4
ASKED_MAX = 3
BUTTON_MAX_CHARS = 60
BEGIN = "Ask in your own words. I show you the SQL first, and nothing runs until you press Run."
AMONG_OTHERS = "Mention me with your question."
LISTS = ("schedules", "glossary", "help")
"""Commands with a button of their own."""


async def greet(service: ConversationService, surface: TeamsSurface, activity: Json) -> None:
    """Post the first message of a conversation; in a person's own chat, with questions to begin with."""
    questions: tuple[str, ...] = ()
    words = f"Hi! {HEADING} {AMONG_OTHERS if is_shared(activity) else ''} {BEGIN}"
    message: Json = {"type": "message", "text": " ".join(words.split()), "textFormat": "markdown"}
    if not is_shared(activity):
        if user := await known(surface, activity):  # else it is not certain who they are
            questions = examples(service.services.connections, user)
        message |= suggested(questions)
    await _post(surface, activity, message)


async def _post(surface: TeamsSurface, activity: Json, message: Json) -> None:
    try:
        await surface.connector.send(reference_of(activity), message)
    except Undone as error:
        log.warning("how to begin could not be shown: %s", error)


def is_home(heard: Heard) -> bool:
    """Return whether somebody asks for it, where nobody else reads."""
    return not heard.shared and isinstance(heard.input, Said) and heard.input.text.strip().casefold() == HOME


def home_card(user: User, services: Services, asked: Sequence[str]) -> Element:
    """Return the card of one person; each of its buttons writes what it says, as if the person typed it."""
    databases = ", ".join(each.label for each in readable(services.connections, user))
    questions = [*dict.fromkeys((*examples(services.connections, user)[:EXAMPLES_MAX], *asked))]
    about = f"You can ask about: {databases}" if databases else no_database(user)
    rows = [[_writes(each)] for each in questions]
    return adaptive(
        [
            bold(HEADING),
            block(run(BEGIN)),
            block(run(about)),
            *({"type": "ActionSet", "actions": actions} for actions in (*rows, [_writes(each) for each in LISTS])),
        ]
    )


def _writes(words: str) -> Element:
    data = {"msteams": {"type": "imBack", "value": words}}
    return {"type": "Action.Submit", "title": truncate(words, BUTTON_MAX_CHARS), "data": data}


async def show_home(service: ConversationService, surface: TeamsSurface, heard: Heard, activity: Json) -> None:
    """Post the card; strangers are told that they are not answered."""
    try:
        user = await identify(surface, heard.key.team, heard.user)
    except TurnedAway as why:
        await tell(surface, heard.at, heard.user, str(why))
        return
    past = await asyncio.to_thread(service.services.feedback.asked, user.id, ASKED_MAX)
    card = home_card(user, service.services, [each.question for each in past])
    attached = [{"contentType": CARD, "content": card}]
    await _post(surface, activity, {"type": "message", "summary": HEADING, "attachments": attached})
