import { corrections } from './walk/corrections';
import { failedJobs } from './walk/jobs';
import { Organization } from './walk/organization';
import { keys, webhooks } from './walk/platform';
import { raceDay } from './walk/race-day';
import { readEverything } from './walk/reads';
import type { Sale } from './walk/rows';
import { money, partners, places, referrals, sales } from './walk/sales';
import { startList } from './walk/start-list';

/**
 * Every field of the interface can be filled by public means: commands, files and the API. Nothing is written to the
 * database directly. Properties that never had a value, or enum values that never occurred, are in the list that this
 * test expects to be empty.
 */

/** Properties with a single value, and the reason. */
const CONSTANTS = [
  // No list contains deleted tickets; TicketDetails returns them.
  'Ticket.isDeleted: never true',
  // The constant value of a response that is not an error.
  'RaceDayReceipt.success: never false',
  'TimingReceipt.success: never false',
  'WebhookDone.success: never false',
  // All deliveries must fail for WEBHOOK_DISABLE_HOURS, which is at least an hour: test/faults/webhooks covers it.
  'WebhookEndpoint.disabledReason: never FAILING',
  'WebhookEndpointWithSecret.disabledReason: never FAILING',
];

let walk: Organization;
beforeAll(async () => {
  walk = await Organization.found();
}, 600_000);
afterAll(() => walk?.close());

it('returns a value in every field of every response', async () => {
  await walk.items('/v0/change-events');
  await failedJobs(walk);
  const partnerId = await partners(walk);
  const sold = await sales(walk, partnerId);
  await money(walk, sold.rich as Sale);
  await places(walk);
  await referrals(walk, sold);
  await raceDay(walk, sold);
  await startList(walk, partnerId);
  await corrections(walk, sold);
  await webhooks(walk);
  await keys(walk);
  await walk.command('participant', 'redact', (sold.redacted as Sale).participantIds[0] as string);
  await readEverything(walk, sold);
  expect(walk.seen.missing().filter((each) => !CONSTANTS.includes(each))).toEqual([]);
}, 900_000);
