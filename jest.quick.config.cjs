const { existsSync, readdirSync } = require('node:fs');
const { join } = require('node:path');

/** The smoke test of each resource group in `apps/api/src` is `test/<group>/<group>.test.ts`, except for these groups. */
const OTHERS = {
  'add-ons': 'test/imports/add-ons-import.test.ts',
  'booking-form-fields': 'test/booking-forms/booking-forms.test.ts',
  console: 'test/console/session.test.ts',
  imports: 'test/imports/credits-import.test.ts',
  'line-items': 'test/bookings/bookings.test.ts',
  marketplace: 'test/marketplace/list.test.ts',
  'race-day': 'test/race-day/race-day-update.test.ts',
  timing: 'test/timing/ingest.test.ts',
  // webhooks.test.ts waits for retries.
  webhooks: 'test/webhooks/documented-receiver.test.ts',
};

const groups = readdirSync(join(__dirname, 'apps/api/src'), { withFileTypes: true }).filter((entry) =>
  entry.isDirectory(),
);
const smokeTests = groups.map(({ name }) => OTHERS[name] ?? `test/${name}/${name}.test.ts`);
const missing = smokeTests.filter((file) => !existsSync(join(__dirname, file)));
if (missing.length)
  throw new Error(`These smoke tests do not exist: ${missing.join(', ')}. See jest.quick.config.cjs.`);

/** `npm run test:quick`: the unit tests and one smoke test per resource group. @type {import('jest').Config} */
module.exports = {
  ...require('./jest.config.cjs'),
  testMatch: [
    '<rootDir>/{apps,libs}/**/*.test.ts',
    ...[...new Set(smokeTests)].map((file) => `<rootDir>/${file}`),
  ],
};
