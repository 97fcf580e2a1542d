"""The addresses beside the page itself: its style and script, its health, and the files of one's talks."""

import asyncio
from pathlib import Path
from urllib.parse import quote

from nicegui import app
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response

from adapters.web.talks import Talks
from router.cards import File, Text
from router.memory import User

HERE = Path(__file__).parent


def add_routes(talks: Talks) -> None:
    """Serve the style and the script, /health, and each file to the person who was shown it and may still have it."""
    log, router = talks.log, talks.turns.router
    for name in ("page.css", "page.js"):
        app.add_static_file(local_file=HERE / name, url_path=f"/page/{name}", max_cache_age=0)

    @app.get("/health")
    def health() -> Response:
        return JSONResponse({"status": "ok"})

    @app.get("/files/{thread}/{number}/{index}")
    async def file(request: Request, thread: str, number: int, index: int) -> Response:
        user: User = request.scope["user"]
        mine = log.thread(thread, user.id)
        entry = log.entry(thread, number) if mine else None
        card = entry.reply.cards[index] if entry and 0 <= index < len(entry.reply.cards) else None
        if not isinstance(card, File):
            return PlainTextResponse("There is no such file in your conversations.", 404)
        allowed = await asyncio.to_thread(router.past.redraw, user, card)
        if isinstance(allowed, Text):
            return PlainTextResponse(allowed.body, 403)
        if not card.path.is_file():
            return PlainTextResponse("This file was cleared away. Ask for it again in the conversation.", 404)
        named = {"Content-Disposition": f"attachment; filename*=utf-8''{quote(card.name)}"}
        return FileResponse(card.path, media_type=card.mime, headers=named)
