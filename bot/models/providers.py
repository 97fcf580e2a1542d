"""Chat models that are not on this machine: one row each, imported only when used."""

import importlib
import importlib.util
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import SecretStr

from router.errors import AgentAway, SettingsError
from router.llm.prompt_log import redact

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider: its name in settings and for people, LangChain's package and class, and the class's own words."""

    name: str
    label: str
    package: str
    kind: str
    model: str = "model"
    url: str = "base_url"
    key: str = "api_key"
    patient: bool = True
    """Return whether the class takes `timeout` and `max_retries`."""


PROVIDERS = {
    row.name: row
    for row in (
        Provider("openai", "OpenAI", "langchain-openai", "ChatOpenAI"),
        Provider(
            "azure_openai",
            "Azure",
            "langchain-openai",
            "AzureChatOpenAI",
            model="azure_deployment",
            url="azure_endpoint",
        ),
        Provider("anthropic", "Anthropic", "langchain-anthropic", "ChatAnthropic"),
        Provider("mistralai", "Mistral", "langchain-mistralai", "ChatMistralAI", url="endpoint"),
        Provider("google_genai", "Google", "langchain-google-genai", "ChatGoogleGenerativeAI"),
        Provider("groq", "Groq", "langchain-groq", "ChatGroq"),
        Provider("bedrock", "Bedrock", "langchain-aws", "ChatBedrockConverse", url="endpoint_url", patient=False),
    )
}


def find(name: str) -> Provider | None:
    """Return the provider of "openai:gpt-4.1"; None for a name of Ollama's, which may have a colon too."""
    prefix, colon, model = name.partition(":")
    return PROVIDERS.get(prefix) if colon and model else None


def require(provider: Provider, setting: str) -> None:
    """Raise SettingsError if the provider's package is not installed."""
    if importlib.util.find_spec(provider.package.replace("-", "_")) is None:
        raise SettingsError([f"{setting} names a model of {provider.label}: pip install {provider.package}."])


def chat(
    provider: Provider, model: str, base_url: str | None, api_key: SecretStr | None, answer_tokens: int, timeout: float
) -> "BaseChatModel":
    """Build the chat model; raises AgentAway if the class wants something that is missing, such as a key."""
    options: dict[str, Any] = {provider.model: model, "temperature": 0.1, "max_tokens": answer_tokens}
    if provider.patient:
        options |= {"timeout": timeout, "max_retries": 0}  # `Llm` asks again, and tells the person
    if base_url:
        options[provider.url] = base_url
        api_key = api_key or SecretStr("none")  # servers of one's own want none, but the clients do
    if api_key:
        options[provider.key] = api_key
    try:
        kind = getattr(importlib.import_module(provider.package.replace("-", "_")), provider.kind)
        built: BaseChatModel = kind(**options)
    except Exception as error:
        reason = redact(str(error).strip().partition("\n")[0])
        raise AgentAway(
            f"{model} at {provider.label} cannot be used: {reason} See MODEL_API_KEY and MODEL_BASE_URL."
        ) from error
    return built
