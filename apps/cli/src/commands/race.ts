import { readFileSync } from 'node:fs';
import { type BibPlan, type BibPlanRequest, planBibs } from '#domain/imports';
import { Race } from '#platform/database';
import { ApiError, type BodyBounds, ORDINARY_BOUNDS, readBody } from '#platform/validation';
import { CommandError } from '../errors';
import { tableOf } from '../table';
import type { CommandGroup } from './command-group';
import { answerAtEnd } from './import-jobs';

export const raceCommands: CommandGroup = (program, context) => {
  program
    .command('race')
    .description('races')
    .command('bib-plan <race> <file>')
    .description(
      'show what a bib plan does; <file> has the JSON of POST /v0/races/{id}/bib-plan: { "ranges": [{ "from": 1, "to": 999 }] }',
    )
    .option('--apply', 'give the bibs, and show the progress until all are given')
    .action(async (raceId: string, file: string, { apply = false }: { apply?: boolean }) => {
      const dataSource = await context.dataSourceHolding(Race, raceId);
      const { ranges } = requestOf(file, ORDINARY_BOUNDS);
      const race = await dataSource.manager.findOneBy(Race, { id: raceId }).catch(() => null);
      if (!race) throw new CommandError('NOT_FOUND', `There is no race ${raceId}.`);
      const { organizationId } = race;
      const request = { organizationId, raceId, ranges, dryRun: !apply };
      const plan = await dataSource
        .transaction((manager) => planBibs(manager, request, context.actor))
        .catch((error: unknown) => {
          throw error instanceof ApiError ? new CommandError('REFUSED', error.message) : error;
        });
      if (!plan.jobId) return context.answer(plan, told(plan));
      if (!context.json) context.note(told(plan));
      // No queue is needed here: a worker's sweeper finds the job within seconds.
      await answerAtEnd(context, dataSource.manager, plan.jobId);
    });
};

/** @throws CommandError if the file is not a plan */
function requestOf(file: string, bounds: BodyBounds): BibPlanRequest {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new CommandError('INVALID_FILE', `${file} could not be read: ${(error as Error).message}`);
  }
  const { value, problems } = readBody({ schema: 'BibPlanRequest' }, bytes, bounds);
  if (problems.length > 0)
    throw new CommandError('INVALID_FILE', problems.map(({ message }) => message).join('\n'));
  return value as BibPlanRequest;
}

function told(plan: BibPlan): string {
  const { participants, withBib, assigned, inNoRange, inSeveralRanges, ranges, conflicts, examples } = plan;
  const names = ({ firstName, lastName }: BibPlan['examples'][number]) =>
    `${firstName ?? ''} ${lastName ?? ''}`.trim();
  return [
    `${participants} participants: ${withBib} have a bib, ${assigned} get one, ${inNoRange} without a bib are in no range, ${inSeveralRanges} in several.`,
    '',
    tableOf(
      [
        'RANGE',
        'PARTICIPANTS',
        'WITH BIB',
        'ASSIGNED',
        'FIRST',
        'LAST',
        'TOO FEW',
        'LEFT',
        'RESERVED',
        'WORN BY OTHERS',
        'IN GAPS',
      ],
      ranges.map((range, n) => [
        ...[n, range.participants, range.withBib, range.assigned, range.first ?? '-', range.last ?? '-'],
        ...[range.withoutNumber, range.numbersLeft, range.reserved, range.takenByOthers, range.inGaps],
      ]),
    ),
    ...listed('Numbers that participants outside the range have:', conflicts),
    ...listed('The first numbers:', examples),
  ].join('\n');

  function listed(title: string, bibs: BibPlan['examples']): string[] {
    const rows = bibs.slice(0, 20).map((bib) => [bib.range, bib.bibNumber, bib.participantId, names(bib)]);
    return rows.length > 0 ? ['', title, tableOf(['RANGE', 'BIB', 'PARTICIPANT', 'NAME'], rows)] : [];
  }
}
