"""One browser and one gallery for all tests of this folder, which holds no async tests: Playwright has its own loop."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.adapters.web.browsing import Address, alive, chromium, context_of, gallery


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A busy machine may starve a browser for seconds: what fails here is tried twice more, what is wrong stays so."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.flaky(reruns=2))


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="package")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("gallery")


@pytest.fixture(scope="package")
def address(folder: Path) -> Iterator[Address]:
    with gallery(folder) as (address, _):
        yield address


@pytest.fixture(scope="package")
def context(browser: Browser, address: Address) -> Iterator[BrowserContext]:
    """A browser that has been at the gallery before, so that it need not fetch everything again."""
    context = context_of(browser)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext, address: Address) -> Iterator[Page]:
    """A tab on the gallery's empty page."""
    page = alive(context, address)
    yield page
    for tab in context.pages:
        tab.close()
