import { newId } from '#platform/database';
import { eventually } from '../../harness';
import type { Organization } from './organization';
import type { Sale } from './rows';

const at = (hour: number) => `2026-05-04T${String(hour).padStart(2, '0')}:00:00Z`;
const message = (hour: number, data: object) => ({ schemaVersion: '1.0', changedAt: at(hour), data });
const shipping = (status: string) => ({
  ...{ status, shippedAt: at(1), carrier: 'Royal Mail', trackingNumber: 'RM1' },
  trackingUrl: 'https://track.example/RM1',
});
const send = (walk: Organization, ...messages: object[]) =>
  walk.ask('POST', '/timing-inbound/v1', messages, 'timing');
const status = (walk: Organization) => walk.ask('GET', '/timing-inbound/v1/status', undefined, 'timing');

/** Messages about a bib that nobody gets. They are pending until a worker starts. */
export async function pendingMessages(walk: Organization) {
  const about = { bibNumber: '404', shipping: shipping('SHIPPED') };
  await send(walk, message(1, about), message(2, about));
  await eventually(async () => (await status(walk)).lagSeconds > 0);
}

/** A message about a participant. Returns when all messages are processed. */
export async function messageAbout(walk: Organization, participantId: string) {
  await send(walk, message(9, { participantId, shipping: shipping('SHIPPED') }));
  await eventually(async () => (await status(walk)).pending === 0);
}

export async function raceDay(walk: Organization, { rich, relay, euro, cancelled }: Record<string, Sale>) {
  const [one, two] = (rich as Sale).participantIds as [string, string];
  const [runner] = (relay as Sale).participantIds as [string];
  const [elsewhere] = (euro as Sale).participantIds as [string];
  const [gone] = (cancelled as Sale).participantIds as [string];
  const applied = (id: string, bibNumber: string) =>
    eventually(async () => (await walk.ask('GET', `/v0/participants/${id}`)).bibNumber === bibNumber);
  await walk.ask('PATCH', `/v0/participants/${one}/race-day`, {
    ...{ bibNumber: '1', customFields: [{ id: 'kit', value: 'collected' }] },
  });
  await walk.ask('PATCH', `/v0/participants/${two}/race-day`, { bibNumber: '1' });
  await send(
    walk,
    message(3, { participantId: runner, bibNumber: '7', shipping: shipping('SHIPPED') }),
    message(3, { participantId: elsewhere, bibNumber: '7' }),
    message(3, { participantId: one, shipping: shipping('DELIVERED') }),
    message(3, { participantId: two, shipping: shipping('RETURNED') }),
  );
  await applied(runner, '7');
  await applied(elsewhere, '7');
  await send(
    walk,
    message(2, { participantId: runner, bibNumber: '8', shipping: shipping('SHIPPED') }),
    message(9, { participantId: gone, bibNumber: '10' }),
    message(9, { participantId: newId(), bibNumber: '11' }),
    // Runners of two races have this bib.
    message(9, { bibNumber: '7', shipping: shipping('SHIPPED') }),
    message(10, { participantId: (relay as Sale).participantIds[1], bibNumber: '7' }),
  );
  await eventually(async () => (await walk.ask('GET', `/v0/participants/${two}`)).raceDayErrors.length > 0);
  const raceOf = async (id: string) => (await walk.ask('GET', `/v0/participants/${id}`)).raceId;
  await bibPlan(walk, await raceOf(runner), await raceOf(elsewhere));
}

/** A plan whose numbers a participant of another range has in part; and its undo, of whom one has another bib by then. */
async function bibPlan(walk: Organization, raceId: string, otherRaceId: string) {
  const path = `/v0/races/${raceId}/bib-plan`;
  const ranges = [
    { from: 1, to: 2, tags: ['nobody'] },
    { from: 1, to: 90, reserved: [{ from: 3 }], order: [{ by: 'NAME' }] },
  ];
  await walk.ask('POST', path, { ranges: [{ from: 1, to: 90, tags: ['nobody'] }], dryRun: true });
  // Everyone is in both, and the first has too few numbers.
  const short = [
    { from: 91, to: 91 },
    { from: 92, to: 99 },
  ];
  for (const race of [raceId, otherRaceId])
    await walk.ask('POST', `/v0/races/${race}/bib-plan`, { ranges: short, dryRun: true });
  const { jobId, examples } = await walk.ask('POST', path, { ranges });
  await walk.finished('participant-changes', jobId);
  await walk.ask('GET', `/v0/import-jobs/${jobId}/rows`);
  await walk.ask('POST', path, { ranges, dryRun: true });
  await walk.ask('PATCH', `/v0/participants/${examples[0].participantId}`, { bibNumber: '99' });
  const undo = await walk.ask('POST', `/v0/import-jobs/${jobId}/undo`, {});
  await walk.finished('participant-changes', undo.jobId);
  await walk.ask('GET', `/v0/import-jobs/${undo.jobId}/rows`);
}
