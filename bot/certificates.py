"""Whom the models' clients believe."""

import ssl
from functools import cache


@cache
def trusted(environment: bool) -> ssl.SSLContext:
    """Return what httpx would take, read once for all clients: each would read some hundred certificates anew.

    `environment` tells whether SSL_CERT_FILE and SSL_CERT_DIR have a say.
    """
    import httpx

    return httpx.create_ssl_context(trust_env=environment)
