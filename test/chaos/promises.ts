import type { DataSource } from 'typeorm';
import type { Item, Poller } from '../faults/poller';
import { recount } from '../faults/recount';
import { ACCEPTED } from '../webhooks/receiver';
import type { Fleet } from './fleet';
import type { Ledger, Setting, Tally } from './ledger';
import type { Requests } from './requests';
import { DISCOUNT_USES, EVENT_TYPES, type Target } from './target';

/** A promise of the documentation: how often it was checked, and how often it was broken. */
export interface Counted extends Tally {
  kind:
    | 'lost'
    | 'doubled'
    | 'unfinished'
    | 'unseen'
    | 'out of order'
    | 'refused wrongly'
    | 'let in'
    | 'miscounted';
  what: string;
}

export interface Evidence {
  dataSource: DataSource;
  fleet: Fleet;
  target: Target;
  ledger: Ledger;
  requests: Requests;
  pollers: { name: string; table: string; poller: Poller }[];
}

const counted = (kind: Counted['kind'], what: string, checked: number, broken: number): Counted => ({
  kind,
  what,
  checked,
  broken,
});
const tallied = (kind: Counted['kind'], what: string, { checked, broken }: Tally): Counted =>
  counted(kind, what, checked, broken);

/** Counts every promise from what clients were told and what is stored. */
export async function countPromises(evidence: Evidence): Promise<Counted[]> {
  return [
    ...(await stored(evidence)),
    ...(await announced(evidence)),
    ...(await finished(evidence)),
    ...(await seen(evidence)),
    ...(await answered(evidence)),
    ...(await recount(evidence.dataSource)).map(({ what, count }) => counted('miscounted', what, 1, count)),
  ];
}

/** The first column of a statement about the organization. */
const column = async ({ dataSource, target }: Evidence, sql: string): Promise<string[]> =>
  (await dataSource.query(sql, [target.organizationId])).map((row: object) => Object.values(row)[0]);

const OF = 'organization_id = $1';

async function stored(evidence: Evidence): Promise<Counted[]> {
  const { target, ledger, dataSource } = evidence;
  const lost = (what: string, told: string[], rows: string[]) => {
    const there = new Set(rows);
    return counted('lost', what, told.length, told.filter((id) => !there.has(id)).length);
  };
  const doubled = (what: string, rows: string[]) =>
    counted('doubled', what, rows.length, rows.length - new Set(rows).size);
  const jobs = await column(evidence, `SELECT id FROM import_jobs WHERE ${OF} AND mode <> 'UNDO'`);
  const undone = await column(
    evidence,
    `SELECT undoes_job_id FROM import_jobs WHERE ${OF} AND mode = 'UNDO'`,
  );
  const bookings = await column(evidence, `SELECT external_booking_id FROM bookings WHERE ${OF}`);
  const cancelled = `SELECT id FROM bookings WHERE ${OF} AND status = 'CANCELLED'`;
  const cancelledExternal = cancelled.replace('id', 'external_booking_id');
  const credits = await column(evidence, `SELECT external_credit_id FROM credits WHERE ${OF}`);
  const written = new Set(
    await column(evidence, `SELECT external_id FROM import_rows WHERE ${OF} AND outcome = 'IMPORTED'`),
  );
  const existing = new Set([...bookings, ...credits]);
  const discarded = ledger.discarded.filter((id) => existing.has(id) !== written.has(id));
  const discounted = ledger.discounted.filter((id) => existing.has(id)).length;
  const sent = new Set([...ledger.bookings, ...ledger.discounted, ...ledger.credits, ...ledger.discarded]);
  const unsent = [...bookings, ...credits].filter((id) => !sent.has(id)).length;
  const updates = await column(
    evidence,
    `SELECT f->>'value' FROM race_day_log, jsonb_array_elements(custom_fields) f WHERE ${OF}`,
  );
  const audited = await column(
    evidence,
    `SELECT object_id FROM audit_log WHERE ${OF} AND action = 'booking.cancel'`,
  );
  return [
    lost('partners', ledger.partners, await column(evidence, `SELECT id FROM partners WHERE ${OF}`)),
    lost('import jobs', [...ledger.jobs.values()], jobs),
    lost('imported bookings', ledger.bookings, bookings),
    lost('imported credits', ledger.credits, credits),
    counted(
      'lost',
      'rows of discarded imports, or written without an outcome',
      ledger.discarded.length,
      discarded.length,
    ),
    lost(
      'timing messages',
      ledger.parcels,
      await column(evidence, `SELECT tracking_number FROM race_day_log WHERE ${OF}`),
    ),
    await settings('timing: newest values', ledger.tracking, TRACKING, dataSource),
    await settings('race-day updates: newest values', ledger.kits, KIT, dataSource),
    lost('cancellations by staff', ledger.cancelled, await column(evidence, cancelled)),
    lost('cancellations by staff, in the audit log', ledger.cancelled, audited),
    lost('cancellations by undone imports', ledger.undone, await column(evidence, cancelledExternal)),
    tallied('doubled', 'jobs of an Idempotency-Key', ledger.repeats),
    // Clients send each batch with one key, so there are no jobs besides those that they were told, and the first.
    counted('doubled', 'import jobs', jobs.length, Math.max(0, jobs.length - ledger.jobs.size - 1)),
    doubled('undone imports', undone),
    doubled('imported bookings', bookings),
    doubled('imported credits', credits),
    counted(
      'doubled',
      'rows that nobody sent',
      bookings.length + credits.length,
      Math.max(0, unsent - target.participantIds.length),
    ),
    doubled('race-day updates of an Idempotency-Key', updates),
    doubled('cancellations by staff, in the audit log', audited),
    counted(
      'doubled',
      'uses of a limited discount code, or refused wrongly',
      ledger.discounted.length,
      Math.abs(discounted - Math.min(DISCOUNT_USES, ledger.discounted.length)),
    ),
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
  return counted('lost', what, given.length, wrong.length);
}

/** The rows that are announced by exactly one change event each. */
const ANNOUNCED: Record<string, string> = {
  'partner.created': 'SELECT id FROM partners WHERE organization_id = $1',
  'booking.created': 'SELECT id FROM bookings WHERE organization_id = $1',
  'booking.cancelled': `SELECT id FROM bookings WHERE organization_id = $1 AND status = 'CANCELLED'`,
  'import.finished': 'SELECT id FROM import_jobs WHERE organization_id = $1 AND finished_at IS NOT NULL',
};

/** An event exists if and only if its change was committed. */
async function announced({ dataSource, target }: Evidence): Promise<Counted[]> {
  const of = await Promise.all(
    Object.entries(ANNOUNCED).map(async ([type, subjects]) => {
      const [{ checked, lost, doubled }] = await dataSource.query(
        `SELECT count(*)::int AS checked, count(*) FILTER (WHERE events = 0)::int AS lost,
           count(*) FILTER (WHERE events > 1 OR NOT known)::int AS doubled
         FROM (SELECT count(e.id) AS events, bool_or(s.id IS NOT NULL) AS known FROM (${subjects}) s
           FULL JOIN (SELECT id, subject_id FROM change_events WHERE organization_id = $1 AND type = $2) e
           ON e.subject_id = s.id GROUP BY coalesce(s.id, e.subject_id)) counted`,
        [target.organizationId, type],
      );
      return [
        counted('lost', `change events ${type}`, checked, lost),
        counted('doubled', `change events ${type}, or of nothing`, checked, doubled),
      ];
    }),
  );
  return of.flat();
}

export const OPEN = {
  'import jobs': `SELECT count(*)::int AS count FROM import_jobs WHERE finished_at IS NULL`,
  'race-day messages': `SELECT count(*)::int AS count FROM race_day_log WHERE applied_at IS NULL`,
  'webhook deliveries': `SELECT count(*)::int AS count FROM webhook_deliveries WHERE state <> 'DELIVERED'`,
};

async function finished({ dataSource, target, requests }: Evidence): Promise<Counted[]> {
  const all: Counted[] = [];
  for (const [what, sql] of Object.entries(OPEN)) {
    const [{ count }] = await dataSource.query(sql);
    all.push(counted('unfinished', what, 1, count));
  }
  const open: { job: object }[] = await dataSource.query(
    `SELECT json_build_object('job', to_jsonb(j), 'attempts', (SELECT json_agg(a) FROM import_attempts a WHERE a.job_id = j.id),
       'now', clock_timestamp(), 'locks', (SELECT json_agg(json_build_object('lock', l, 'session', s)) FROM pg_locks l
         JOIN pg_stat_activity s USING (pid) WHERE l.locktype = 'advisory')) AS job
     FROM import_jobs j WHERE finished_at IS NULL LIMIT 3`,
  );
  requests.examples.push(...open.map(({ job }) => JSON.stringify(job)));
  const [{ failed, rows }] = await dataSource.query(
    `SELECT count(*) FILTER (WHERE outcome = 'FAILED' AND error_code <> 'DISCOUNT_LIMIT_REACHED')::int AS failed, count(*)::int AS rows
     FROM import_rows WHERE organization_id = $1`,
    [target.organizationId],
  );
  return [...all, counted('unfinished', 'import rows, which failed', rows, failed)];
}

async function seen(evidence: Evidence): Promise<Counted[]> {
  const { dataSource, fleet, target, ledger, pollers } = evidence;
  const all: Counted[] = [];
  for (const { name, table, poller } of pollers) {
    const items: Item[] = await dataSource.query(
      `SELECT id, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "updatedAt" FROM ${table}
       WHERE organization_id = $1`,
      [target.organizationId],
    );
    const missing = await poller.missing(items);
    all.push(
      counted('unseen', `changes, by a poller of ${name}`, items.length, missing.length),
      counted('out of order', `changes, for a poller of ${name}`, poller.seen.size, poller.disordered),
    );
  }
  const events: { id: string; type: string }[] = await dataSource.query(
    'SELECT id, type FROM change_events WHERE organization_id = $1',
    [target.organizationId],
  );
  const unread = events.filter(({ id }) => !ledger.events.has(id)).length;
  const wanted = events.filter(({ type }) => EVENT_TYPES.includes(type));
  const received = fleet.receiver.of('asked');
  const verified = received.filter((each) => each.verified);
  const bodies = new Map<string | undefined, Set<string>>();
  const accepted = new Set<string | undefined>();
  for (const { headers, body, status } of verified) {
    const id = headers['webhook-id'];
    bodies.set(id, (bodies.get(id) ?? new Set()).add(body));
    if (status === ACCEPTED) accepted.add(id);
  }
  const changed = [...bodies.values()].filter(({ size }) => size > 1).length;
  const untold = wanted.filter(({ id }) => !accepted.has(id)).length;
  return [
    ...all,
    tallied('unseen', 'partners, right after they were created', ledger.ownReads),
    tallied('unseen', 'new partners in a list, with the ETag of before', ledger.listTags),
    tallied('unseen', 'new names of a partner, with the ETag of before', ledger.tags),
    tallied('unseen', 'partners, by a client that reads page by page', ledger.walked),
    tallied('doubled', 'partners, in a list that is read page by page', ledger.walkedTwice),
    counted('unseen', 'change events', events.length, unread),
    tallied('out of order', 'change events', ledger.eventOrder),
    counted('unseen', 'change events, by webhook', wanted.length, untold),
    counted('doubled', 'webhooks that were sent again with another body', bodies.size, changed),
    counted(
      'refused wrongly',
      'webhooks, without a valid signature',
      received.length,
      received.length - verified.length,
    ),
  ];
}

/** Lists with their tables: `totalResults` is the number of rows. */
const TOTALS = { '/v0/partners': 'partners', '/v0/applications': 'start_list_entries' };

async function answered({ dataSource, requests, target, ledger }: Evidence): Promise<Counted[]> {
  const totals = await Promise.all(
    Object.entries(TOTALS).map(async ([path, table]) => {
      const [{ count }] = await dataSource.query(
        `SELECT count(*)::int AS count FROM ${table} WHERE organization_id = $1`,
        [target.organizationId],
      );
      const list = await requests.ask('total', `${path}?page%5Bsize%5D=1`);
      return counted(
        'miscounted',
        `totalResults of ${path}`,
        1,
        Math.abs(list?.body.page.totalResults - count),
      );
    }),
  );
  const checked = Object.values(requests.answered).reduce((sum, count) => sum + count, 0);
  return [
    ...totals,
    counted('refused wrongly', 'requests: neither as expected nor 503', checked, requests.refusedWrongly),
    counted('refused wrongly', 'requests after everything was healed', checked, requests.unavailableLater),
    tallied('let in', 'another organization', ledger.strangers),
  ];
}
