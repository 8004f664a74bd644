import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Actor } from '#platform/access';
import { Database, type StartListEntry, statement, typed, type Values } from '#platform/database';
import { JobProducer } from '#platform/queues';
import { errors } from '#platform/validation';
import { type DecisionOutcome, statusAfter } from '../decide-applications';
import { prefixesOf } from '../entry-search';
import { DECISIONS_PER_STEP, recordDecisions } from '../record-decisions';
import type {
  ApplicationDecision,
  ApplicationDecisions,
  ApplicationsByTicket,
  DecisionRefusal,
  MatchingApplications,
} from './decisions.dto';

/** The view contains the policy's condition as an ordinary condition, so that the words can use an index. */
const PENDING = `w.organization_id = $1 AND w.approval_status = 'PENDING' AND w.cancelled_at IS NULL
      AND ($2::uuid IS NULL OR w.event_occurrence_id = $2)
      AND ($3::uuid IS NULL OR w.ticket_id = $3)
      AND ($4::text IS NULL OR w.application_resolution_type = $4)
      AND ($5::tsquery IS NULL OR w.id = ANY (ARRAY(
        SELECT f.id FROM own_start_list_entries f
        WHERE f.organization_id = $1 AND f.approval_status <> 'APPROVED' AND f.search_words @@ $5)))
      AND ($6::uuid IS NULL OR (w.created_at, w.id) <= (
        SELECT a.created_at, a.id FROM start_list_entries a WHERE a.organization_id = $1 AND a.id = $6))`;

const MATCHING = statement({
  parameters: ['uuid', 'uuid?', 'uuid?', 'text?', 'tsquery?', 'uuid?', 'uuid?', 'bigint'],
  columns: { id: 'uuid' },
  sql: `
    SELECT w.id FROM start_list_entries w
    WHERE ${PENDING}
      AND ($7::uuid IS NULL OR (w.created_at, w.id) > (
        SELECT a.created_at, a.id FROM start_list_entries a WHERE a.organization_id = $1 AND a.id = $7))
    ORDER BY w.created_at, w.id LIMIT $8
  `,
});

const NEWEST = statement({
  parameters: ['uuid', 'uuid?', 'uuid?', 'text?', 'tsquery?', 'uuid?'],
  columns: { id: 'uuid' },
  sql: `SELECT w.id FROM start_list_entries w WHERE ${PENDING} ORDER BY w.created_at DESC, w.id DESC LIMIT 1`,
});

const BY_TICKET = statement({
  parameters: ['uuid', 'uuid?', 'uuid?', 'text?', 'tsquery?', 'uuid?'],
  columns: {
    ...{ ticketId: 'uuid', eventTitle: 'text', raceTitle: 'text', ticketTitle: 'text' },
    ...{ isBallot: 'boolean', applications: 'int' },
  },
  sql: `
    SELECT t.id AS "ticketId", o.title AS "eventTitle", r.title AS "raceTitle", t.title AS "ticketTitle", c."isBallot", c.applications
    FROM (SELECT w.ticket_id, bool_or(w.application_resolution_type = 'BALLOT') AS "isBallot", count(*)::int AS applications
      FROM start_list_entries w WHERE ${PENDING} GROUP BY w.ticket_id) c
    JOIN tickets t ON t.organization_id = $1 AND t.id = c.ticket_id
    JOIN races r ON r.organization_id = $1 AND r.id = t.race_id
    JOIN event_occurrences o ON o.organization_id = $1 AND o.id = r.event_occurrence_id
    ORDER BY c.applications DESC, t.id LIMIT 1000
  `,
});

const STATES = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: {
    applicationId: 'uuid',
    participantId: 'uuid',
    approvalStatus: typed<StartListEntry['approvalStatus']>('text'),
    isCancelled: 'boolean',
  },
  sql: `
    SELECT id AS "applicationId", participant_id AS "participantId", approval_status AS "approvalStatus",
      cancelled_at IS NOT NULL AS "isCancelled"
    FROM start_list_entries WHERE organization_id = $1 AND id = ANY ($2)
  `,
});

const REFUSALS: Record<Exclude<DecisionOutcome['outcome'], 'DONE'>, DecisionRefusal> = {
  MISSING: 'NOT_FOUND',
  DECIDED: 'NOT_PENDING',
  CANCELLED: 'CANCELLED',
  FULL: 'NO_CAPACITY_REMAINING',
};

interface Acting {
  organizationId: string;
  actor: Actor;
}

/** Decisions of staff about applications. */
@Injectable()
export class ApplicationDecisionsService {
  constructor(
    private readonly database: Database,
    private readonly producer: JobProducer,
  ) {}

  async byTicket(organizationId: string, matching: MatchingApplications): Promise<ApplicationsByTicket> {
    const database = this.database.of(organizationId);
    const newest = await NEWEST.first(database, conditionsOf(organizationId, matching));
    if (!newest) return { tickets: [], until: null };
    const conditions = conditionsOf(organizationId, { ...matching, until: newest.id });
    return { tickets: await BY_TICKET.rows(database, conditions), until: newest.id };
  }

  /** Decides one step of applications. @throws ApiError 400 if the request has both ids and a filter */
  async decide(
    { organizationId, actor }: Acting,
    { decision, reason, applicationIds, matching, after }: ApplicationDecision,
  ): Promise<ApplicationDecisions> {
    if (!applicationIds === !matching) throw errors.invalid('Send either applicationIds or matching');
    if (after !== undefined && !matching) throw errors.invalid('after requires matching');
    const database = this.database.of(organizationId);
    const { outcomes, enqueuesRaceDay, next } = await database.transaction(async (manager) => {
      const ids = applicationIds ?? (await this.find(manager, organizationId, matching ?? {}, after));
      const request = { organizationId, applicationIds: ids, decision, reason: reason?.trim() || null };
      const decided = await recordDecisions(manager, request, actor);
      const isLast = !matching || ids.length < DECISIONS_PER_STEP;
      return { ...decided, next: isLast ? null : (ids.at(-1) ?? null) };
    });
    if (enqueuesRaceDay) this.producer.enqueue('race-day', { organizationId });
    return resultOf(outcomes, next);
  }

  /** What became of applications that an earlier request decided; those of `matching` are not known any more, so it continues. */
  async decided(acting: Acting, request: ApplicationDecision): Promise<ApplicationDecisions> {
    const { organizationId } = acting;
    const { applicationIds, decision } = request;
    if (!applicationIds) return this.decide(acting, request);
    const states = await STATES.rows(this.database.of(organizationId), [organizationId, applicationIds]);
    const byId = new Map(states.map((state) => [state.applicationId, state]));
    const outcomes = [...new Set(applicationIds)].map((applicationId): DecisionOutcome => {
      const state = byId.get(applicationId);
      if (!state) return { outcome: 'MISSING', applicationId };
      const { isCancelled, ...application } = state;
      if (application.approvalStatus === statusAfter(decision)) return { outcome: 'DONE', ...application };
      if (application.approvalStatus !== 'PENDING') return { outcome: 'DECIDED', ...application };
      return { outcome: isCancelled ? 'CANCELLED' : 'FULL', ...application };
    });
    return resultOf(outcomes, null);
  }

  private async find(
    manager: EntityManager,
    organizationId: string,
    matching: MatchingApplications,
    after: string | undefined,
  ): Promise<string[]> {
    const found = await MATCHING.rows(manager, [
      ...conditionsOf(organizationId, matching),
      after ?? null,
      DECISIONS_PER_STEP,
    ]);
    return found.map(({ id }) => id);
  }
}

const conditionsOf = (
  organizationId: string,
  { eventOccurrenceId, ticketId, applicationResolutionType, search, until }: MatchingApplications,
): Values<typeof NEWEST> => [
  ...([organizationId, eventOccurrenceId ?? null, ticketId ?? null] as const),
  applicationResolutionType ?? null,
  search?.trim() ? (prefixesOf(search, false) ?? '') : null,
  until ?? null,
];

const resultOf = (outcomes: DecisionOutcome[], next: string | null): ApplicationDecisions => ({
  decided: outcomes.flatMap((each) => (each.outcome === 'DONE' ? [decidedOf(each)] : [])),
  refused: outcomes.flatMap((each) => (each.outcome === 'DONE' ? [] : [refusalOf(each)])),
  next,
});

type Done = Extract<DecisionOutcome, { outcome: 'DONE' }>;

const decidedOf = ({ applicationId, participantId, approvalStatus }: Done) => ({
  applicationId,
  participantId,
  approvalStatus,
});

const refusalOf = (refused: Exclude<DecisionOutcome, Done>) => ({
  applicationId: refused.applicationId,
  code: REFUSALS[refused.outcome],
  approvalStatus: 'approvalStatus' in refused ? refused.approvalStatus : null,
});
