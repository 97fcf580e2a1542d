"""The demo's mailbox, from a person's view, and e-mails that would do more than be read."""

import socket
from contextlib import suppress
from email.message import EmailMessage
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.adapters.web.browsing import Address

pytestmark = pytest.mark.thorough


EVIL = (
    "<script>parent.document.body.dataset.broken = 'script'; document.body.dataset.ran = 'yes'</script>"
    "<img src=x onerror=\"parent.document.body.dataset.broken = 'handler'\">"
    '<p style="color: rgb(1, 2, 3)">Good morning</p><a href="/" target="_top">leave</a>'
    '<form action="/health"><button>post</button></form>'
)


def put(folder: Path, name: str, subject: str, html: str = "", *files: tuple[str, bytes]) -> None:
    """Put an e-mail into the mailbox, as the demo's server does."""
    message = EmailMessage()
    message["Subject"], message["From"], message["To"] = subject, "icc-bot <bot@example.com>", "you@example.com"
    message["Reply-To"] = "me@example.com"
    message.set_content("Dear all,\nin plain words <b>.\n")
    if html:
        message.add_alternative(html, subtype="html")
    for file, content in files:
        message.add_attachment(content, "text", "csv", filename=file)
    (folder / "mail").mkdir(exist_ok=True)
    (folder / "mail" / f"{name}.eml").write_bytes(message.as_bytes())


@pytest.fixture(autouse=True)
def _emptied(folder: Path) -> None:
    for path in (folder / "mail").glob("*"):
        path.unlink()


def test_an_e_mail_is_read_as_its_recipients_would(page: Page, address: Address, folder: Path) -> None:
    """From the list to its words in HTML and in text; the latest stands on top; its file can be saved as it came."""
    put(folder, "20261122-060000-aaaaaaaa", "The older one")
    put(
        folder, "20261122-060500-bbbbbbbb", "Umsätze <i>", "<p>Good <b>day</b></p>", ("rows <1>.csv", b"a,b\r\n1,2\r\n")
    )
    page.goto(f"{address}mail")
    expect(page.locator(".entry .prompt")).to_have_text(["Umsätze <i>", "The older one"])
    page.get_by_text("Umsätze <i>").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Umsätze <i>")
    expect(page.locator("dl.top dd")).to_contain_text(
        ["icc-bot <bot@example.com>", "you@example.com", "me@example.com"]
    )
    expect(page.frame_locator("iframe.letter").locator("b")).to_have_text("day")
    page.get_by_text("As plain text").click()
    expect(page.locator("details pre")).to_contain_text("in plain words <b>.")
    with page.expect_download() as download:
        page.get_by_text("rows <1>.csv").click()
    assert b"a,b\r\n1,2\r\n" == Path(download.value.path()).read_bytes()
    page.get_by_text("All e-mails").click()
    expect(page.locator(".entry")).to_have_count(2)


def test_an_e_mail_runs_nothing_and_fetches_nothing(page: Page, address: Address, folder: Path) -> None:
    """Its looks are its own; scripts, handlers, forms and ways out are dead, and no picture tells that it was read."""
    asked: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as tracker:
        tracker.settimeout(0.5)
        remote = f"http://127.0.0.1:{tracker.getsockname()[1]}/pixel.png"
        style = f'<style>body {{ background: url("{remote}") }}</style><link rel="stylesheet" href="{remote}">'
        put(folder, "20261122-060000-cccccccc", "Evil", f'{style}<img src="{remote}">{EVIL}')
        page.goto(f"{address}mail/20261122-060000-cccccccc")
        inside = page.frame_locator("iframe.letter")
        expect(inside.locator("p")).to_have_css("color", "rgb(1, 2, 3)")
        inside.get_by_role("button", name="post").click()
        inside.get_by_text("leave").click()
        with suppress(TimeoutError):
            caller, _ = tracker.accept()
            with caller:
                asked.append(caller.recv(100))
    assert ([], None) == (asked, page.evaluate("document.body.dataset.broken"))
    assert page.url.endswith("/mail/20261122-060000-cccccccc")
    assert "" == page.locator("iframe.letter").get_attribute("sandbox")


def test_what_is_not_there_leads_to_the_list(page: Page, address: Address, folder: Path) -> None:
    """Neither an unknown name nor a path out of the folder opens anything."""
    (folder / "secret.eml").write_text("Subject: secret\n\nsecret")
    for name in ("20261122-060000-dddddddd", "secret"):
        page.goto(f"{address}mail/{name}")
        expect(page.locator("main.mail")).to_contain_text("Nothing was sent yet")
    assert 404 == page.request.get(f"{address}mail/..%2Fsecret").status
    assert 404 == page.request.get(f"{address}mail/20261122-060000-dddddddd/0").status
    put(folder, "20261122-060000-eeeeeeee", "No file")
    assert 404 == page.request.get(f"{address}mail/20261122-060000-eeeeeeee/0").status
