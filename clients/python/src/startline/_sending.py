"""Requests: timeouts, retries and errors."""
from __future__ import annotations

import gzip
import json
import random
import ssl
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPException
from typing import IO, Any, TypeVar, cast
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, HTTPSHandler, Request, build_opener

from ._reports import Retry
from .errors import ApiError, ExportCutOff, NoResponse, StartlineError

LONGEST_BACKOFF_SECONDS = 30.0
NOT_MODIFIED = 304
#: What a connection, a proxy or a body that ends early can raise.
FAILURES = (OSError, HTTPException, EOFError, zlib.error, ValueError)
OnRetry = Callable[[Retry], None]
Received = TypeVar("Received")


class _NoRedirects(HTTPRedirectHandler):
    """A redirect would send the key elsewhere: it is an error."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


@dataclass(frozen=True)
class Patience:
    tries: float
    longest_wait_seconds: float
    on_retry: OnRetry | None = None


class Transport:
    def __init__(self, base_url: str, token: str, timeout: float, context: ssl.SSLContext | None) -> None:
        if urlsplit(base_url).scheme not in ("http", "https"):
            raise ValueError("base_url must begin with https:// or http://")
        token = token.strip()
        if not (token and token.isascii() and token.isprintable()):
            raise ValueError("token must be an API key")
        self.base_url = base_url.rstrip("/")
        self._token = token
        self._timeout = timeout
        self._opener = build_opener(_NoRedirects, HTTPSHandler(context=context))

    def send(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str], patience: Patience,
        receive: Callable[[IO[bytes], Message], Received],
    ) -> Received:
        """Sends until there is an answer.

        Retries after 429, which means that the request was not processed; and, if the request is idempotent, after 408, 5xx
        and without a complete response. Waits for `retry-after`, otherwise twice as long each time.
        """
        request = Request(self.base_url + path, data=body, method=method, headers={
            "authorization": f"Bearer {self._token}", "accept-encoding": "gzip", "accept": "application/json", **headers,
        })
        if body is not None:
            request.add_header("content-type", "application/json")
        attempt = 0
        while True:
            attempt += 1
            error: StartlineError
            wait: float | None = None
            try:
                return self._receive(request, receive)
            except ApiError as failure:
                error = failure
                may_repeat = failure.status in (408, 429) or failure.status >= 500
                wait = failure.retry_after
            except NoResponse as failure:
                error = failure
                may_repeat = not _is_untrusted(failure.__cause__)
            if wait is None:
                wait = min(LONGEST_BACKOFF_SECONDS, 0.25 * 2.0 ** min(attempt, 10)) * random.uniform(0.75, 1.25)
            if not may_repeat or attempt >= patience.tries or wait > patience.longest_wait_seconds:
                raise error
            if patience.on_retry:
                patience.on_retry(Retry(method, request.full_url, attempt, wait, error))
            time.sleep(wait)

    def _receive(self, request: Request, receive: Callable[[IO[bytes], Message], Received]) -> Received:
        try:
            try:
                response = self._opener.open(request, timeout=self._timeout)
            except HTTPError as failure:
                with failure:
                    if failure.code == NOT_MODIFIED:
                        return receive(cast(IO[bytes], failure), failure.headers)
                    raise ApiError.of(failure.code, failure.headers, plain(failure, failure.headers).read()) from None
            return receive(response, response.headers)
        except FAILURES as failure:
            raise NoResponse(f"There was no complete response: {failure}") from failure


def _is_untrusted(cause: BaseException | None) -> bool:
    return isinstance(cause, URLError) and isinstance(cause.reason, ssl.SSLCertVerificationError)


def plain(response: Any, headers: Message) -> IO[bytes]:
    """A body without its compression."""
    if headers.get("content-encoding") == "gzip":
        return cast(IO[bytes], gzip.GzipFile(fileobj=response))
    return cast(IO[bytes], response)


def whole(response: IO[bytes], headers: Message) -> Any:
    """The JSON of a body, or None for 304. A body that is not JSON is that of a proxy, or its end was lost."""
    with response:
        if getattr(response, "status", None) == NOT_MODIFIED:
            return None
        return json.loads(plain(response, headers).read())


def lines(response: IO[bytes], headers: Message) -> Iterator[Any]:
    """The lines of an export, without its last one, which says how many there are."""
    rows = 0
    with response:
        try:
            for line in plain(response, headers):
                item = json.loads(line) if line.endswith(b"\n") else None
                if item is None or "end" in item:
                    if item == {"end": True, "rows": rows}:
                        return
                    break
                rows += 1
                yield item
        except FAILURES as failure:
            raise _cut_off(rows) from failure
    raise _cut_off(rows)


def _cut_off(rows: int) -> ExportCutOff:
    return ExportCutOff(f"The export was cut off after {rows} participants: start it again")
