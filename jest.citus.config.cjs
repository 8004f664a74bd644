const { files, inSuites } = require('./libs/testing/src/suites.cjs');

/**
 * Files of the ordinary suite that also run on Citus, so that every operation, import, command for an organization and sweeper
 * does. Their checks concern the organizations that they make. The other files are of these kinds:
 *
 * - start or stop a PostgreSQL of their own: backup, chaos, docker, faults, fleet, migrations, replicas
 * - compare the schema, the plans or the statistics of one server: scaling, statements, personal-data/columns, contract/schema,
 *   contract/plans, race-day/bounded-work, cli/doctor, and isolation, which test/citus/isolation replaces
 * - expect to be alone in the database: cli/demo, console/browser, console/undo-import, imports/fairness, imports/sweeping, operations
 * - test input that is refused before a statement, responses, or the client, whatever the database: contract/bad-*,
 *   contract/hostile-*, client, docs, layers, reference
 * - repeat what these files do with other values, or what test/citus/isolation and test/citus/every-operation do: contract/neighbours
 */
const SHARED = [
  'test/access/tokens.test.ts',
  'test/applications/applications.test.ts',
  'test/bookings/cancelling.test.ts',
  'test/change-events/change-events.test.ts',
  'test/cli/catalogue.test.ts',
  'test/cli/keys.test.ts',
  'test/imports/add-ons-import.test.ts',
  'test/imports/bookings-import.test.ts',
  'test/imports/credits-import.test.ts',
  'test/maintenance/maintenance.test.ts',
  'test/marketplace/list.test.ts',
  'test/participants/participants.test.ts',
  'test/participants/redaction.test.ts',
  'test/partners/partner-keys.test.ts',
  'test/partners/partners.test.ts',
  'test/personal-data/erase.test.ts',
  'test/race-day/race-day-update.test.ts',
  'test/rate-limits/exact.test.ts',
  'test/timing/ingest.test.ts',
  'test/webhooks/webhooks.test.ts',
  ...(process.env.CITUS_TESTS ?? '').split(' ').filter(Boolean),
];

/**
 * `npm run test:citus`: a coordinator with two data nodes, and one distributed database for all files.
 *
 * @type {import('jest').Config}
 */
module.exports = {
  ...require('./jest.config.cjs'),
  ...inSuites([...files.filter((file) => file.startsWith('test/citus/')), ...SHARED], 1),
  reporters: ['default', ['<rootDir>/libs/testing/src/report.cjs', {}]],
  globalSetup: '<rootDir>/test/citus/setup.ts',
  maxWorkers: 1,
};
