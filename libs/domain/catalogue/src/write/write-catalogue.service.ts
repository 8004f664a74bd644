import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Actor, type AuditEntry, audit, auditAll } from '#platform/access';
import { Database, lockCatalogue, lockExternalIds, statement } from '#platform/database';
import { JsonText } from '#platform/queries';
import {
  type Problem as BodyProblem,
  errors,
  isId,
  jsonBytes,
  MOST_BYTES,
  MOST_PROBLEMS,
  problem,
} from '#platform/validation';
import { partOfOccurrence, type StoredRecord, storedRecords } from '../export';
import type { SourceRecord } from '../files/source';
import { sanitizeHtml } from '../format/html';
import type { CatalogueRecord } from '../format/records';
import type { Draft } from '../load/draft';
import { Known } from '../load/known';
import { plan, timeZonesOf } from '../load/load';
import { type CountsByTable, Rows, write } from '../load/write';
import { Problems } from '../problems';
import type {
  CatalogueChange,
  CatalogueRecordState,
  CatalogueWrite,
  CatalogueWritten,
  StaffCatalogueWrite,
  WrittenRecord,
} from './catalogue-write.dto';
import { auditedParts, changesOf, differencesOf, MOST_OF_ALL } from './changes';

/** How long a writer waits for others, in milliseconds: others wait for it. */
const LOCK_MS = '5000';
const BOUND = statement({
  parameters: ['text'],
  sql: `SELECT set_config('lock_timeout', $1, true)`,
});

/** Other operations change partners without the lock of the catalogue. */
const LOCK_PARTNERS = statement({
  parameters: ['uuid', 'uuid[]'],
  sql: 'SELECT FROM partners WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE',
});

interface Writer {
  organizationId: string;
  actor: Actor;
}

/** The most parts that a request is recorded with. */
const MOST_AUDITED = 1_000;

/** Ends the transaction of a dry run without writing. */
class OnlyTried extends Error {
  constructor(readonly written: CatalogueWritten) {
    super('dry run');
  }
}

/** The bytes of current records in a response: to parse and write them takes time in which no other request has a turn. */
const MOST_CURRENT = 128_000;

/** Writes parts of the catalogue as `loadCatalogue` does, in one transaction. */
@Injectable()
export class CatalogueWriter implements OnModuleInit {
  constructor(private readonly database: Database) {}

  /** Loads the sanitizer: at the first request, it would keep the event loop. */
  onModuleInit(): void {
    sanitizeHtml('');
  }

  /** @throws ApiError 400 with the problems by field, `CHANGED_MEANWHILE` among them; then nothing is written */
  async write({ organizationId, actor }: Writer, body: StaffCatalogueWrite): Promise<CatalogueWritten> {
    const { dryRun = false } = body;
    const connections = this.database.of(organizationId);
    try {
      return await connections.transaction(async (manager) => {
        await BOUND.run(manager, [LOCK_MS]);
        await lockCatalogue(manager, organizationId);
        if (body.records.some(({ record }) => record === 'partner'))
          await lockExternalIds(manager, organizationId);
        await requireVersions(manager, organizationId, body.versions ?? {});
        const { written, parts } = await writeRecords(manager, organizationId, body);
        if (dryRun) throw new OnlyTried(written);
        const details = { created: count(written, 'CREATED'), changed: count(written, 'CHANGED') };
        if (details.created + details.changed > 0)
          await audit(manager, actor, {
            organizationId,
            action: 'catalogue.write',
            objectType: 'catalogue',
            objectId: null,
            details: { ...details, ids: idsOf(written) },
          });
        await auditAll(manager, actor, parts.slice(0, MOST_AUDITED));
        return written;
      });
    } catch (error) {
      if (error instanceof OnlyTried) return error.written;
      throw error;
    }
  }

  /**
   * The records of an earlier request as they are now, whatever their versions were: what others have changed since, from what was sent.
   *
   * @throws ApiError 404 if one is gone, because it was renamed
   */
  async written(
    { organizationId }: Pick<Writer, 'organizationId'>,
    body: CatalogueWrite,
  ): Promise<CatalogueWritten> {
    // A dry run records nothing.
    const actor: Actor = { type: 'KEY', id: '', origin: null };
    const tried = { ...body, versions: undefined, dryRun: true };
    const { records } = await this.write({ organizationId, actor }, tried);
    if (records.some(({ outcome }) => outcome === 'CREATED')) throw errors.notFound();
    // The dry run says how the records as they are would become what was sent.
    const since = ({ before, after, ...of }: CatalogueChange) => ({ ...of, before: after, after: before });
    return {
      dryRun: false,
      records: records.map((each) => ({ ...each, changes: each.changes.map(since) })),
    };
  }

  /** @throws ApiError 404 */
  async part(organizationId: string, occurrenceId: string): Promise<JsonText> {
    const records = await partOfOccurrence(
      this.database.of(organizationId),
      organizationId,
      occurrenceId,
      (most) => errors.invalid(`The event occurrence with its forms has more than ${most} bytes.`),
    );
    if (records.length === 0) throw errors.notFound();
    return new JsonText(['{"records":[', ...records.flatMap(jsonOf), ']}']);
  }
}

const stateOf = ({ text, ...stored }: StoredRecord): CatalogueRecordState => ({
  ...stored,
  record: JSON.parse(text),
});

/** `stateOf` as JSON, whose largest part is sent as PostgreSQL wrote it. */
const jsonOf = ({ text, ...stored }: StoredRecord, at: number): string[] => [
  at > 0 ? ',' : '',
  JSON.stringify(stored).slice(0, -1),
  ',"record":',
  text,
  '}',
];

const tooLarge = (field: string) => (most: number) =>
  errors.invalidBody([
    problem(
      field,
      'TOO_LARGE',
      `must name records with at most ${most} bytes together, as they are stored: send fewer`,
    ),
  ]);

const count = ({ records }: CatalogueWritten, wanted: WrittenRecord['outcome']): number =>
  records.filter(({ outcome }) => outcome === wanted).length;
const idsOf = ({ records }: CatalogueWritten) =>
  records.filter(({ outcome }) => outcome !== 'UNCHANGED').map(({ id }) => id);

/** The versions must still hold when the writer commits: what other operations can change is locked. */
async function requireVersions(
  manager: EntityManager,
  organizationId: string,
  versions: Record<string, unknown>,
): Promise<void> {
  const ids = Object.keys(versions).filter(isId);
  if (ids.length > 0) await LOCK_PARTNERS.run(manager, [organizationId, ids]);
  const stored = await storedRecords(manager, organizationId, ids, tooLarge('versions'));
  const states = new Map(stored.map((record) => [record.id, record]));
  const changed: BodyProblem[] = [];
  let left = MOST_CURRENT;
  for (const [id, version] of Object.entries(versions)) {
    const now = states.get(id);
    if (now?.version === version) continue;
    const about = now
      ? problem(
          `versions.${id}`,
          'CHANGED_MEANWHILE',
          'is not current: somebody changed the record meanwhile',
        )
      : problem(`versions.${id}`, 'INVALID_VALUE', 'is not the id of a record of the catalogue');
    const current = now && now.text.length <= left ? stateOf(now) : undefined;
    if (current) left -= (now as StoredRecord).text.length;
    changed.push({ ...about, ...(current && { current }) });
    if (changed.length === MOST_PROBLEMS) break;
  }
  if (changed.length > 0) throw errors.invalidBody(changed);
}

async function writeRecords(
  manager: EntityManager,
  organizationId: string,
  { records, columns, dryRun = false }: StaffCatalogueWrite,
): Promise<{ written: CatalogueWritten; parts: AuditEntry[] }> {
  refuseLarge(records);
  const sources: SourceRecord[] = records.map((value, at) => {
    const ofTable = columns && value.record === 'occurrence';
    return { row: at + 1, value, ...(ofTable && { columns }) };
  });
  const timeZones = await timeZonesOf(manager);
  const known = new Known(manager, organizationId);
  const problems = new Problems();
  const drafts = await plan(sources, problems, { manager, organizationId, timeZones, known }, true);
  if (problems.count > 0) throw errors.invalidBody(problems.list.slice(0, MOST_PROBLEMS).map(asBodyProblem));
  const ids = drafts.map(({ id }) => id as string);
  const before = await byId(manager, organizationId, ids);
  const rows = new Rows();
  for (const draft of drafts) rows.take(draft.rows);
  const counts: CountsByTable = {};
  await write(manager, organizationId, rows, counts);
  const after = await byId(manager, organizationId, ids);
  requireSizes(drafts, before, after);
  const parts: AuditEntry[] = [];
  const written: WrittenRecord[] = [];
  let left = MOST_OF_ALL;
  for (const draft of drafts) {
    const [was, is] = [before, after].map((states) => states.get(draft.id as string));
    const outcome = !was ? 'CREATED' : was.version !== is?.version ? 'CHANGED' : 'UNCHANGED';
    const kind = draft.record.record;
    const name = nameOf(draft);
    const shown = dryRun ? was : is;
    const about = {
      record: kind,
      name,
      id: shown?.id ?? null,
      outcome,
      version: shown?.version ?? null,
    } as const;
    if (outcome === 'UNCHANGED' || !is) {
      written.push({ ...about, changes: [], changeCount: 0 });
      continue;
    }
    const [from, to] = [was && JSON.parse(was.text), JSON.parse(is.text)];
    const all = await differencesOf(from, to, turnOfLoop);
    const seen = changesOf(all, from, to, left);
    left -= seen.changes.length;
    written.push({ ...about, ...seen });
    for (const part of auditedParts({ kind, id: is.id, name }, was && all))
      parts.push({ ...part, organizationId });
    // Other requests have a turn: a large record takes milliseconds.
    await turnOfLoop();
  }
  return { written: { dryRun, records: written }, parts };
}

/** @throws ApiError 400 for records that are too large themselves, before anything is done with them */
function refuseLarge(records: CatalogueWrite['records']): void {
  const found = records.flatMap((record, row): BodyProblem[] => {
    const bytes = jsonBytes(record);
    if (bytes <= MOST_BYTES.record) return [];
    const message = `has ${bytes} bytes, and must not have more than ${MOST_BYTES.record}`;
    return [{ ...problem(`records[${row}]`, 'TOO_LARGE', message), row }];
  });
  if (found.length > 0) throw errors.invalidBody(found.slice(0, MOST_PROBLEMS));
}

/** @throws ApiError 400 for records that are too large with what they have already, if they grew */
function requireSizes(
  drafts: Draft[],
  before: Map<string, StoredRecord>,
  after: Map<string, StoredRecord>,
): void {
  const found = drafts.flatMap(({ id = '', source: { row } }): BodyProblem[] => {
    const [was, is] = [before, after].map((states) => Buffer.byteLength(states.get(id)?.text ?? ''));
    if (!is || is <= Math.max(MOST_BYTES.record, was ?? 0)) return [];
    const message = `would have ${is} bytes with what is stored already, and must not have more than ${MOST_BYTES.record}`;
    return [{ ...problem(`records[${row - 1}]`, 'TOO_LARGE', message), row: row - 1 }];
  });
  if (found.length > 0) throw errors.invalidBody(found.slice(0, MOST_PROBLEMS));
}

const byId = async (manager: EntityManager, organizationId: string, ids: string[]) =>
  new Map(
    (await storedRecords(manager, organizationId, ids, tooLarge('records'))).map((stored) => [
      stored.id,
      stored,
    ]),
  );

function nameOf({ record }: Draft): string {
  const named = record as CatalogueRecord & { key?: string; slug?: string; name?: string; title?: string };
  return named.key ?? named.slug ?? named.name ?? named.title ?? '';
}

/** `row` counts from 1, as in files. */
function asBodyProblem({
  row,
  field,
  message,
  code = 'INVALID_VALUE',
  used,
}: Problems['list'][number]): BodyProblem {
  const path = `records[${row - 1}]${field ? `.${field}` : ''}`;
  return { ...problem(path, code, message), row: row - 1, ...(used !== undefined && { used }) };
}
