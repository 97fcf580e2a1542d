"""The certificate by which the bot proves who it is, in place of a password."""

import base64
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import jwt
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_private_key


@dataclass(frozen=True, slots=True)
class Certificate:
    """A private key with what Entra knows of it; the key does not show in its repr."""

    key: RSAPrivateKey = field(repr=False)
    thumbprint: str
    """SHA-256, base64url."""
    ends: datetime


def read_certificate(path: Path) -> Certificate:
    """Return the key and its certificate from a PEM file; raises ValueError with what is wrong, as a sentence's end."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ValueError(f"cannot be read ({error.strerror})") from error
    try:
        key = load_pem_private_key(content, password=None)
    except TypeError:
        raise ValueError("holds a key with a passphrase; write it without one, readable to the bot only") from None
    except ValueError:
        raise ValueError("holds no private key in PEM form") from None
    if not isinstance(key, RSAPrivateKey):
        raise ValueError("holds a key that is no RSA key")
    try:
        listed = x509.load_pem_x509_certificates(content)
    except ValueError:
        raise ValueError("holds no certificate; append it to the key") from None
    for one in listed:
        if one.public_key() == key.public_key():
            return Certificate(key, _base64(one.fingerprint(SHA256())), one.not_valid_after_utc)
    raise ValueError("holds a certificate that is not the key's")


def assertion(certificate: Certificate, app_id: str, audience: str) -> str:
    """Return the token by which Entra sees, for five minutes, that its sender has the key."""
    now = datetime.now(UTC)
    claims = {"aud": audience, "iss": app_id, "sub": app_id, "jti": str(uuid4())}
    times = {"iat": now, "nbf": now, "exp": now + timedelta(minutes=5)}
    return jwt.encode(claims | times, certificate.key, "PS256", headers={"x5t#S256": certificate.thumbprint})


def _base64(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")
