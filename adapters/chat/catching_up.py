"""What a turn saved and did not come to show, as after a kill between saving and posting."""

import asyncio
import logging
from dataclasses import replace

from adapters.chat.delivery import Delivery
from adapters.chat.surface import Place
from adapters.turns import Turns
from router.memory import Stage
from router.turn import Opened

log = logging.getLogger("icc_bot")


async def catch_up(delivery: Delivery, turns: Turns) -> None:
    """Show the question that stands where it was not shown; what is there already is left or drawn anew."""
    incoming, surface, shown = delivery.incoming, delivery.outlet.surface, delivery.outlet.shown
    key = incoming.key
    memory = await asyncio.to_thread(delivery.outlet.router.memory, key)
    if memory is None or memory.turn <= shown.last_turn(key):
        delivery.answered = True
        return
    owner = memory.owner or incoming.user
    for place in (delivery.place, Place(key.team, surface.home(owner.id))):
        if found := await surface.find(place, f"{key}:{memory.turn}"):
            log.info("message %s of %s was there already", found.id, key)
            if memory.stage == Stage.DONE or place != delivery.place:
                delivery.answered = True
                return
            delivery.progress = found  # it is drawn anew in its place, and noted
    await turns.handle(replace(incoming, input=Opened(), event=""), delivery)
