"""How the bot proves who it is: passwords, certificates and managed identities."""

import asyncio
import base64
from datetime import UTC, datetime, timedelta
from pathlib import Path

import jwt
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
)
from pydantic import SecretStr

from adapters.teams.access import TeamsAccess
from adapters.teams.calls import session
from adapters.teams.cloud import GOVERNMENT, cloud_of, openid_url_of, token_url_of
from adapters.teams.failures import NoToken
from adapters.teams.tokens import BotTokens, read_certificate
from tests.adapters.teams.fake_microsoft import APP, PASSWORD, TENANT, key, microsoft
from tests.adapters.teams.guarded_server import Clock

NOTHING = NoEncryption()


def pem(name: str = "app", encryption: KeySerializationEncryption = NOTHING) -> bytes:
    return key(name).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption)


def certificate(name: str = "app", days: float = 90) -> x509.Certificate:
    who, now = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "icc-bot")]), datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(who)
        .issuer_name(who)
        .public_key(key(name).public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=400))
        .not_valid_after(now + timedelta(days=days))
        .sign(key(name), SHA256())
    )


def certificate_pem(name: str = "app", days: float = 90) -> bytes:
    return certificate(name, days).public_bytes(Encoding.PEM)


async def test_a_password() -> None:
    """The secret is shown to the app's own tenant for the scope of bots, once for as long as the token is good."""
    clock = Clock()
    async with microsoft() as here, session() as asking:
        tokens = BotTokens(asking, here.access(), clock)
        first = await asyncio.gather(*[tokens.get() for _ in range(5)])
        clock.now += 3599 - 301
        before = await tokens.get()
        clock.now += 2
        after = await tokens.get()

        assert (["token1"] * 5, "token1", "token2") == (first, before, after)
        assert {
            "path": f"/{TENANT}/oauth2/v2.0/token",
            "grant_type": "client_credentials",
            "client_id": APP,
            "client_secret": PASSWORD,
            "scope": "https://api.botframework.com/.default",
        } == here.forms[0]


async def test_an_old_token_does_until_its_end() -> None:
    """While Microsoft gives no new token, the old one is used for as long as it is good."""
    clock = Clock()
    async with microsoft() as here, session() as asking:
        tokens = BotTokens(asking, here.access(), clock)
        await tokens.get()
        here.token_error = (500, {})
        clock.now += 3500
        late = await tokens.get()
        clock.now += 100
        with pytest.raises(NoToken):
            await tokens.get()

    assert late == "token1"


async def test_several_tenants() -> None:
    """A bot of several tenants logs in where all such bots do."""
    async with microsoft() as here, session() as asking:
        await BotTokens(asking, here.access(kind="MultiTenant")).get()

        assert "/botframework.com/oauth2/v2.0/token" == here.forms[0]["path"]


async def test_a_certificate(tmp_path: Path) -> None:
    """A certificate is named by its SHA-256, and the key proves itself for five minutes, to this address only."""
    path, made = tmp_path / "app.pem", certificate()
    # A chain, with another certificate first.
    path.write_bytes(pem() + certificate_pem("other") + made.public_bytes(Encoding.PEM))
    async with microsoft() as here, session() as asking:
        access = here.access(password=SecretStr(""), certificate=path)
        await BotTokens(asking, access).get()

        form = here.forms[0]
        assert "client_secret" not in form
        assert "urn:ietf:params:oauth:client-assertion-type:jwt-bearer" == form["client_assertion_type"]
        shown = form["client_assertion"]
        audience = f"{here.url}/{TENANT}/oauth2/v2.0/token"
        claims = jwt.decode(shown, key("app").public_key(), ["PS256"], audience=audience, issuer=APP)
        assert (APP, 300) == (claims["sub"], claims["exp"] - claims["nbf"])
        thumbprint = base64.urlsafe_b64encode(made.fingerprint(SHA256())).decode().rstrip("=")
        assert thumbprint == jwt.get_unverified_header(shown)["x5t#S256"]


def elliptic() -> bytes:
    return ec.generate_private_key(ec.SECP256R1()).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "cannot be read"),
        (b"", "holds no private key"),
        (certificate_pem(), "holds no private key"),
        (pem(encryption=BestAvailableEncryption(b"word")) + certificate_pem(), "a key with a passphrase"),
        (elliptic() + certificate_pem(), "no RSA key"),
        (pem(), "holds no certificate"),
        (pem() + certificate_pem("other"), "a certificate that is not the key's"),
    ],
)
async def test_a_certificate_that_cannot_be_used(tmp_path: Path, content: bytes | None, why: str) -> None:
    """What is wrong with the file is said, and nothing of the key."""
    path = tmp_path / "app.pem"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ValueError, match=why):
        read_certificate(path)
    async with microsoft() as here, session() as asking:
        with pytest.raises(NoToken, match=why) as told:
            await BotTokens(asking, here.access(password=SecretStr(""), certificate=path)).get()

        assert (True, []) == (told.value.lasting, here.forms)


async def test_a_managed_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    """A managed identity needs no secret: the machine that the bot runs on is asked, with the id of the identity."""
    async with microsoft() as here, session() as asking:
        monkeypatch.setenv("AZURE_POD_IDENTITY_AUTHORITY_HOST", here.url)
        tokens = BotTokens(asking, here.access(kind="UserAssignedMSI", password=SecretStr("")))
        first, second = await tokens.get(), await tokens.get()

        assert ("token1", "token1") == (first, second)
        assert [("https://api.botframework.com", APP)] == [(form["resource"], form["client_id"]) for form in here.forms]


@pytest.mark.parametrize("address", ["", "http://127.0.0.1:9"])
async def test_a_managed_identity_that_is_not_there(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    """An identity that this machine does not have, or a machine that has none, is NoToken."""
    async with microsoft() as here, session() as asking:
        here.token_error = (400, {"error": "invalid_request", "error_description": "Identity not found"})
        monkeypatch.setenv("AZURE_POD_IDENTITY_AUTHORITY_HOST", address or here.url)
        with pytest.raises(NoToken) as told:
            await BotTokens(asking, here.access(kind="UserAssignedMSI")).get()

        assert told.value.lasting == (address == "")


ODD = [
    (200, {"token_type": "Bearer"}, "status 200", False),
    (401, {"error": "invalid_client", "error_description": "AADSTS7000215: Wrong secret."}, "AADSTS7000215", True),
    (400, {"error": "unauthorized_client"}, "unauthorized_client", True),
    (400, {"error_description": f"you sent {PASSWORD}"}, "status 400", True),
    (429, {}, "status 429", False),
    (500, {}, "status 500", False),
]


@pytest.mark.parametrize(("status", "body", "code", "lasting"), ODD)
async def test_a_login_that_says_no(status: int, body: dict[str, str], code: str, lasting: bool) -> None:
    """Entra's code is told, nothing that might hold the secret, and whether asking again may help."""
    async with microsoft() as here, session() as asking:
        here.token_error = (status, body)
        with pytest.raises(NoToken) as told:
            await BotTokens(asking, here.access()).get()

    assert (code, lasting) == (told.value.code, told.value.lasting)
    assert PASSWORD not in str(told.value)


def test_the_cloud_of_the_government() -> None:
    """Who logs in at the government's login is in its cloud: issuer, keys and scope are that one's."""
    access = TeamsAccess(app_id=APP, kind="MultiTenant", login_url="https://login.microsoftonline.us")

    assert GOVERNMENT == cloud_of(access)
    assert "https://login.botframework.azure.us/v1/.well-known/openidconfiguration" == openid_url_of(access)
    assert "https://login.microsoftonline.us/MicrosoftServices.onmicrosoft.us/oauth2/v2.0/token" == token_url_of(access)
