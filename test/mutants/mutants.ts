/** A defect that is planted in a copy of the sources. */
export interface Mutant {
  /** What is wrong, and who would notice it. */
  defect: string;
  file: string;
  from: string;
  to: string;
  /** Patterns of the test files that should notice, as for `npm test --`. */
  tests: string;
  /** The tests in these files, if the others take long; as for `-t`. */
  names?: string;
}

/**
 * Thirty places where a mistake costs the most, whether or not tests were known there: docs/decisions/operations-and-tests.md says
 * how they were chosen.
 */
export const MUTANTS: Mutant[] = [
  // An organization sees or changes what is not its own, or somebody does who may not.
  {
    defect: 'A revoked key is accepted',
    file: 'libs/platform/access/src/keys.ts',
    from: 'AND k.revoked_at IS NULL AND o.deleted_at IS NULL',
    to: 'AND o.deleted_at IS NULL',
    tests: 'test/access',
  },
  {
    defect: 'The key of a closed organization is accepted',
    file: 'libs/platform/access/src/keys.ts',
    from: 'AND k.revoked_at IS NULL AND o.deleted_at IS NULL',
    to: 'AND k.revoked_at IS NULL',
    tests: 'test/access',
  },
  {
    defect: 'A key that is restricted to endpoints calls others',
    file: 'libs/platform/access/src/scope.ts',
    from: 'if (endpoints && !endpoints.includes(operation.name)) return ENDPOINT;',
    to: '',
    tests: 'libs/platform/access/src/scope test/contract/refusals',
  },
  {
    defect: 'Staff who may only read can change data',
    file: 'libs/platform/access/src/scope.ts',
    from: "return changes ? ['OWNER', 'MANAGER'] :",
    to: "return changes ? ['OWNER', 'MANAGER', 'VIEWER'] :",
    tests: 'test/console/roles',
  },
  {
    defect: 'An erasure on the command line reaches entries of other organizations',
    file: 'libs/domain/participants/src/erasure/entries.ts',
    from: 'WHERE e.organization_id = $1 AND `;',
    to: 'WHERE $1::uuid IS NOT NULL AND `;',
    tests: 'test/personal-data/erase',
  },
  {
    defect: 'A key of another operation counts as its Idempotency-Key',
    file: 'libs/platform/access/src/idempotency-keys.ts',
    from: 'AND operation = $2 AND key = $3\n      AND created_at',
    to: 'AND $2::text IS NOT NULL AND key = $3\n      AND created_at',
    tests: 'test/imports/bookings-import',
  },
  {
    defect: 'A request that is repeated with its Idempotency-Key does its work again',
    file: 'libs/platform/access/src/idempotency-keys.ts',
    from: 'if (this.isRepeated) throw',
    to: 'if (this.isRepeated && !this.claim) throw',
    tests: 'test/contract/idempotency',
  },
  {
    defect: 'A webhook is sent to an IPv6 address that is not global',
    file: 'libs/domain/webhooks/src/addresses.ts',
    from: '>> 13 === 1;',
    to: '>> 13 !== 0;',
    tests: 'libs/domain/webhooks/src/endpoint-url',
  },
  // A poller misses a change, or a list a row.
  {
    defect: 'The watermark passes transactions that are still writing',
    file: 'libs/platform/database/src/migrations/baseline/basics.sql',
    from: 'to_char(least(now_at, writing_since)',
    to: 'to_char(coalesce(now_at, writing_since)',
    tests: 'test/contract/pollers',
    names: 'the watermark stays below',
  },
  {
    defect: 'A list includes rows at the watermark itself, of which others may follow',
    file: 'libs/platform/queries/src/page-statement.ts',
    from: "::timestamptz, '${NIL_ID}'::uuid)`",
    to: "::timestamptz, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)`",
    tests: 'test/contract/watermark',
  },
  {
    defect: 'A page by updatedAt ends within a microsecond',
    file: 'libs/platform/queries/src/lists.ts',
    from: 'if (whole > 0) rows.length = whole;',
    to: 'if (whole > rows.length) rows.length = whole;',
    tests: 'test/contract/pollers',
    names: 'a page that would end within a microsecond',
  },
  {
    defect: 'Webhooks of events at the watermark are sent twice',
    file: 'libs/domain/webhooks/src/fan-out.ts',
    from: 'occurred_at < $4::timestamptz',
    to: 'occurred_at <= $4::timestamptz',
    tests: 'test/contract/watermark',
  },
  {
    defect: 'No event when an application becomes a participant',
    file: 'libs/platform/database/src/migrations/baseline/announcements.ts',
    from: "('participant.created', was.decided AND was.participant, NULL)",
    to: "('participant.created', false, NULL)",
    tests: 'test/change-events',
  },
  {
    defect: 'No event when an import finishes',
    file: 'libs/platform/database/src/migrations/baseline/changes.sql',
    from: "NEW.status IN ('COMPLETED', 'FAILED')",
    to: "NEW.status IN ('FAILED')",
    tests: 'test/change-events',
  },
  // Money, and places that are sold twice.
  {
    defect: 'A percentage is rounded down',
    file: 'libs/domain/discounts/src/reduction.ts',
    from: '(2n * parts + WHOLE) / (2n * WHOLE)',
    to: '(2n * parts) / (2n * WHOLE)',
    tests: 'libs/domain/discounts',
  },
  {
    defect: 'The last use of a discount code is refused',
    file: 'libs/domain/discounts/src/discount-uses.ts',
    from: 'code.usageCount + uses > code.limitUsage',
    to: 'code.usageCount + uses >= code.limitUsage',
    tests: 'test/imports/bookings-import test/imports/prices',
  },
  {
    defect: 'A discount code is valid at its end',
    file: 'libs/domain/discounts/src/discount-uses.ts',
    from: 'endDateTime && at >= endDateTime',
    to: 'endDateTime && at > endDateTime',
    tests: 'test/imports/bookings-import test/imports/prices',
  },
  {
    defect: 'Two jobs get the last use of a discount code',
    file: 'libs/domain/discounts/src/discount-uses.ts',
    from: 'ORDER BY id FOR NO KEY UPDATE',
    to: 'ORDER BY id',
    tests: 'test/imports/bookings-import test/imports/competition test/bookings/cancelling',
  },
  {
    defect: 'Every entry of a team pays',
    file: 'libs/domain/bookings/src/prices.ts',
    from: 'const startsUnit = place % unitSize === 0;',
    to: 'const startsUnit = place % unitSize < unitSize;',
    tests: 'test/imports/prices',
  },
  {
    defect: 'Cancellations do not free the uses of a discount code (the trigger of updates is forgotten)',
    file: 'libs/platform/database/src/migrations/baseline/bookings.sql',
    from: `CREATE TRIGGER count_updated AFTER UPDATE ON bookings
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_discount_uses();`,
    to: '',
    tests: 'test/bookings/cancelling',
  },
  {
    defect: 'Two decisions give away the last place',
    file: 'libs/domain/participants/src/decide-applications.ts',
    from: 'await lockRaceDay(manager, organizationId);',
    to: '',
    tests: 'test/applications/decisions test/start-list/ballot',
  },
  {
    defect: 'A race can be approved beyond its capacity by one',
    file: 'libs/domain/participants/src/remaining-places.ts',
    from: '(this.left.get(id) ?? places) < places',
    to: '(this.left.get(id) ?? places) < places - 1',
    tests: 'test/applications test/start-list/ballot',
  },
  // Accepted work that is lost, doubled or done wrongly.
  {
    defect: 'Jobs that the queue lost are not found again',
    file: 'apps/worker/src/sweeper/sweeper.ts',
    from: 'for (const organizationId of await next(most)) this.producer.enqueue(queue, { organizationId });',
    to: '',
    tests: 'test/imports/sweeping test/imports/backends',
  },
  {
    defect: 'A transaction that conflicts with another is not repeated',
    file: 'libs/domain/imports/src/job-run.ts',
    from: "if (failure === 'RETRY' && size.conflicts <",
    to: "if (failure === 'RETRY' && size.conflicts + 1e9 <",
    tests: 'test/imports/failing-rows test/imports/competition',
  },
  {
    defect: 'A dry run writes',
    file: 'libs/domain/imports/src/job-run.ts',
    from: 'const handled = dryRun ?',
    to: 'const handled = !dryRun && dryRun ?',
    tests: 'test/imports/dry-run',
  },
  {
    defect: 'An Idempotency-Key answers for another body',
    file: 'libs/platform/access/src/idempotency-keys.ts',
    from: 'if (!first.bodyHash.equals(hash)) {',
    to: 'if (first.bodyHash.length !== hash.length) {',
    tests: 'test/race-day/race-day-update',
  },
  // Race day: the wrong runner has a bib or a parcel.
  {
    defect: 'Holders of a bib are recomputed from the wrong one of several claims at a time',
    file: 'libs/domain/race-day/src/claims.ts',
    from: 'ORDER BY b.changed_at DESC, b.participant_id DESC, b.seq DESC LIMIT 1\n      ) h ON true',
    to: 'ORDER BY b.changed_at DESC, b.participant_id ASC, b.seq DESC LIMIT 1\n      ) h ON true',
    tests: 'test/race-day/bounded-work test/race-day/bibs',
  },
  {
    defect: 'Of two messages with the same time, the first one applies',
    file: 'libs/domain/race-day/src/projection.ts',
    from: '(array_agg(l.${column} ORDER BY l.changed_at DESC, l.seq DESC)',
    to: '(array_agg(l.${column} ORDER BY l.changed_at DESC, l.seq)',
    tests: 'test/timing/ingest',
  },
  {
    defect: 'Folding deletes the message that is shown',
    file: 'libs/domain/race-day/src/fold-log.ts',
    from: 'AND l.seq NOT IN (SELECT seq FROM shown WHERE seq IS NOT NULL)',
    to: 'AND l.seq NOT IN (SELECT max(seq) FROM shown WHERE seq IS NOT NULL)',
    tests: 'test/race-day/folding',
  },
  {
    defect: 'A cancellation does not wait for race-day work',
    file: 'libs/domain/bookings/src/cancel-bookings.ts',
    from: 'await lockRaceDay(manager, organizationId);\n  const found = await LOCK_BOOKINGS',
    to: 'const found = await LOCK_BOOKINGS',
    tests: 'test/bookings/cancelling',
  },
  // Personal data that stays.
  {
    defect: 'A redaction keeps the booker while a redacted entry is left',
    file: 'libs/domain/participants/src/erasure/redact-participant.ts',
    from: 'AND id <> $3 AND NOT gdpr_redacted) AS last',
    to: 'AND id <> $3) AS last',
    tests: 'test/participants/redaction',
  },
];
