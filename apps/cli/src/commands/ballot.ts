import { InvalidArgumentError } from 'commander';
import { BallotRefused, drawBallot } from '#domain/participants';
import { Ticket } from '#platform/database';
import { CommandError } from '../errors';
import { doRaceDayWork } from '../race-day-work';
import type { CommandGroup } from './command-group';

function placesOf(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > 1_000_000)
    throw new InvalidArgumentError('It must be a whole number from 0 to 1000000.');
  return value;
}

function seedOf(text: string): string {
  if (text.trim() === '' || text.length > 255)
    throw new InvalidArgumentError('It must have 1 to 255 characters.');
  return text;
}

export const ballotCommands: CommandGroup = (program, context) => {
  program
    .command('ballot')
    .description('draws of ballot tickets')
    .command('draw <ticket>')
    .description('draw pending applications of a ticket: those drawn are approved, the others rejected')
    .requiredOption('--seed <text>', 'the same seed and applications give the same result', seedOf)
    .requiredOption(
      '--places <count>',
      'how many entries are drawn; of a team ticket, how many teams',
      placesOf,
    )
    .option('--keep-pending', 'leave applications that are not drawn pending, for another draw')
    .action(async (ticketId: string, options: { seed: string; places: number; keepPending?: true }) => {
      const { seed, places, keepPending = false } = options;
      const dataSource = await context.dataSourceHolding(Ticket, ticketId);
      const request = { ticketId, seed, places, keepsPending: keepPending };
      const { enqueuesRaceDay, ...result } = await drawBallot(dataSource, request, context.actor).catch(
        (error: unknown) => {
          throw error instanceof BallotRefused ? new CommandError(error.code, error.message) : error;
        },
      );
      if (enqueuesRaceDay) await doRaceDayWork(dataSource, result.organizationId);
      const { name, applications, drawn, notDrawn, decided, full, duplicates } = result;
      const rest = [
        `not drawn: ${notDrawn}`,
        ...(decided > 0 ? [`decided by others meanwhile: ${decided}`] : []),
        ...(full > 0 ? [`drawn, but without a place in their race or wave: ${full}`] : []),
        ...(duplicates > 0 ? [`further applications of the same persons, still pending: ${duplicates}`] : []),
      ];
      context.answer(
        result,
        `${name}: ${drawn} of ${applications} applications are drawn and approved. ${rest.join(', ')}.`,
      );
    });
};
