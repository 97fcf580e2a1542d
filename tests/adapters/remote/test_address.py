"""BASE_URL and API_TOKEN: what is an address, and what would let others read along."""

import pytest
from pydantic import SecretStr

from adapters.remote.address import address_of_api
from router.errors import SettingsError

TOKEN = SecretStr("icc_S3CRET")


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("https://jobs.example.com", "https://jobs.example.com"),
        (" https://jobs.example.com:8443/api/ ", "https://jobs.example.com:8443/api"),
        ("https://jobs.example.com/v1/", "https://jobs.example.com"),
        ("http://127.0.0.1:8090/v1", "http://127.0.0.1:8090"),
        ("http://localhost:8000/api", "http://localhost:8000/api"),
        ("http://[::1]:8090", "http://[::1]:8090"),
    ],
)
def test_addresses(url: str, found: str) -> None:
    """A slash or the version at the end does no harm; on this machine, TLS is not demanded."""
    assert found == str(address_of_api(url, TOKEN, plain=False))


def test_an_address_for_tables() -> None:
    """Connections and tables may be asked for at another address than jobs; it is held to the same rules."""
    address = address_of_api("https://x/api", TOKEN, False, "https://tables/api/v1/")
    assert ("https://tables/api/v1/connections/1/tables", "https://x/api/v1/jobs") == (
        address.of("/v1/connections/1/tables"),
        address.of("/v1/jobs"),
    )
    assert "https://x/v1/connections" == address_of_api("https://x", TOKEN, False).of("/v1/connections")
    with pytest.raises(SettingsError, match="TABLE_API_BASE_URL says http"):
        address_of_api("https://x", TOKEN, False, "http://tables")


def test_http_to_another_machine() -> None:
    """It has to be allowed by a setting of its own."""
    with pytest.raises(SettingsError, match="API_ALLOW_HTTP=true allows it"):
        address_of_api("http://jobs.example.com", TOKEN, plain=False)
    assert "http://jobs:8090" == str(address_of_api("http://jobs:8090", TOKEN, plain=True))


@pytest.mark.parametrize(
    "url", ["intranet/jobs", "ftp://x", "https:///x", "https://u:p@x", "https://x?y=1", "https://x#y", "https://[x"]
)
def test_what_is_no_address(url: str) -> None:
    """The sentence shows how one is written, and not what was set."""
    with pytest.raises(SettingsError) as raised:
        address_of_api(url, TOKEN, plain=True)

    (problem,) = raised.value.problems
    assert ("BASE_URL is no address of a jobs API" in problem, url in problem) == (True, False)


@pytest.mark.parametrize(("token", "words"), [("", "set API_TOKEN"), ("a b", "is no token"), ("icc_ä", "is no token")])
def test_tokens(token: str, words: str) -> None:
    """Without one, the sentence has the command that makes it; what is none is not shown."""
    with pytest.raises(SettingsError, match=words) as raised:
        address_of_api("https://x", SecretStr(token), plain=False)

    assert not token or token not in str(raised.value).replace("API_TOKEN", "")
