/** Files of the ordinary suite that also run on Citus: their checks concern the organizations that they make. */
const SHARED = [
  'test/imports/credits-import.test.ts',
  'test/marketplace/list.test.ts',
  'test/participants/participants.test.ts',
  'test/partners/partners.test.ts',
  ...(process.env.CITUS_TESTS ?? '').split(' ').filter(Boolean),
];

/**
 * `npm run test:citus`: a coordinator with two data nodes, and one distributed database for all files.
 *
 * @type {import('jest').Config}
 */
module.exports = {
  ...require('./jest.config.cjs'),
  testMatch: ['test/citus/*.test.ts', ...SHARED].map((file) => `<rootDir>/${file}`),
  testPathIgnorePatterns: ['/node_modules/'],
  globalSetup: '<rootDir>/test/citus/setup.ts',
  maxWorkers: 1,
};
