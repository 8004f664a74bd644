import type { DataSource } from 'typeorm';
import type { Item, Poller } from '../faults/poller';
import { recount } from '../faults/recount';
import type { Fleet } from './fleet';
import type { Ledger, Setting } from './ledger';
import type { Requests } from './requests';
import { EVENT_TYPES, type Target } from './target';

/** A promise of the documentation: how often it was checked, and how often it was broken. */
export interface Counted {
  kind: 'lost' | 'doubled' | 'unfinished' | 'unseen' | 'out of order' | 'refused wrongly' | 'miscounted';
  what: string;
  checked: number;
  broken: number;
}

export interface Evidence {
  dataSource: DataSource;
  fleet: Fleet;
  target: Target;
  ledger: Ledger;
  requests: Requests;
  pollers: { name: string; table: string; poller: Poller }[];
}

/** Counts every promise from what clients were told and what is stored. */
export async function countPromises(evidence: Evidence): Promise<Counted[]> {
  return [
    ...(await stored(evidence)),
    ...(await finished(evidence)),
    ...(await seen(evidence)),
    ...answered(evidence),
    ...(await recount(evidence.dataSource)).map(
      ({ what, count }): Counted => ({ kind: 'miscounted', what, checked: 1, broken: count }),
    ),
  ];
}

async function stored({ dataSource, target, ledger }: Evidence): Promise<Counted[]> {
  const column = async (select: string): Promise<string[]> =>
    (await dataSource.query(`${select} WHERE organization_id = $1`, [target.organizationId])).map(
      ({ id }: { id: string }) => id,
    );
  const lost = (what: string, told: string[], rows: string[]): Counted => {
    const there = new Set(rows);
    return { kind: 'lost', what, checked: told.length, broken: told.filter((id) => !there.has(id)).length };
  };
  const doubled = (what: string, rows: string[]): Counted => ({
    kind: 'doubled',
    what,
    checked: rows.length,
    broken: rows.length - new Set(rows).size,
  });
  const jobs = await column('SELECT id FROM import_jobs');
  const bookings = await column('SELECT external_booking_id AS id FROM bookings');
  const credits = await column('SELECT external_credit_id AS id FROM credits');
  const cancelled: { id: string }[] = await dataSource.query(
    `SELECT id FROM bookings WHERE organization_id = $1 AND status = 'CANCELLED'`,
    [target.organizationId],
  );
  const sent = ledger.bookings.length + ledger.credits.length;
  return [
    lost('partners', ledger.partners, await column('SELECT id FROM partners')),
    lost('import jobs', [...ledger.jobs.values()], jobs),
    lost('imported bookings', ledger.bookings, bookings),
    lost('imported credits', ledger.credits, credits),
    lost('timing messages', ledger.parcels, await column('SELECT tracking_number AS id FROM race_day_log')),
    lost(
      'cancellations by staff',
      ledger.cancelled,
      cancelled.map(({ id }) => id),
    ),
    await settings('timing: newest values', ledger.tracking, TRACKING, dataSource),
    await settings('race-day updates: newest values', ledger.kits, KIT, dataSource),
    {
      kind: 'doubled',
      what: 'jobs of an Idempotency-Key',
      checked: ledger.jobs.size,
      broken: ledger.doubledJobs,
    },
    // Clients send each batch with one key, so there are no jobs besides those that they were told, and the first.
    {
      kind: 'doubled',
      what: 'import jobs',
      checked: jobs.length,
      broken: Math.max(0, jobs.length - ledger.jobs.size - 1),
    },
    doubled('imported bookings', bookings),
    doubled('imported credits', credits),
    {
      kind: 'doubled',
      what: 'rows',
      checked: sent,
      broken: Math.max(0, bookings.length + credits.length - sent - target.participantIds.length),
    },
  ];
}

const TRACKING = 'SELECT participant_id AS id, tracking_number AS value FROM start_list_entries';
const KIT = `SELECT participant_id AS id, (SELECT f->>'value' FROM jsonb_array_elements(race_day_fields) f
  WHERE f->>'id' = 'kit') AS value FROM start_list_entries`;

async function settings(
  what: string,
  given: Setting[],
  select: string,
  dataSource: DataSource,
): Promise<Counted> {
  const rows: { id: string; value: string }[] = await dataSource.query(
    `${select} WHERE participant_id = ANY ($1)`,
    [given.map(({ participantId }) => participantId)],
  );
  const wrong = given.filter(({ participantId, kept, inDoubt }) => {
    const shown = rows.find(({ id }) => id === participantId)?.value;
    return kept !== undefined && shown !== kept && !inDoubt.includes(shown as string);
  });
  return { kind: 'lost', what, checked: given.length, broken: wrong.length };
}

export const OPEN = {
  'import jobs': `SELECT count(*)::int AS count FROM import_jobs WHERE finished_at IS NULL`,
  'race-day messages': `SELECT count(*)::int AS count FROM race_day_log WHERE applied_at IS NULL`,
  'webhook deliveries': `SELECT count(*)::int AS count FROM webhook_deliveries WHERE state = 'PENDING'`,
};

async function finished({ dataSource, target, requests }: Evidence): Promise<Counted[]> {
  const counted: Counted[] = [];
  for (const [what, sql] of Object.entries(OPEN)) {
    const [{ count }] = await dataSource.query(sql);
    counted.push({ kind: 'unfinished', what, checked: 1, broken: count });
  }
  const open: { job: object }[] = await dataSource.query(
    `SELECT json_build_object('job', to_jsonb(j), 'attempts', (SELECT json_agg(a) FROM import_attempts a WHERE a.job_id = j.id),
       'now', clock_timestamp(), 'locks', (SELECT json_agg(json_build_object('lock', l, 'session', s)) FROM pg_locks l
         JOIN pg_stat_activity s USING (pid) WHERE l.locktype = 'advisory')) AS job
     FROM import_jobs j WHERE finished_at IS NULL LIMIT 3`,
  );
  requests.examples.push(...open.map(({ job }) => JSON.stringify(job)));
  const [{ failed, rows }] = await dataSource.query(
    `SELECT coalesce(sum(failed_rows), 0)::int AS failed, sum(total_rows)::int AS rows FROM import_jobs WHERE organization_id = $1`,
    [target.organizationId],
  );
  return [
    ...counted,
    { kind: 'unfinished', what: 'import rows, which failed', checked: rows, broken: failed },
  ];
}

async function seen({ dataSource, fleet, target, ledger, pollers }: Evidence): Promise<Counted[]> {
  const counted: Counted[] = [];
  for (const { name, table, poller } of pollers) {
    const items: Item[] = await dataSource.query(
      `SELECT id, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "updatedAt" FROM ${table}
       WHERE organization_id = $1`,
      [target.organizationId],
    );
    const missing = await poller.missing(items);
    counted.push(
      {
        kind: 'unseen',
        what: `changes, by a poller of ${name}`,
        checked: items.length,
        broken: missing.length,
      },
      {
        kind: 'out of order',
        what: `changes, for a poller of ${name}`,
        checked: poller.seen.size,
        broken: poller.disordered,
      },
    );
  }
  const events: { id: string; type: string }[] = await dataSource.query(
    'SELECT id, type FROM change_events WHERE organization_id = $1',
    [target.organizationId],
  );
  const listed = events.filter(({ id }) => !ledger.events.has(id)).length;
  const wanted = events.filter(({ type }) => EVENT_TYPES.includes(type));
  const received = fleet.receiver.of('chaos').filter(({ verified }) => verified);
  const told = new Set(received.map(({ headers }) => headers['webhook-id']));
  const unsigned = fleet.receiver.of('chaos').length - received.length;
  return [
    ...counted,
    {
      kind: 'unseen',
      what: 'partners, right after they were created',
      checked: ledger.partners.length,
      broken: ledger.unseenOwn,
    },
    { kind: 'unseen', what: 'change events', checked: events.length, broken: listed },
    {
      kind: 'out of order',
      what: 'change events',
      checked: ledger.events.size,
      broken: ledger.disorderedEvents,
    },
    {
      kind: 'unseen',
      what: 'change events, by webhook',
      checked: wanted.length,
      broken: wanted.filter(({ id }) => !told.has(id)).length,
    },
    {
      kind: 'refused wrongly',
      what: 'webhooks, without a valid signature',
      checked: received.length,
      broken: unsigned,
    },
  ];
}

const answered = ({ requests }: Evidence): Counted[] => {
  const checked = Object.values(requests.answered).reduce((sum, count) => sum + count, 0);
  return [
    {
      kind: 'refused wrongly',
      what: 'requests: neither 200 nor 503',
      checked,
      broken: requests.refusedWrongly,
    },
    {
      kind: 'refused wrongly',
      what: 'requests after everything was healed',
      checked,
      broken: requests.unavailableLater,
    },
  ];
};
