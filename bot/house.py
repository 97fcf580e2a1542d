"""What the pages of the app say of this bot, as its settings have it."""

from adapters.teams.pages import House
from bot.providers import find
from bot.settings import Settings
from router.humans import Reach
from router.jobs.feedback import UNRATED

CLOUD = "cloud"
"""How the names of those models of Ollama end that run at Ollama's own company."""


def house_of(settings: Settings) -> House:
    """Return what the pages of this bot say."""
    return House(
        contact=settings.teams_contact.strip(),
        company=_company(settings),
        days=settings.result_days,
        unrated=UNRATED.days,
        prompts=settings.prompt_logging,
        helped=settings.reach != Reach(),
    )


def _company(settings: Settings) -> str:
    """Return whose service the model is that writes SQL; empty where whoever runs the bot chose its server."""
    named = settings.sql_model or ""
    if provider := find(named):
        return "" if settings.model_base_url else provider.label
    return "Ollama" if named.endswith(CLOUD) else ""
