/** Tests of pure modules, beside their sources: no PostgreSQL, no queue, a few seconds. @type {import('jest').Config} */
module.exports = {
  ...require('./jest.config.cjs'),
  testMatch: ['<rootDir>/{apps,libs}/**/*.test.ts'],
  reporters: ['default'],
  globalSetup: undefined,
  globalTeardown: undefined,
};
