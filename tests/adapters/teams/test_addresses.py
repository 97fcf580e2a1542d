"""Which addresses may be sent what is not for everybody."""

import pytest

from adapters.teams.addresses import is_here, is_safe


@pytest.mark.parametrize(
    ("url", "safe", "here"),
    [
        ("https://smba.trafficmanager.net/emea/", True, False),
        ("https://127.0.0.1:8443/", True, True),
        ("http://localhost:3978/", True, True),
        ("http://[::1]/", True, True),
        ("http://LOCALHOST/", True, True),
        ("http://smba.trafficmanager.net/", False, False),
        ("https://127.0.0.1.example.com/", True, False),
        ("https://user@smba.trafficmanager.net/", False, False),
        ("https:///path", False, False),
        ("https://host:port/", False, False),
        ("http://[::1", False, False),
        ("file:///etc/passwd", False, False),
        ("", False, False),
    ],
)
def test_addresses(url: str, safe: bool, here: bool) -> None:
    """An address is safe where nobody reads on the way: https, or this machine."""
    assert (safe, here) == (is_safe(url), is_here(url))
