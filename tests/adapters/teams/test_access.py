"""Which addresses may be sent what is not for everybody."""

import pytest

from adapters.teams.access import ONEDRIVE, is_here, is_safe, is_under


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


@pytest.mark.parametrize(
    ("url", "under"),
    [
        ("https://contoso-my.sharepoint.com/personal/ana/_api/v2.0/drive/items/1/uploadSession?guid=2", True),
        ("https://CONTOSO.SharePoint.com./up", True),
        ("https://sharepoint.us/up", True),
        ("https://contoso.sharepoint-mil.us/up", True),
        ("https://10.0.0.5/admin", False),
        ("https://169.254.169.254/latest", False),
        ("https://vault.internal:8200/v1", False),
        ("https://evilsharepoint.com/", False),
        ("https://sharepoint.com.evil.example/", False),
        ("https://evil.example/?https://contoso.sharepoint.com", False),
        ("https://evil.example#.sharepoint.com", False),
        ("https://evil.example\\.sharepoint.com/", False),
        ("https://[::1", False),
        ("", False),
    ],
)
def test_domains(url: str, under: bool) -> None:
    """A host is one of OneDrive's where it is under its domains, and not where it only looks so."""
    assert under == is_under(url, ONEDRIVE)
