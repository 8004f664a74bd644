import { Injectable } from '@nestjs/common';
import {
  CHANGE_REFUSALS,
  cancelJob,
  IMPORTS,
  ImportSubmission,
  type ImportSurface,
  type ImportUndoPreview,
  ImportUndoService,
  JOB,
  RETRY_REFUSALS,
  reopenJob,
  undoChange,
} from '#domain/imports';
import { type Actor, type Caller, importPermission, type Permission } from '#platform/access';
import { Database, statement, typed } from '#platform/database';
import type { ImportMode } from '#platform/import-rows';
import { type JsonText, Reads } from '#platform/queries';
import { JobProducer } from '#platform/queues';
import { errors, isId } from '#platform/validation';

/** What a job imports. */
interface Import {
  surface: ImportSurface;
  mode: ImportMode;
}

/** A job, for the caller who may follow or undo it. */
interface Job extends Import {
  /** Whether it undoes another job. */
  undoes: boolean;
}

const FIND = statement({
  parameters: ['uuid', 'uuid'],
  columns: { surface: typed<ImportSurface>('text'), mode: typed<ImportMode>('text'), undoes: 'boolean' },
  sql: `
    SELECT surface, mode, undoes_job_id IS NOT NULL AS undoes FROM import_jobs WHERE organization_id = $1 AND id = $2
  `,
});

/** Changes of participants are their matter, also if an import's surface has the same name. */
const following = ({ surface, mode }: Import): Permission =>
  mode === 'CHANGE' ? 'participants:write' : importPermission(surface);
const undoing = ({ surface, mode }: Import): Permission =>
  mode === 'CHANGE' ? 'participants:write' : IMPORTS[surface].undo.permission;
/** Whoever cancels or retries an undo decides what is undone. */
const controlling = (job: Job): Permission => (job.undoes ? undoing(job) : following(job));

const SURFACES = Object.keys(IMPORTS) as ImportSurface[];
const anyOf = (permissionOf: typeof following): Permission[] => [
  ...new Set([
    ...SURFACES.map((surface) => permissionOf({ surface, mode: 'CREATE' })),
    'participants:write' as const,
  ]),
];
/** One of these is required of a key that follows jobs, undoes them, or cancels and retries both. */
export const FOLLOWING = anyOf(following);
export const UNDOING = anyOf(undoing);
export const CONTROLLING = [...new Set([...FOLLOWING, ...UNDOING])];

/** What callers do with a job of any import, or of a change of several participants. Everything is idempotent. */
@Injectable()
export class ImportControl {
  constructor(
    private readonly database: Database,
    private readonly reads: Reads,
    private readonly producer: JobProducer,
    private readonly submission: ImportSubmission,
    private readonly undos: ImportUndoService,
  ) {}

  /** @throws ApiError 404 if the caller has no such job, or may not import its surface */
  async find(
    caller: Caller,
    jobId: string,
    permissionOf: (job: Job) => Permission = following,
  ): Promise<Job> {
    const found = isId(jobId)
      ? await FIND.first(this.database.of(caller), [caller.organizationId, jobId])
      : undefined;
    if (!found || !isPermitted(caller, permissionOf(found))) throw errors.notFound();
    return found;
  }

  /** A job whose rows may be imported now. @throws ApiError as `find`; 403 if the surface is off */
  private async importable(caller: Caller, jobId: string): Promise<Job> {
    const job = await this.find(caller, jobId, controlling);
    if (job.mode !== 'CHANGE' && !caller.surfaces.has(job.surface)) throw errors.surfaceOff(job.surface);
    return job;
  }

  /** @throws ApiError as `find` */
  async cancel(caller: Caller, jobId: string): Promise<JsonText> {
    const { organizationId } = caller;
    await this.find(caller, jobId, controlling);
    await this.database
      .of(organizationId)
      .transaction((manager) => cancelJob(manager, { organizationId, jobId }));
    return this.reads.one(JOB, caller, jobId);
  }

  /** @throws ApiError as `importable`; 400 while the import is being undone, or if what a dry run continues was deleted */
  async retry(caller: Caller, jobId: string, requestId: string): Promise<JsonText> {
    const { organizationId, partner } = caller;
    await this.importable(caller, jobId);
    const reopened = await this.database
      .of(organizationId)
      .transaction((manager) => reopenJob(manager, { organizationId, jobId }, Boolean(partner)));
    const refusal = RETRY_REFUSALS[reopened];
    if (refusal) throw errors.invalid(refusal);
    if (reopened === 'REOPENED') this.producer.enqueue('imports', { organizationId }, requestId);
    return this.reads.one(JOB, caller, jobId);
  }

  /** @throws ApiError as `importable`; 400 if it is no finished dry run */
  async apply(caller: Caller, dryRunId: string, requestId: string): Promise<JsonText> {
    const { surface } = await this.importable(caller, dryRunId);
    const jobId = await this.submission.importDryRun(caller, { surface, dryRunId, requestId });
    return this.reads.one(JOB, caller, jobId);
  }

  /** @throws ApiError as `find`; 400 if it can't be undone */
  async previewUndo(caller: Caller, jobId: string): Promise<ImportUndoPreview> {
    await this.find(caller, jobId, undoing);
    return this.undos.preview(caller, jobId);
  }

  /** @throws ApiError as `find`; 400 if it can't be undone, or has nothing to undo */
  async undo(
    caller: Caller,
    by: Actor,
    jobId: string,
    asked: { includeChanged: boolean; requestId: string },
  ): Promise<JsonText> {
    const { organizationId } = caller;
    const { mode } = await this.find(caller, jobId, undoing);
    const { requestId } = asked;
    if (mode !== 'CHANGE')
      return this.reads.one(JOB, caller, await this.undos.start(caller, by, { jobId, ...asked }));
    const made = await this.database
      .of(organizationId)
      .transaction((manager) => undoChange(manager, { organizationId, jobId, requestId }, by));
    if (made === 'MISSING') throw errors.notFound();
    if (typeof made === 'string') throw errors.invalid(CHANGE_REFUSALS[made]);
    this.producer.enqueue('imports', { organizationId }, requestId);
    return this.reads.one(JOB, caller, made.jobId);
  }
}

/**
 * Keys without a list of permissions, and staff whose role the operation names, may follow and undo all that they see. A read-only key
 * follows imports, and no changes of participants.
 */
const isPermitted = ({ permissions, readOnly }: Caller, wanted: Permission): boolean =>
  permissions?.includes(wanted) ?? !(readOnly && wanted.endsWith(':write'));
