/** A defect that is planted in a copy of the sources. */
export interface Mutant {
  /** What is wrong, and who would notice it. */
  defect: string;
  file: string;
  from: string;
  to: string;
  /** Patterns of the test files that should notice, as for `npm test --`. */
  tests: string;
}

/**
 * Thirty places where a mistake costs the most, whether or not tests were known there: docs/decisions/0112-mutants.md says
 * how they were chosen.
 */
export const MUTANTS: Mutant[] = [
  // An organization sees or changes what is not its own, or somebody does who may not.
  {
    defect: 'A revoked key is accepted',
    file: 'libs/access/src/keys.ts',
    from: 'AND k.revoked_at IS NULL AND o.deleted_at IS NULL',
    to: 'AND o.deleted_at IS NULL',
    tests: 'test/access',
  },
  {
    defect: 'The key of a closed organization is accepted',
    file: 'libs/access/src/keys.ts',
    from: 'AND k.revoked_at IS NULL AND o.deleted_at IS NULL',
    to: 'AND k.revoked_at IS NULL',
    tests: 'test/access',
  },
  {
    defect: 'A key that is restricted to endpoints calls others',
    file: 'libs/access/src/scope.ts',
    from: 'if (endpoints && !endpoints.includes(operation.name)) return ENDPOINT;',
    to: '',
    tests: 'libs/access test/contract/refusals',
  },
  {
    defect: 'Staff who may only read can change data',
    file: 'libs/access/src/scope.ts',
    from: "return changes ? ['OWNER', 'MANAGER'] :",
    to: "return changes ? ['OWNER', 'MANAGER', 'VIEWER'] :",
    tests: 'test/console/roles',
  },
  {
    defect: 'An erasure on the command line reaches entries of other organizations',
    file: 'libs/personal-data/src/entries.ts',
    from: 'WHERE e.organization_id = $1 AND `;',
    to: 'WHERE $1::uuid IS NOT NULL AND `;',
    tests: 'test/personal-data/erase',
  },
  {
    defect: 'A key of another operation counts as its Idempotency-Key',
    file: 'libs/idempotency/src/idempotency-keys.ts',
    from: 'WHERE organization_id = $1 AND operation = $2 AND key = $3',
    to: 'WHERE organization_id = $1 AND $2::text IS NOT NULL AND key = $3',
    tests: 'test/imports/bookings-import',
  },
  {
    defect: 'A webhook is sent to an IPv6 address that is not global',
    file: 'libs/webhooks/src/addresses.ts',
    from: '>> 13 === 1;',
    to: '>> 13 !== 0;',
    tests: 'libs/webhooks test/webhooks/webhooks',
  },
  // A poller misses a change, or a list a row.
  {
    defect: 'The watermark passes transactions that are still writing',
    file: 'libs/database/src/migrations/2-rules.ts',
    from: 'to_char(least(now_at, writing_since)',
    to: 'to_char(coalesce(now_at, writing_since)',
    tests: 'test/contract/pollers',
  },
  {
    defect: 'A list includes rows at the watermark itself, of which others may follow',
    file: 'libs/resources/src/lists.ts',
    from: "::timestamptz, '00000000-0000-0000-0000-000000000000'::uuid)`",
    to: "::timestamptz, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)`",
    tests: 'test/contract/watermark test/contract/pollers',
  },
  {
    defect: 'A page by updatedAt ends within a microsecond',
    file: 'libs/resources/src/lists.ts',
    from: 'if (whole > 0) rows.length = whole;',
    to: 'if (whole > rows.length) rows.length = whole;',
    tests: 'test/contract/pollers test/contract/paging',
  },
  {
    defect: 'Webhooks of events at the watermark are sent twice',
    file: 'libs/webhooks/src/fan-out.ts',
    from: 'occurred_at < $4::timestamptz',
    to: 'occurred_at <= $4::timestamptz',
    tests: 'test/contract/watermark',
  },
  {
    defect: 'No event when an application becomes a participant',
    file: 'libs/database/src/migrations/71-announce-changes.ts',
    from: "('participant.created', was.decided AND was.participant, NULL)",
    to: "('participant.created', false, NULL)",
    tests: 'test/change-events',
  },
  {
    defect: 'No event when an import finishes',
    file: 'libs/database/src/migrations/71-announce-changes.ts',
    from: "NEW.status IN ('COMPLETED', 'FAILED')",
    to: "NEW.status IN ('FAILED')",
    tests: 'test/change-events',
  },
  // Money, and places that are sold twice.
  {
    defect: 'A percentage is rounded down',
    file: 'libs/discounts/src/reduction.ts',
    from: '(2n * parts + WHOLE) / (2n * WHOLE)',
    to: '(2n * parts) / (2n * WHOLE)',
    tests: 'libs/discounts',
  },
  {
    defect: 'The last use of a discount code is refused',
    file: 'libs/discounts/src/discount-uses.ts',
    from: 'code.usageCount + uses > code.limitUsage',
    to: 'code.usageCount + uses >= code.limitUsage',
    tests: 'test/imports/bookings-import test/imports/prices test/discount-codes',
  },
  {
    defect: 'A discount code is valid at its end',
    file: 'libs/discounts/src/discount-uses.ts',
    from: 'endDateTime && at >= endDateTime',
    to: 'endDateTime && at > endDateTime',
    tests: 'test/imports/bookings-import test/imports/prices test/discount-codes',
  },
  {
    defect: 'Two jobs get the last use of a discount code',
    file: 'libs/discounts/src/discount-uses.ts',
    from: 'ORDER BY id FOR NO KEY UPDATE',
    to: 'ORDER BY id',
    tests: 'test/imports/bookings-import test/imports/prices test/discount-codes test/bookings/cancelling',
  },
  {
    defect: 'Every entry of a team pays',
    file: 'libs/bookings/src/prices.ts',
    from: 'const startsUnit = place % unitSize === 0;',
    to: 'const startsUnit = place % unitSize < unitSize;',
    tests: 'test/imports/prices test/imports/bookings-import',
  },
  {
    defect: 'Cancellations do not free the uses of a discount code (the trigger of updates is forgotten)',
    file: 'libs/database/src/migrations/2-rules.ts',
    from: `CREATE TRIGGER count_updated AFTER UPDATE ON bookings
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_discount_uses();`,
    to: '',
    tests: 'test/bookings',
  },
  {
    defect: 'Two decisions give away the last place',
    file: 'libs/start-list/src/places.ts',
    from: 'await LOCK.run(manager, [organizationId]);',
    to: '',
    tests: 'test/applications test/start-list',
  },
  {
    defect: 'A race can be approved beyond its capacity by one',
    file: 'libs/start-list/src/places.ts',
    from: '(this.left.get(id) ?? 1) < 1',
    to: '(this.left.get(id) ?? 1) < 0',
    tests: 'test/applications test/start-list',
  },
  // Accepted work that is lost, doubled or done wrongly.
  {
    defect: 'Jobs that the queue lost are not found again',
    file: 'libs/imports/src/import-sweeper.ts',
    from: "for (const organizationId of found) this.producer.enqueue('imports', { organizationId });",
    to: '',
    tests: 'test/imports/sweeping test/imports/backends',
  },
  {
    defect: 'A transaction that conflicts with another is not repeated',
    file: 'libs/imports/src/job-run.ts',
    from: "if (failure === 'AGAIN' && size.conflicts <",
    to: "if (failure === 'AGAIN' && size.conflicts + 1e9 <",
    tests: 'test/imports/failing-rows test/imports/chunks test/imports/corrections',
  },
  {
    defect: 'A dry run writes',
    file: 'libs/imports/src/job-run.ts',
    from: 'const handled = dryRun ?',
    to: 'const handled = !dryRun && dryRun ?',
    tests: 'test/imports/dry-run',
  },
  {
    defect: 'An Idempotency-Key answers for another body',
    file: 'libs/idempotency/src/idempotency-keys.ts',
    from: 'if (!first.bodyHash.equals(hash)) {',
    to: 'if (first.bodyHash.length !== hash.length) {',
    tests: 'test/imports/answers test/partners',
  },
  // Race day: the wrong runner has a bib or a parcel.
  {
    defect: 'Holders of a bib are recomputed from the wrong one of several claims at a time',
    file: 'libs/race-day/src/claims.ts',
    from: 'ORDER BY b.changed_at DESC, b.participant_id DESC, b.seq DESC LIMIT 1\n      ) h ON true',
    to: 'ORDER BY b.changed_at DESC, b.participant_id ASC, b.seq DESC LIMIT 1\n      ) h ON true',
    tests: 'test/race-day',
  },
  {
    defect: 'Of two messages with the same time, the first one applies',
    file: 'libs/race-day/src/projection.ts',
    from: '(array_agg(l.${column} ORDER BY l.changed_at DESC, l.seq DESC)',
    to: '(array_agg(l.${column} ORDER BY l.changed_at DESC, l.seq)',
    tests: 'test/race-day/any-order test/timing',
  },
  {
    defect: 'Folding deletes the message that is shown',
    file: 'libs/race-day/src/fold-log.ts',
    from: 'AND l.seq NOT IN (SELECT seq FROM shown WHERE seq IS NOT NULL)',
    to: 'AND l.seq NOT IN (SELECT max(seq) FROM shown WHERE seq IS NOT NULL)',
    tests: 'test/race-day/folding',
  },
  {
    defect: 'A cancellation does not wait for race-day work',
    file: 'libs/bookings/src/cancel-bookings.ts',
    from: 'await lockRaceDay(manager, organizationId);',
    to: '',
    tests: 'test/race-day/bibs test/bookings/cancelling',
  },
  // Personal data that stays.
  {
    defect: 'A redaction keeps the booker while a redacted entry is left',
    file: 'libs/personal-data/src/redact-participant.ts',
    from: 'AND id <> $3 AND NOT gdpr_redacted) AS last',
    to: 'AND id <> $3) AS last',
    tests: 'test/participants/redaction',
  },
];
