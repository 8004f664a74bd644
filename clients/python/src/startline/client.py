"""The client: see `Client`."""
from __future__ import annotations

import json
import ssl
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from email.message import Message
from math import inf
from re import sub
from typing import IO, Any, Literal, NamedTuple, cast
from urllib.parse import quote, urlencode
from uuid import uuid4

from . import digests
from ._operations import (
    IMPORTS, AcceptedImport, ChangeEvent, Digest, ExportQuery, ImportJob, ImportOutcome, ImportRowResult,
    ListChangeEventsQuery, Operations, Participant, TimingExportQuery, TimingParticipant,
)
from ._reports import ImportReport, Progress
from ._sending import OnRetry, Patience, Transport, lines, whole
from .errors import TooManyChanges

Query = Mapping[str, object] | None
DigestPath = Literal["/v0/participants", "/v0/applications", "/v0/partners"]

#: The limit for rows; the rest of a body of 20 MB needs less than the 100 bytes.
MOST_BYTES = 20 * 1024 * 1024 - 100
#: The cursor parameter, where it is not `page[after]`.
AFTER = {
    "/marketplace/v1/events/": "cursor[after]",
    "/marketplace/v1/removed-events": "cursor[after]",
    "/marketplace/v1/events/search": "searchAfter",
}
#: Before the next digest, if too many rows changed for one.
CALM_SECONDS = 10.0


class ChangeEvents(NamedTuple):
    """Some events, and the `after` of the next ones."""

    events: list[ChangeEvent]
    cursor: str


class Client(Operations):
    """The API, for programs.

        client = Client("https://api.example.com", os.environ["STARTLINE_API_KEY"])
        ticket = client.get("/v0/tickets/{id}", id=ticket_id)
        for participant in client.every("/v0/participants", {"raceId": race_id}): ...
        for group in client.changes("/v0/participants", since): ...
        report = client.import_rows("/v0/bookings/import", rows)

    Raises the classes of `startline.errors`. May be used by several threads at once. Keep the key on your servers.
    """

    def __init__(
        self, base_url: str, token: str, *, timeout: float = 60, tries: int = 6, longest_wait_seconds: float = 120,
        on_retry: OnRetry | None = None, context: ssl.SSLContext | None = None,
    ) -> None:
        """
        :param base_url: the origin of the API, without a path
        :param token: the API key
        :param timeout: the seconds that a connection may be silent
        :param tries: how often a request is sent at most
        :param longest_wait_seconds: a longer `retry-after` raises the error at once, which contains it
        :param on_retry: called before each wait; what it raises ends the request
        :param context: for a certificate authority of your own
        """
        self._transport = Transport(base_url, token, timeout, context)
        self._patience = Patience(tries, longest_wait_seconds, on_retry)
        #: Of loops without an end.
        self._endless = Patience(inf, inf, on_retry)

    def export_participants(self, query: ExportQuery | None = None) -> Iterator[Participant]:
        """Every participant that matches the filters, in one request. Raises `ExportCutOff` unless it is complete."""
        return self._export("/v0/participants/export", cast(Query, query))

    def export_timing_participants(self, query: TimingExportQuery | None = None) -> Iterator[TimingParticipant]:
        """The same for a timing key: the participants of its occurrences, with what it may read."""
        return self._export("/timing-inbound/v1/participants/export", cast(Query, query))

    def change_events(
        self, after: str = "", query: ListChangeEventsQuery | None = None, *, poll_seconds: float = 5,
    ) -> Iterator[ChangeEvents]:
        """Change events, oldest first, and new ones as they happen, until the loop is left.

        Store the `cursor` of each page as the `after` of a later run, which then misses nothing. Waits like `changes`.
        """
        while True:
            asked = {"page[size]": 500, **(query or {}), "sort[timestamp]": "1", "page[after]": after or None}
            page = self._ask("GET", "/v0/change-events", asked, patience=self._endless)
            if page["data"]:
                after = page["page"]["last"]
                yield ChangeEvents(page["data"], after)
            if not page["page"]["next"]:
                time.sleep(poll_seconds)

    def finished(
        self, job: AcceptedImport | ImportJob, *, on_progress: Callable[[ImportJob], None] | None = None,
        poll_seconds: float = 1,
    ) -> ImportJob:
        """Waits for the end of an import job: `COMPLETED`, or `FAILED` with a `failure`, which is not raised."""
        while True:
            now = cast(ImportJob, self._ask("GET", _job_path(job)))
            if on_progress:
                on_progress(now)
            if now["finishedAt"] is not None:
                return now
            time.sleep(poll_seconds)

    def rows(
        self, job: AcceptedImport | ImportJob, *, outcome: ImportOutcome | None = None,
    ) -> Iterator[ImportRowResult]:
        """The outcomes of the rows of a job so far, in their order."""
        return self._walk(f"/v0/import-jobs/{quote(job['jobId'], safe='')}/rows", {"outcome": outcome, "page[size]": 500}, {})

    def digest(self, path: DigestPath, bucket: str | None = None) -> Digest:
        """A digest of a list, or the rows of one bucket. Waits while too many rows are changing for one."""
        for attempt in range(int(self._patience.tries)):
            if attempt > 0:
                time.sleep(CALM_SECONDS)
            digest = cast(Digest, self._ask("GET", f"{path}/digest", {"bucket": bucket}))
            if not digest["tooManyChanges"]:
                return digest
        raise TooManyChanges("More rows are changing than a digest can name: compare again later")

    def different_buckets(
        self, path: DigestPath, copy: digests.Copy, refresh: Callable[[], object] = lambda: None,
    ) -> list[str]:
        """The buckets in which a copy differs from the list: none if it is complete.

        :param copy: reads the copy, in the order of the ids; called once for each digest
        :param refresh: brings the copy up to date, called before the second digest, which must agree with the first
        """
        buckets = digests.different(copy(), self.digest(path))
        if buckets:
            refresh()
            buckets &= digests.different(copy(), self.digest(path))
        return sorted(buckets)

    def differences(self, path: DigestPath, copy: digests.Copy, buckets: Iterable[str]) -> digests.Differences:
        """The ids of the rows that differ in these buckets. Asks for one digest for each of them."""
        wanted = set(buckets)
        ours: dict[str, list[tuple[str, str]]] = {bucket: [] for bucket in wanted}
        for id, updated_at in copy():
            if (bucket := digests.bucket_of(id)) in wanted:
                ours[bucket].append((id, updated_at))
        found = digests.Differences([], [])
        for bucket in sorted(wanted):
            stale, extra = digests.differences(ours[bucket], self.digest(path, bucket))
            found.stale.extend(stale)
            found.extra.extend(extra)
        return found

    def _ask(
        self, method: str, path: str, query: Query = None, body: Any = None, params: Mapping[str, str] = {},
        idempotency_key: str | None = None, *, patience: Patience | None = None,
        headers: Mapping[str, str] = {}, on_headers: Callable[[Message], None] = lambda _: None,
    ) -> Any:
        sent = body if body is None or isinstance(body, bytes) else _json(body)
        headers = dict(headers)
        if method not in ("GET", "DELETE"):
            # A write that is sent twice under the same key is done once.
            headers["idempotency-key"] = idempotency_key or str(uuid4())

        def receive(response: IO[bytes], received: Message) -> Any:
            answer = whole(response, received)
            on_headers(received)
            return answer

        return self._transport.send(method, _path(path, query, params), sent, headers, patience or self._patience, receive)

    def _walk(
        self, path: str, query: Query, params: Mapping[str, str], patience: Patience | None = None,
        headers: Mapping[str, str] = {}, on_headers: Callable[[Message], None] = lambda _: None,
    ) -> Iterator[Any]:
        cursor = ""
        while True:
            asked = {**(query or {}), **({AFTER.get(path, "page[after]"): cursor} if cursor else {})}
            page = self._ask(
                "GET", path, asked, params=params, patience=patience, headers=headers, on_headers=on_headers,
            )
            if page is None:
                return
            yield from page.get("data", page.get("events", []))
            # Pages of the marketplace have no `next`: the list ends with an empty page, whose `last` is empty.
            cursor = page["page"].get("next", page["page"]["last"])
            if not cursor:
                return

    def _follow(
        self, path: str, since: str | None, query: Query, params: Mapping[str, str], poll_seconds: float,
    ) -> Iterator[list[Any]]:
        etag: str | None = None

        def keep(headers: Message) -> None:
            # A tag is that of an empty page: after any other, the next request has another URL.
            nonlocal etag
            etag = headers.get("etag")

        while True:
            asked: dict[str, Any] = {
                "page[size]": 500, **(query or {}), "sort[updatedAt]": "1", "updatedAt[after]": since,
            }
            headers = {"if-none-match": etag} if etag else {}
            group: list[Any] = []
            for item in self._walk(path, asked, params, self._endless, headers, keep):
                if len(group) >= int(asked["page[size]"]) and item["updatedAt"] != since:
                    yield group
                    group = []
                group.append(item)
                since = item["updatedAt"]
            if group:
                yield group
            time.sleep(poll_seconds)

    def _import(
        self, path: str, rows: Iterable[Any], *, replace: bool = False, cancelled: str | None = None,
        dry_run: bool = False, idempotency_key: str | None = None, batch_rows: int = 10_000, poll_seconds: float = 1,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> ImportReport:
        key = idempotency_key or str(uuid4())
        report = ImportReport()
        told = on_progress or (lambda _: None)
        accepted: list[AcceptedImport] = []
        continues: str | None = None
        for batch in _batches(path, rows, batch_rows):
            # The dry run of a part knows what the parts before took.
            if dry_run and accepted and self.finished(accepted[-1], poll_seconds=poll_seconds)["status"] == "COMPLETED":
                continues = accepted[-1]["jobId"]
            query = {"dryRun": dry_run or None, "continues": continues, "cancelled": cancelled}
            method = "PUT" if replace else "POST"
            job = self._ask(method, path, query, batch, idempotency_key=f"{key}/{report.total_rows}")
            accepted.append(job)
            report.total_rows += job["totalRows"]
            told(Progress(report.total_rows, 0))
        before = 0
        for each in accepted:
            done = self.finished(
                each, poll_seconds=poll_seconds,
                on_progress=lambda now: told(Progress(report.total_rows, before + now["processedRows"])),
            )
            report.jobs.append(done)
            report.succeeded_rows += done["succeededRows"]
            report.already_imported_rows += done["alreadyImportedRows"]
            report.cancelled_before_rows += done["cancelledBeforeRows"]
            for failure in self.rows(done, outcome="FAILED"):
                failure["row"] += before
                report.failed.append(failure)
            before += done["totalRows"]
        return report

    def _export(self, path: str, query: Query) -> Iterator[Any]:
        asked = _path(path, {**(query or {}), "format": "ndjson"}, {})
        yield from self._transport.send("GET", asked, None, {"accept": "*/*"}, self._patience, lines)


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def _path(path: str, query: Query, params: Mapping[str, str]) -> str:
    left = dict(params)

    def fill(name: Any) -> str:
        value = str(left.pop(name[1]))
        if not value:
            raise ValueError(f"{name[1]} is empty")
        return quote(value, safe="")

    filled = sub(r"\{(\w+)\}", fill, path)
    if left:
        raise TypeError(f"{path} has no {', '.join(left)}")
    given = {
        name: str(value).lower() if isinstance(value, bool) else value
        for name, value in (query or {}).items() if value is not None
    }
    # Brackets are encoded as well, because some proxies do not accept them.
    return f"{filled}?{urlencode(given, quote_via=quote)}" if given else filled


def _job_path(job: AcceptedImport | ImportJob) -> str:
    for path, (surface, _) in IMPORTS.items():
        if surface == job["surface"]:
            return f"{path}/{quote(job['jobId'], safe='')}"
    raise ValueError(f"There is no import {job['surface']}")


def _batches(path: str, rows: Iterable[Any], batch_rows: int) -> Iterator[bytes]:
    """Bodies with as many rows as fit. A row that is too large is sent alone, so that the API rejects it."""
    _, collection = IMPORTS[path]
    batch: list[bytes] = []
    size = 0

    def body() -> bytes:
        return b'{"%s":[%s]}' % (collection.encode(), b",".join(batch))

    for row in rows:
        text = _json(row)
        if len(batch) == batch_rows or (batch and size + len(text) + 1 > MOST_BYTES):
            yield body()
            batch, size = [], 0
        batch.append(text)
        size += len(text) + 1
    if batch:
        yield body()
