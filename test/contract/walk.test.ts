import { everything } from './walk/everything';
import { Organization } from './walk/organization';

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
  // Many changes within the moment before the watermark follows: test/contract/digests covers it.
  'Digest.changed: no value',
  'Digest.tooManyChanges: never true',
  // Of a sandbox: test/cli/sandbox covers it.
  'KeyIdentity.test: never true',
  // After IMPORT_PAYLOAD_DAYS: test/imports/corrected-rows covers it.
  'ImportJob.payloadsRemoved: never true',
  // Of a repeated import: test/imports/bookings-import covers it.
  'AcceptedImport.status: never RUNNING, COMPLETED, FAILED',
  // A setting.
  'ImportAllowance.allowedBytes: only 2000000000',
  // All deliveries must fail for five days: test/faults/webhooks covers it.
  'WebhookEndpoint.disabledReason: never FAILING',
  'WebhookEndpointWithSecret.disabledReason: never FAILING',
  // More than 10,000 deliveries must be pending: test/webhooks/limits covers it.
  'WebhookEndpoint.behindSince: no value',
  'WebhookEndpoint.missedUntil: no value',
  'WebhookEndpointWithSecret.behindSince: no value',
  'WebhookEndpointWithSecret.missedUntil: no value',
];

let walk: Organization;
beforeAll(async () => {
  walk = await Organization.found();
});
afterAll(() => walk?.close());

it('returns a value in every field of every response', async () => {
  await everything(walk);
  expect(walk.seen.missing().filter((each) => !CONSTANTS.includes(each))).toEqual([]);
});
