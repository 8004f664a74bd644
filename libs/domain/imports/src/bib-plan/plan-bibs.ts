import type { EntityManager } from 'typeorm';
import { type Actor, audit } from '#platform/access';
import { newId, organizationLock, statement } from '#platform/database';
import { errors, type Problem, type ProblemCode, problem } from '#platform/validation';
import { MOST_CHANGED } from '../change-job';
import type { BibPlan, BibPlanRequest, BibRange } from './bib-plan.dto';
import { PLAN, UNKNOWN } from './bib-plan.sql';

/** Of all ranges together. */
const MOST_NUMBERS = 200_000;
const LONGEST_BIB = 20;

const RACE = statement({
  parameters: ['uuid', 'uuid'],
  columns: { id: 'uuid' },
  sql: 'SELECT id FROM races WHERE organization_id = $1 AND id = $2',
});

/** Of several requests at the same time, the first makes the job. */
const lockPlan = organizationLock('bib-plan');

const IS_NOT = {
  TICKET: 'is not a ticket of the race',
  WAVE: 'is not a wave of the race',
  FIELD: 'is not a question of your organization',
};

/** The unfinished job that gives or takes back bibs of the race. */
const OPEN_PLAN = statement({
  parameters: ['uuid', 'text'],
  columns: { id: 'uuid' },
  sql: `
    SELECT j.id FROM import_jobs j JOIN import_rows r ON r.organization_id = j.organization_id AND r.job_id = j.id AND r.row_number = 0
    WHERE j.organization_id = $1 AND j.mode = 'CHANGE' AND j.status IN ('QUEUED', 'RUNNING') AND r.payload ->> 'raceId' = $2 LIMIT 1
  `,
});

export interface PlanRequest extends BibPlanRequest {
  organizationId: string;
  raceId: string;
  requestId?: string;
}

/**
 * Answers what the plan does, and makes the job that gives the bibs, unless it is a dry run. Call it in a transaction, and enqueue `imports`
 * after it.
 *
 * @throws ApiError 404 if the organization has no such race; 400 if the ranges contradict themselves or name what the race or the organization does not have,
 * and unless it is a dry run, if too many would get a bib or a plan of the race is not finished
 */
export async function planBibs(
  manager: EntityManager,
  { organizationId, raceId, ranges, dryRun = false, requestId }: PlanRequest,
  by: Actor,
): Promise<BibPlan> {
  const broken = brokenRules(ranges);
  if (broken.length > 0) throw errors.invalidBody(broken);
  if (!(await RACE.first(manager, [organizationId, raceId]))) throw errors.notFound();
  const given = JSON.stringify(ranges);
  const unknown = await UNKNOWN.rows(manager, [organizationId, raceId, given]);
  if (unknown.length > 0)
    throw errors.invalidBody(
      unknown.map(({ path, what }) => problem(path, `${what}_NOT_FOUND`, IS_NOT[what])),
    );
  const jobId = dryRun ? null : newId();
  if (jobId) await requireNoOpenPlan(manager, organizationId, raceId);
  const isProgram = by.type === 'COMMAND_LINE';
  const sender = [isProgram ? null : by.id, isProgram ? 'command line' : 'console'] as const;
  const of = [organizationId, raceId, given, jobId, MOST_CHANGED, requestId ?? null, ...sender] as const;
  const { plan } = await PLAN.one(manager, of);
  const { assigned } = plan;
  if (jobId && assigned > MOST_CHANGED)
    throw errors.invalid(
      `A plan gives at most ${MOST_CHANGED} bibs, and this one ${assigned}: use several, with fewer numbers each`,
    );
  const made = jobId && assigned > 0 ? jobId : null;
  if (made)
    await audit(manager, by, {
      ...{ organizationId, action: 'participant.change', objectType: 'import_job', objectId: made },
      details: { type: 'BIB', raceId, participants: assigned },
    });
  return { raceId, dryRun, jobId: made, jobUrl: made && `/v0/participant-changes/${made}`, ...plan };
}

async function requireNoOpenPlan(
  manager: EntityManager,
  organizationId: string,
  raceId: string,
): Promise<void> {
  await lockPlan(manager, `${organizationId}/${raceId}`);
  const open = await OPEN_PLAN.first(manager, [organizationId, raceId]);
  if (open)
    throw errors.invalid(
      `The job ${open.id} is giving or taking back bibs of the race. Wait until it is finished`,
    );
}

function brokenRules(ranges: readonly BibRange[]): Problem[] {
  const problems: Problem[] = [];
  const refuse = (path: string, code: ProblemCode, rule: string) => problems.push(problem(path, code, rule));
  let numbers = 0;
  ranges.forEach(({ from, to, prefix = '', digits = 1, reserved = [], order = [] }, n) => {
    const path = `ranges[${n}]`;
    numbers += Math.max(0, to - from + 1);
    if (to < from) refuse(`${path}.to`, 'OUT_OF_RANGE', 'must not be less than from');
    if (prefix.length + Math.max(digits, String(to).length) > LONGEST_BIB)
      refuse(
        `${path}.prefix`,
        'TOO_LONG',
        `and the numbers must not have more than ${LONGEST_BIB} characters`,
      );
    reserved.forEach((interval, i) => {
      if (interval.to !== undefined && interval.to < interval.from)
        refuse(`${path}.reserved[${i}].to`, 'OUT_OF_RANGE', 'must not be less than from');
    });
    order.forEach(({ by, fieldId, descending }, i) => {
      const at = `${path}.order[${i}]`;
      if (by === 'ANSWER' && !fieldId) refuse(`${at}.fieldId`, 'REQUIRED', 'is required');
      if (by !== 'ANSWER' && fieldId) refuse(`${at}.fieldId`, 'INVALID_COMBINATION', 'belongs to ANSWER');
      if (by !== 'ANSWER' && descending !== undefined)
        refuse(`${at}.descending`, 'INVALID_COMBINATION', 'belongs to ANSWER');
    });
  });
  if (numbers > MOST_NUMBERS)
    refuse('ranges', 'TOO_LARGE', `must not have more than ${MOST_NUMBERS} numbers together`);
  return problems;
}
