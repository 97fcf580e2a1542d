"""Where connections.toml is."""

from pathlib import Path

from bot.settings import Settings

CONNECTIONS_FILE = Path("connections.toml")


def connections_file(settings: Settings) -> Path | None:
    """Return the file that names the databases; None where the sample is asked, or a jobs API is."""
    if settings.base_url:
        return None
    return settings.connections or (CONNECTIONS_FILE if CONNECTIONS_FILE.exists() else None)
