"""The keys with which the stand-in signs what it sends, and the tokens that are made with them."""

import base64
import hashlib
import hmac
import json
import time
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

ISSUER = "https://api.botframework.com"


@cache
def rsa_key(name: str) -> rsa.RSAPrivateKey:
    """Return the key of this name; it is made once in a process."""
    del name
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def public_pem(name: str) -> bytes:
    """Return the public half of a key."""
    return rsa_key(name).public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


@dataclass
class Keys:
    """The published keys: the id of each, which key that is, and the channels that it is endorsed for."""

    published: dict[str, tuple[str, list[str] | None]] = field(
        default_factory=lambda: {
            "key-1": ("teams", ["msteams"]),
            "key-web": ("webchat", ["webchat"]),
            "key-bare": ("bare", None),
        }
    )
    kid: str = "key-1"

    def jwks(self) -> dict[str, Any]:
        """Return what the key set's address answers."""
        return {"keys": [_jwk(kid, name, endorsed) for kid, (name, endorsed) in self.published.items()]}

    def token(
        self,
        claims: dict[str, Any],
        kid: str | None = "",
        key: str = "",
        without: tuple[str, ...] = (),
    ) -> str:
        """Return a signed token; claims overwrite the usual ones, those in `without` are left out.

        `kid` names another published key, None leaves it out of the header; `key` signs with another key than that.
        """
        now = int(time.time())
        usual = {"iss": ISSUER, "nbf": now - 300, "iat": now - 300, "exp": now + 3600}
        body = {name: value for name, value in (usual | claims).items() if name not in without}
        named = self.kid if kid == "" else kid
        signer = key or self.published.get(named or self.kid, (f"no {named}", None))[0]
        private = rsa_key(signer).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        return jwt.encode(body, private, algorithm="RS256", headers={"kid": named} if named else None)


def _jwk(kid: str, name: str, endorsed: list[str] | None) -> dict[str, Any]:
    jwk = jwt.algorithms.RSAAlgorithm.to_jwk(rsa_key(name).public_key(), as_dict=True)
    made = {"kty": "RSA", "use": "sig", "kid": kid, "x5t": kid, "n": jwk["n"], "e": jwk["e"]}
    return made if endorsed is None else {**made, "endorsements": endorsed}


def unsigned(token: str, kid: str) -> str:
    """Return the same claims under the algorithm `none`."""
    return f"{_part({'alg': 'none', 'typ': 'JWT', 'kid': kid})}.{token.split('.')[1]}."


def confused(token: str, kid: str, key: str) -> str:
    """Return the same claims signed by HMAC, with the public key as the secret."""
    head = f"{_part({'alg': 'HS256', 'typ': 'JWT', 'kid': kid})}.{token.split('.')[1]}"
    return f"{head}.{_base64(hmac.new(public_pem(key), head.encode(), hashlib.sha256).digest())}"


def tampered(token: str, claims: dict[str, Any]) -> str:
    """Return a token whose claims were changed after it was signed."""
    head, body, signature = token.split(".")
    held = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
    return f"{head}.{_part(held | claims)}.{signature}"


def _part(value: dict[str, Any]) -> str:
    return _base64(json.dumps(value, separators=(",", ":")).encode())


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
