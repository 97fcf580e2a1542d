"""The addresses beside the page itself: its style and script, its health, and the files of one's talks."""

from pathlib import Path
from urllib.parse import quote

from nicegui import app
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response

from adapters.web.log import Log
from router.cards import File

HERE = Path(__file__).parent


def add_routes(log: Log) -> None:
    """Serve the style and the script, /health, and each file that the bot showed to the person who was shown it."""
    for name in ("page.css", "page.js"):
        app.add_static_file(local_file=HERE / name, url_path=f"/page/{name}", max_cache_age=0)

    @app.get("/health")
    def health() -> Response:
        return JSONResponse({"status": "ok"})

    @app.get("/files/{thread}/{number}/{index}")
    async def file(request: Request, thread: str, number: int, index: int) -> Response:
        mine = log.thread(thread, request.scope["user"].id)
        entry = log.entry(thread, number) if mine else None
        card = entry.reply.cards[index] if entry and 0 <= index < len(entry.reply.cards) else None
        if not isinstance(card, File):
            return PlainTextResponse("There is no such file in your conversations.", 404)
        if not card.path.is_file():
            return PlainTextResponse("This file was cleared away. Ask for it again in the conversation.", 404)
        named = {"Content-Disposition": f"attachment; filename*=utf-8''{quote(card.name)}"}
        return FileResponse(card.path, media_type=card.mime, headers=named)
