"""The pages that people read about the project, and the blocks in them: one list for every test of them."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")))


def name_of(page: Path) -> str:
    """Return the page's path from the root of the project."""
    return page.relative_to(ROOT).as_posix()


def read(page: Path) -> str:
    """Return the page's text."""
    return page.read_text(encoding="utf-8")


def blocks(page: Path, language: str) -> list[str]:
    """Return the text of each fenced block in this language."""
    return re.findall(rf"^```{language}\n(.*?)^```", read(page), re.DOTALL | re.MULTILINE)


def prose(page: Path) -> str:
    """Return the page without its fenced blocks."""
    return re.sub(r"^```.*?^```", "", read(page), flags=re.DOTALL | re.MULTILINE)


def quoted(page: Path) -> list[str]:
    """Return what stands between single back-ticks outside of blocks."""
    return re.findall(r"`([^`\n]+)`", prose(page))
