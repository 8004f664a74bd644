import {
  DECISIONS_PER_STEP,
  type Decision,
  type DecisionOutcome,
  findApplications,
  recordDecisions,
} from '#domain/participants';
import { isId, StartListEntry } from '#platform/database';
import type { Context } from '../context';
import { CommandError, type ErrorCode } from '../errors';
import { doRaceDayWork } from '../race-day-work';
import type { CommandGroup } from './command-group';

interface Deed {
  name: string;
  decision: Decision;
  description: string;
  done: string;
}

const DEEDS: Deed[] = [
  {
    name: 'approve',
    decision: 'APPROVE',
    description:
      'approve them; their entries become participants, as long as ticket, race and wave have places',
    done: 'approved',
  },
  {
    name: 'reject',
    decision: 'REJECT',
    description: 'reject them',
    done: 'rejected',
  },
  {
    name: 'withdraw',
    decision: 'WITHDRAW',
    description: 'withdraw them on behalf of the applicants',
    done: 'withdrawn',
  },
  {
    name: 'not-duplicate',
    decision: 'NOT_DUPLICATE',
    description: 'say that they are no duplicates, so that the next draw of their ballot includes them',
    done: 'marked as no duplicate',
  },
];

export const applicationCommands: CommandGroup = (program, context) => {
  const group = program.command('application').description('pending applications');
  for (const deed of DEEDS) {
    group
      .command(`${deed.name} <id...>`)
      .description(`decide pending applications: ${deed.description}`)
      .option('--reason <text>', "shown in the applications' statusDetails")
      .action(async (ids: string[], { reason }: { reason?: string }) => {
        const outcomes = await decideAll(context, deed, ids, reason);
        const refused = outcomes.flatMap((outcome) => refusalOf(outcome, deed) ?? []);
        const decided = outcomes.flatMap((each) =>
          each.outcome === 'DONE'
            ? [
                {
                  applicationId: each.applicationId,
                  participantId: each.participantId,
                  approvalStatus: each.approvalStatus,
                },
              ]
            : [],
        );
        const [problem] = refused;
        if (problem && outcomes.length === 1) throw new CommandError(problem.error, problem.message);
        const text = decided
          .map(
            ({ applicationId, participantId, approvalStatus }) =>
              `Application ${applicationId} is ${deed.done}.${approvalStatus === 'APPROVED' ? ` Participant: ${participantId}` : ''}`,
          )
          .join('\n');
        if (problem) {
          if (!context.json) context.note([text, ...refused.map(({ message }) => message)].join('\n').trim());
          throw new CommandError(
            'PARTLY_DECIDED',
            `${decided.length} of ${outcomes.length} applications are ${deed.done}.`,
            { decided, refused },
          );
        }
        context.answer(outcomes.length === 1 ? decided[0] : { decided, refused }, text);
      });
  }
};

/** In steps, each a transaction of one organization. The outcomes are in the requested order. */
async function decideAll(
  context: Context,
  { decision }: Deed,
  asked: string[],
  reason: string | undefined,
): Promise<DecisionOutcome[]> {
  const ids = [...new Set(asked)];
  const found: Awaited<ReturnType<typeof findApplications>> = new Map();
  for (const { manager } of await context.dataSourcesHolding(StartListEntry, ids.filter(isId)))
    for (const [id, entry] of await findApplications(manager, ids)) found.set(id, entry);
  const known = new Map<string, string[]>();
  for (const { organizationId, id } of ids.flatMap((each) => found.get(each) ?? []))
    known.set(organizationId, [...(known.get(organizationId) ?? []), id]);
  const outcomes = new Map<string, DecisionOutcome>();
  for (const [organizationId, applicationIds] of known) {
    let enqueuesRaceDay = false;
    for (let at = 0; at < applicationIds.length; at += DECISIONS_PER_STEP) {
      const step = applicationIds.slice(at, at + DECISIONS_PER_STEP);
      const node = await context.nodeOf(organizationId);
      const request = { organizationId, applicationIds: step, decision, reason };
      const decided = await node.transaction((manager) => recordDecisions(manager, request, context.actor));
      enqueuesRaceDay ||= decided.enqueuesRaceDay;
      for (const outcome of decided.outcomes) outcomes.set(outcome.applicationId, outcome);
    }
    if (enqueuesRaceDay) await doRaceDayWork(await context.nodeOf(organizationId), organizationId);
  }
  return ids.map((applicationId) => outcomes.get(applicationId) ?? { outcome: 'MISSING', applicationId });
}

function refusalOf(
  outcome: DecisionOutcome,
  { done }: Deed,
): { applicationId: string; error: ErrorCode; message: string } | undefined {
  const { applicationId } = outcome;
  const refusal = (error: ErrorCode, message: string) => ({ applicationId, error, message });
  switch (outcome.outcome) {
    case 'DONE':
      return undefined;
    case 'MISSING':
      return refusal('NOT_FOUND', `There is no application ${applicationId}.`);
    case 'DECIDED':
      return refusal(
        'NOT_PENDING',
        `Application ${applicationId} is ${outcome.approvalStatus}: only a pending one can be ${done}.`,
      );
    case 'CANCELLED':
      return refusal('CANCELLED', `The booking of application ${applicationId} is cancelled.`);
    case 'FULL':
      return refusal(
        'NO_CAPACITY_REMAINING',
        `The ticket, race or wave of application ${applicationId} has no place left. Raise its capacity with "catalogue load" to approve more.`,
      );
  }
}
