"""A secret of this installation, for what it signs."""

import os
import secrets
from pathlib import Path

from router.errors import SettingsError


def load_secret(path: Path) -> bytes:
    """Return the secret, 32 bytes; made at the first call, readable by its owner only.

    Raises SettingsError if the file holds anything else: what is short could be guessed.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as new:
            new.write(secrets.token_bytes(32))
    except FileExistsError:
        pass
    secret = path.read_bytes()
    if len(secret) != 32:
        raise SettingsError([f"The secret in {path} is damaged. Delete the file: then a new one is made."])
    return secret
