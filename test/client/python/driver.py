"""Does what test/client/behaviours.test.ts asks: of each line, a command as JSON, it prints what came of it as JSON."""
from __future__ import annotations

import json
import sys
from collections.abc import Callable
from itertools import islice
from typing import Any

from startline import Client, Progress, Retry
from startline.errors import ApiError, InvalidSignature, StartlineError
from startline.webhooks import verify


def outcome_of(given: dict[str, Any]) -> dict[str, Any]:
    """With a new client, and nothing else that lasts from one command to the next."""
    retries: list[int | None] = []

    def note(retry: Retry) -> None:
        retries.append(retry.error.status if isinstance(retry.error, ApiError) else None)

    options = {key: given[name] for key, name in [("tries", "tries"), ("timeout", "timeoutSeconds")] if name in given}
    client: Any = Client(given.get("baseUrl", "http://localhost"), given.get("token", "a-key"), on_retry=note, **options)
    path, query, params = given.get("path", ""), given.get("query"), given.get("params", {})

    def changes() -> Any:
        groups = list(islice(client.changes(path, given.get("since"), query, poll_seconds=0.01), given["take"]))
        return {"groups": [[item["id"] for item in group] for group in groups], "since": groups[-1][-1]["updatedAt"]}

    def change_events() -> Any:
        pages = list(islice(client.change_events(given["after"], query, poll_seconds=0.01), given["take"]))
        return {"ids": [event["id"] for page in pages for event in page.events], "after": pages[-1].cursor}

    def import_rows() -> Any:
        progress: list[Progress] = []
        report = client.import_rows(
            path, given["rows"], idempotency_key=given["key"], batch_rows=given.get("batchRows", 10_000),
            on_progress=progress.append, poll_seconds=0.05,
        )
        return {
            "jobs": [job["jobId"] for job in report.jobs], "total": report.total_rows, "succeeded": report.succeeded_rows,
            "alreadyImported": report.already_imported_rows, "last": list(progress[-1]),
            "failed": [[row["row"], row["error"]["code"]] for row in report.failed],
        }

    def verified(body: str, headers: dict[str, str], secret: str, now: float) -> Any:
        try:
            return verify(body, headers, secret, now=now)
        except InvalidSignature:
            return "refused"

    def repair() -> Any:
        """Makes a copy, damages one row in each way, finds what differs, repairs it, and compares again."""
        copy = {item["id"]: item["updatedAt"] for item in client.every(path)}
        lost, old, *_ = sorted(copy)
        del copy[lost]
        copy[old] = "2020-01-01T00:00:00.000000Z"
        stranger = old[:-6] + "0000" + old[-2:]
        copy[stranger] = "2020-01-01T00:00:00.000000Z"

        def rows() -> Any:
            return sorted(copy.items())

        found = client.different_buckets(path, rows)
        stale, extra = client.differences(path, rows, found)
        for id in stale:
            copy[id] = client.get(path + "/{id}", id=id)["updatedAt"]
        for id in extra:
            del copy[id]
        noticed = found == sorted({lost[-2:], old[-2:]}) and (sorted(stale), extra) == (sorted([lost, old]), [stranger])
        return {"noticed": noticed, "complete": client.different_buckets(path, rows) == [], "ids": sorted(copy)}

    commands: dict[str, Callable[[], Any]] = {
        "get": lambda: client.get(path, query, **params),
        "post": lambda: client.post(path, given.get("body"), **params),
        "every": lambda: [item["id"] for item in client.every(path, query, **params)],
        "export": lambda: [item["id"] for item in client.export_participants(query)],
        "changes": changes,
        "changeEvents": change_events,
        "import": import_rows,
        "verify": lambda: [verified(**request) for request in given["requests"]],
        "repair": repair,
    }
    try:
        outcome: Any = {"value": commands[given["do"]]()}
    except ApiError as error:
        outcome = {"error": {
            "status": error.status, "code": error.code, "message": str(error), "requestId": error.request_id,
            "retryAfter": error.retry_after, "problems": error.problems,
        }}
    except StartlineError as error:
        outcome = {"error": {"message": str(error)}}
    return {**outcome, "retries": retries}


for line in sys.stdin:
    print(json.dumps(outcome_of(json.loads(line))), flush=True)
