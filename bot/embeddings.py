"""The model that makes vectors of questions, where one is named."""

from functools import cache

from bot.ollama_server import OLLAMA, client_options
from bot.settings import Settings
from router.knowledge.vectors import Embed

TIMEOUT = 30.0
"""Seconds for one request; a question waits less, see `router.knowledge.vectors`."""


def embedder(settings: Settings) -> Embed | None:
    """Return what makes vectors, None where no model is named; its library is loaded at the first call."""
    name = settings.embedding_model
    if not name:
        return None

    @cache
    def made() -> Embed:
        if name.startswith("openai:"):
            from langchain_openai import OpenAIEmbeddings

            return OpenAIEmbeddings(
                model=name.removeprefix("openai:"),
                base_url=None if settings.model_base_url is None else str(settings.model_base_url),
                api_key=settings.model_api_key or (lambda: "none"),
                check_embedding_ctx_length=False,  # other servers take texts, not OpenAI's tokens
                timeout=TIMEOUT,
                max_retries=0,
            ).embed_documents
        from langchain_ollama import OllamaEmbeddings

        url = OLLAMA if settings.ollama_base_url is None else str(settings.ollama_base_url)
        return OllamaEmbeddings(model=name, base_url=url, client_kwargs=client_options(url, TIMEOUT)).embed_documents

    return lambda texts: made()(texts)
