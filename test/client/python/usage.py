"""Programs of partners, for the type checker: the types are those of the reference, and mistakes are found."""
from collections.abc import Iterator
from typing import assert_type

from startline import Client, ImportReport
from startline.types import BookingImportRow, ImportJob, Participant, Partner, TicketDetails
from startline.webhooks import verify

client = Client("https://api.example.com", "a-key")

assert_type(client.get("/v0/tickets/{id}", id="x"), TicketDetails)
assert_type(client.every("/v0/participants", {"tag": "club", "features": "tags"}), Iterator[Participant])
assert_type(client.changes("/v0/partners", "2026-01-01", poll_seconds=1), Iterator[list[Partner]])
assert_type(client.export_participants({"raceId": "x"}), Iterator[Participant])
assert_type(client.patch("/v0/partners/{id}", {"name": "Hospice"}, id="x")["name"], str)

rows: list[BookingImportRow] = []
assert_type(client.import_rows("/v0/bookings/import", rows, cancelled="skip"), ImportReport)
job = client.post("/v0/credits/import", {"credits": []}, idempotency_key="monday")
assert_type(client.finished(job), ImportJob)
assert_type(verify(b"{}", {}, "whsec_")["type"] == "participant.created", bool)

client.get("/v0/ticket/{id}", id="x")  # type: ignore[call-overload]
client.get("/v0/tickets/{id}")  # type: ignore[call-overload]
client.every("/v0/participants", {"raceID": "x"})  # type: ignore[call-overload]
client.every("/v0/tickets/{id}", id="x")  # type: ignore[call-overload]
client.import_rows("/v0/credits/import", [], cancelled="skip")  # type: ignore[call-overload]
client.import_rows("/v0/credits/import", [{"email": "ada@example.com"}])  # type: ignore[call-overload]
