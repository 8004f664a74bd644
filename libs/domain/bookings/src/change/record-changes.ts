import type { EntityManager } from 'typeorm';
import { type Actor, type AuditEntry, auditAll, changesBetween } from '#platform/access';
import { statement, typed } from '#platform/database';

/** What a job did to a participant: the tags, the wave or the bib before and after, or that it was cancelled. */
export interface ChangedParticipant {
  participantId: string;
  tags?: readonly [from: readonly string[], to: readonly string[]];
  waveId?: readonly [from: string | null, to: string | null];
  bibNumber?: readonly [from: string | null, to: string | null];
}

const UNDOES = statement({
  parameters: ['uuid', 'uuid'],
  columns: { jobId: 'uuid?' },
  sql: 'SELECT undoes_job_id AS "jobId" FROM import_jobs WHERE organization_id = $1 AND id = $2',
});

/**
 * Who started job $2, or the job $3 that undoes it: what made it recorded that. By parameters, because a cast of a column cannot be compared
 * with an index under row-level security, and the log has a record of each participant.
 */
const STARTED_BY = statement({
  parameters: ['uuid', 'text', 'text?'],
  columns: { type: typed<Actor['type']>('text'), id: 'text?', origin: 'text?' },
  sql: `
    SELECT a.actor_type AS type, a.actor_id AS id, a.origin FROM audit_log a
    WHERE a.organization_id = $1 AND a.object_id = $2
      AND CASE WHEN $3::text IS NULL THEN a.action = 'participant.change' ELSE a.details->>'undoJobId' = $3 END LIMIT 1
  `,
});

const TITLES = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { id: 'uuid', title: 'text' },
  sql: 'SELECT id, title FROM waves WHERE organization_id = $1 AND id = ANY ($2)',
});

/** Records in the history of each participant what a job changed, as by who started the job. */
export async function recordChanges(
  manager: EntityManager,
  { organizationId, jobId }: { organizationId: string; jobId: string },
  changed: readonly ChangedParticipant[],
): Promise<void> {
  if (changed.length === 0) return;
  const { jobId: undone } = await UNDOES.one(manager, [organizationId, jobId]);
  const by = await STARTED_BY.first(manager, [organizationId, undone ?? jobId, undone && jobId]);
  if (!by) return;
  const waveIds = changed.flatMap(({ waveId = [] }) => waveId.flatMap((each) => each ?? []));
  const waves = waveIds.length > 0 ? await TITLES.rows(manager, [organizationId, [...new Set(waveIds)]]) : [];
  const titles = new Map(waves.map(({ id, title }) => [id, title]));
  const titleOf = (id: string | null) => (id === null ? null : (titles.get(id) ?? id));
  const entries = changed.map(({ participantId, tags, waveId, bibNumber }): AuditEntry => {
    const record = { organizationId, objectType: 'participant', objectId: participantId, details: { jobId } };
    if (tags)
      return {
        ...record,
        action: 'participant.update',
        changes: changesBetween({ tags: tags[0] }, { tags: tags[1] }),
      };
    if (bibNumber)
      return {
        ...record,
        action: 'participant.update',
        changes: changesBetween({ bibNumber: bibNumber[0] }, { bibNumber: bibNumber[1] }),
      };
    if (!waveId) return { ...record, action: 'participant.cancel' };
    const [from, to] = waveId.map(titleOf);
    return { ...record, action: 'participant.update', changes: changesBetween({ wave: from }, { wave: to }) };
  });
  await auditAll(manager, by, entries);
}
