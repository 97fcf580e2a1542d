"""The beginning of a talk: the greeting of a conversation, and the answer to `home` in a person's own chat.

`home` says what one may ask about, and what one asked last. It takes the place of a tab: a tab is a web page, which
knows who looks at it only by single sign-on, and Teams draws no tabs of cards any more. In a chat, Teams itself says
who the person is.
"""

import asyncio
import logging
from collections.abc import Sequence

from adapters.chat.admission import TurnedAway, identify, send_privately
from adapters.chat.conversation_service import ConversationService
from adapters.chat.surface import Heard
from adapters.teams.conversations import reference_of
from adapters.teams.dialogs import CARD
from adapters.teams.drawing import Element, adaptive
from adapters.teams.failures import Undone
from adapters.teams.feedback import find_rater
from adapters.teams.inbound import is_shared
from adapters.teams.json_fields import Json
from adapters.teams.message import draw_suggestions
from adapters.teams.surface import TeamsSurface
from adapters.teams.text_elements import block, draw_heading, run
from router.language.wording import truncate
from router.memory.draft import User
from router.policy import example_questions, no_database, readable_connections
from router.services import Services
from router.turn import Said

log = logging.getLogger("icc_bot")

HOME = "home"
HEADING = "What would you like to know?"
EXAMPLES_MAX = 4
ASKED_MAX = 3
BUTTON_MAX_CHARS = 60
ASK_HINT = "Ask in your own words. I show you the SQL first, and nothing runs until you press Run."
MENTION_HINT = "Mention me with your question."
HOME_COMMANDS = ("schedules", "glossary", "help")
"""Commands with a button of their own."""


async def greet(service: ConversationService, surface: TeamsSurface, activity: Json) -> None:
    """Post the first message of a conversation; in a person's own chat, with questions to begin with."""
    questions: tuple[str, ...] = ()
    words = f"Hi! {HEADING} {MENTION_HINT if is_shared(activity) else ''} {ASK_HINT}"
    message: Json = {"type": "message", "text": " ".join(words.split()), "textFormat": "markdown"}
    if not is_shared(activity):
        if user := await find_rater(surface, activity):  # else it is not certain who they are
            questions = example_questions(service.services.connections, user)
        message |= draw_suggestions(questions)
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
    databases = ", ".join(each.label for each in readable_connections(services.connections, user))
    questions = [*dict.fromkeys((*example_questions(services.connections, user)[:EXAMPLES_MAX], *asked))]
    about = f"You can ask about: {databases}" if databases else no_database(user)
    rows = [[_writes(each)] for each in questions]
    return adaptive(
        [
            draw_heading(HEADING),
            block(run(ASK_HINT)),
            block(run(about)),
            *(
                {"type": "ActionSet", "actions": actions}
                for actions in (*rows, [_writes(each) for each in HOME_COMMANDS])
            ),
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
        await send_privately(surface, heard.at, heard.user, str(why))
        return
    past = await asyncio.to_thread(service.services.feedback.asked, user.id, ASKED_MAX)
    card = home_card(user, service.services, [each.question for each in past])
    attached = [{"contentType": CARD, "content": card}]
    await _post(surface, activity, {"type": "message", "summary": HEADING, "attachments": attached})
