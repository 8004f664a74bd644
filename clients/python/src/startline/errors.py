"""What the client raises."""
from __future__ import annotations

import json
import math
from email.message import Message
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._operations import BodyProblem


class StartlineError(Exception):
    """Everything that this package raises on its own."""


class NoResponse(StartlineError):
    """There was no complete response: `__cause__` is the error of the connection."""


class ExportCutOff(StartlineError):
    """An export ended before its last line: start it again."""


class TooManyChanges(StartlineError):
    """More rows are changing than a digest can name: compare again later."""


class InvalidSignature(StartlineError):
    """A webhook was not signed with the secret, or not recently."""


class ApiError(StartlineError):
    """The API rejected a request or failed. `str()` is a sentence for logs, not for matching."""

    def __init__(self, status: int, code: str, message: str, request_id: str | None = None,
                 retry_after: float | None = None, problems: list[BodyProblem] | None = None) -> None:
        super().__init__(message)
        self.status = status
        #: The `error` of the body: `Bad Request`, `Forbidden`, `Too Many Requests` and so on.
        self.code = code
        #: Give it to Startline's operators when you ask about the request.
        self.request_id = request_id
        #: The seconds to wait before a retry, if the response has them.
        self.retry_after = retry_after
        #: Up to 100 problems of the body, each with its path and a code to match on.
        self.problems = problems or []

    @staticmethod
    def of(status: int, headers: Message, text: bytes) -> ApiError:
        """From a response; those of proxies may have any body."""
        try:
            body: Any = json.loads(text)
        except ValueError:
            body = None
        if not isinstance(body, dict):
            body = {}
        try:
            phrase = HTTPStatus(status).phrase
        except ValueError:
            phrase = ""
        problems = body.get("problems")
        return _CLASSES.get(status, ServerFailed if status >= 500 else ApiError)(
            status,
            str(body.get("error") or phrase),
            str(body.get("message") or f"The server responded with {status} {phrase}".rstrip()),
            headers.get("x-request-id"),
            retry_after_of(headers),
            problems if isinstance(problems, list) else [],
        )


class BadRequest(ApiError):
    """400: `problems` says what to correct in the body."""


class Unauthorized(ApiError):
    """401: the key is missing, invalid, revoked or expired."""


class Forbidden(ApiError):
    """403: the key may not do this, or the surface is not enabled."""


class NotFound(ApiError):
    """404: the object does not exist, or belongs to another organization."""


class TooManyRequests(ApiError):
    """429: the allowance is used up, and waiting would take longer than the client may wait."""


class ServerFailed(ApiError):
    """5xx, after all attempts."""


_CLASSES: dict[int, type[ApiError]] = {
    400: BadRequest, 401: Unauthorized, 403: Forbidden, 404: NotFound, 429: TooManyRequests,
}


def retry_after_of(headers: Message) -> float | None:
    """Seconds, if the response has a number: proxies may send a date instead."""
    try:
        seconds = float(headers.get("retry-after", ""))
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None
