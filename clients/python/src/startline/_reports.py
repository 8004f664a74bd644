"""What callers get about imports and retries."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ._operations import ImportJob, ImportRowResult
    from .errors import StartlineError


class Retry(NamedTuple):
    """A request that is sent again after a wait."""

    method: str
    url: str
    #: How often the request was sent so far.
    attempt: int
    wait_seconds: float
    error: StartlineError


class Progress(NamedTuple):
    """Of an import: the rows that were sent so far, and those of them that have an outcome."""

    accepted: int
    processed: int


@dataclass
class ImportReport:
    """The outcomes of an import, over all its batches."""

    #: One for each batch. A `FAILED` job left rows without an outcome; its `failure` has the reason.
    jobs: list[ImportJob] = field(default_factory=list)
    total_rows: int = 0
    succeeded_rows: int = 0
    already_imported_rows: int = 0
    cancelled_before_rows: int = 0
    #: `row` counts from 0 over all given rows.
    failed: list[ImportRowResult] = field(default_factory=list)
