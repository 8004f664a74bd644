"""Webhooks, signed as in Standard Webhooks 1.0.0.

    event = verify(request.body, request.headers, os.environ["WEBHOOK_SECRET"])

The body is the raw bytes, before anything parses them. Respond at once, and skip events whose `id` you have seen.
"""
from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import cast

from ._operations import ChangeEvent
from .errors import InvalidSignature

#: A request that is older or newer than this is refused, so that nobody can send a recorded one again.
TOLERANCE_SECONDS = 5 * 60


def verify(body: bytes | str, headers: Mapping[str, str], *secrets: str, now: float | None = None) -> ChangeEvent:
    """The event of a request, or `InvalidSignature`. One of the secrets must match."""
    if not secrets:
        raise ValueError("verify needs a secret")
    given = {name.lower(): value for name, value in headers.items()}
    try:
        id, timestamp, signatures = (given[f"webhook-{name}"] for name in ("id", "timestamp", "signature"))
    except KeyError as missing:
        raise InvalidSignature(f"The header {missing.args[0]} is missing") from None
    if not (timestamp.isascii() and timestamp.isdigit()):
        raise InvalidSignature("webhook-timestamp is not a time")
    if abs((time.time() if now is None else now) - int(timestamp)) > TOLERANCE_SECONDS:
        raise InvalidSignature("The request is too old or too new")
    bytes_ = body.encode() if isinstance(body, str) else body
    expected = [sign(secret, id, timestamp, bytes_).encode() for secret in secrets]
    matches = [hmac.compare_digest(each.encode(), one) for each in signatures.split() for one in expected]
    if not any(matches):
        raise InvalidSignature("No signature of the request matches")
    return cast(ChangeEvent, json.loads(bytes_))


def sign(secret: str, id: str, timestamp: str, body: bytes) -> str:
    """The signature of a request, for tests of receivers."""
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        raise ValueError("The secret must be whsec_ and base64") from None
    if not key:
        raise ValueError("The secret must not be empty")
    mac = hmac.digest(key, f"{id}.{timestamp}.".encode() + body, hashlib.sha256)
    return "v1," + base64.b64encode(mac).decode()
