"""The pages that the app's manifest names, as a browser gets them."""

import re

import pytest
from aiohttp import web

from adapters.public_pages import STYLE, SitePages, add_pages
from adapters.serving import LOOPBACK, listening_on
from adapters.teams.calls import session
from adapters.teams.pages import write_pages
from bot.commands.chat_platform import site_pages
from tests.support.bot_settings import settings_of

PATHS = ("/", "/privacy", "/terms")


async def test_what_a_browser_gets() -> None:
    """Each page is plain HTML that loads nothing, runs nothing and may not be framed."""
    site = web.Application()
    add_pages(site, write_pages(SitePages()))
    async with listening_on(site, 0, LOOPBACK) as port, session() as asking:
        for path in PATHS:
            async with asking.get(f"http://{LOOPBACK}:{port}{path}") as answer:
                text, headers = await answer.text(), answer.headers
                assert (200, "text/html; charset=utf-8") == (answer.status, headers["Content-Type"])
            assert "default-src 'none'" in headers["Content-Security-Policy"]
            assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
            assert ("nosniff", "no-referrer") == (headers["X-Content-Type-Options"], headers["Referrer-Policy"])
            assert "Set-Cookie" not in headers
            assert [] == re.findall(r"<script|<img|<link|<form|https?://|\son\w+=", text)
            assert f"<style>{STYLE}</style>" in text


@pytest.mark.parametrize(
    ("named", "url", "company"),
    [
        ("qwen2.5-coder:7b", "", ""),
        ("embedded", "", ""),
        ("openai:gpt-4.1", "", "OpenAI"),
        ("openai:local", "http://vllm.example:8000/v1", ""),
        ("anthropic:claude", "", "Anthropic"),
        ("gpt-oss:120b-cloud", "", "Ollama"),
    ],
)
def test_whose_the_model_is(named: str, url: str, company: str) -> None:
    """The page on privacy says that what a model is told stays, unless the settings name another company's model."""
    settings = settings_of({"SQL_MODEL_NAME": named, "MODEL_BASE_URL": url})
    text = write_pages(site_pages(settings, ""))["/privacy"]
    assert (f"a service of {company}" in text, "no other company's service is asked" in text) == (
        bool(company),
        not company,
    )
