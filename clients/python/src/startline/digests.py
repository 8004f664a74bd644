"""Comparing a copy of a list with the API's digest."""
from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ._operations import Digest

#: Reads a copy: the `id` and `updatedAt` of each row, in the order of the ids, from its beginning with each call.
Copy = Callable[[], Iterable[tuple[str, str]]]


class Differences(NamedTuple):
    """What to repair in a copy."""

    #: The ids of rows that the copy lacks, or has with another `updatedAt`: read and store them.
    stale: list[str]
    #: The ids of rows that the API does not have: remove them.
    extra: list[str]


def bucket_of(id: str) -> str:
    return id[-2:]


def compared(rows: Iterable[tuple[str, str]], digest: Digest) -> Iterator[tuple[str, str]]:
    """The rows that a digest is about: both sides leave out what still changes."""
    changed = set(digest["changed"])
    last = ""
    for id, updated_at in rows:
        if id <= last:
            raise ValueError(f"The rows of a copy must be in the order of their ids: {id} follows {last}")
        last = id
        if updated_at <= digest["watermark"] and id not in changed:
            yield id, updated_at


def different(rows: Iterable[tuple[str, str]], digest: Digest) -> set[str]:
    """The buckets in which a copy differs from one digest. A second one must agree: a row can change in between."""
    hashes = {bucket["bucket"]: hashlib.sha256() for bucket in digest["buckets"]}
    for id, updated_at in compared(rows, digest):
        if hash := hashes.get(bucket_of(id)):
            hash.update(f"{id} {updated_at}\n".encode())
    return {
        bucket["bucket"] for bucket in digest["buckets"]
        if hashes[bucket["bucket"]].hexdigest() != bucket["hash"]
    }


def differences(rows: Iterable[tuple[str, str]], digest: Digest) -> Differences:
    """The rows that differ in a bucket, from the digest with its rows."""
    ours = dict(compared(rows, digest))
    theirs = {row["id"]: row["updatedAt"] for row in digest.get("rows", [])}
    return Differences(
        stale=[id for id, updated_at in theirs.items() if ours.get(id) != updated_at],
        extra=[id for id in ours if id not in theirs],
    )
