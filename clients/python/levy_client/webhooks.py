"""Verification of webhooks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Mapping, Optional, cast

from .types import Event

TOLERANCE = 300
"""Seconds by which the clocks of both sides may differ."""


class SignatureError(Exception):
    """The request is not one that Levy signed with the secret, or it is too old."""


def verify_webhook(
    secret: str,
    headers: Mapping[str, str],
    body: bytes,
    *,
    now: Optional[float] = None,
    tolerance: int = TOLERANCE,
) -> Event:
    """Return the event of a webhook, if Levy signed these bytes with the secret (whsec_...).

    body are the bytes as they were received. Levy sends an event more than once when an answer was lost: remember its id.
    The standard library has no ed25519, so endpoints with the scheme v1a cannot be verified here. Raises SignatureError,
    and ValueError for a secret that is none.
    """
    if not secret.startswith("whsec_"):
        raise ValueError("levy: the secret of a webhook endpoint begins with whsec_")
    try:
        key = base64.b64decode(secret[len("whsec_") :], validate=True)
    except binascii.Error as broken:
        raise ValueError("levy: the secret of a webhook endpoint is not Base64") from broken
    if not key:
        raise ValueError("levy: the secret of a webhook endpoint is empty")
    given = {name.lower(): value for name, value in headers.items()}
    identity, at, signatures = (given.get("webhook-" + name, "") for name in ("id", "timestamp", "signature"))
    if not identity or not signatures or not (at.isascii() and at.isdecimal() and len(at) <= 15):
        raise SignatureError("levy: a header of the signature is missing or malformed")
    if abs((time.time() if now is None else now) - int(at)) > tolerance:
        raise SignatureError("levy: the time of the signature is too far from that of this machine")
    signed = hmac.new(key, f"{identity}.{at}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(signed)
    found = False
    for one in signatures.split(" "):
        found = hmac.compare_digest(expected, one.encode()) or found
    if not found:
        raise SignatureError("levy: no signature is by the secret")
    return cast(Event, json.loads(body))
