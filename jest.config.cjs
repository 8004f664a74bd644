const { readFileSync } = require('node:fs');
const { chosen, files, inSuites } = require('./libs/testing/src/suites.cjs');

/** What takes minutes by its nature, for `npm run test:long`. `npm test` runs it if a word names it. */
const LONG = require('./test/long.json');
const swc = JSON.parse(readFileSync(`${__dirname}/.swcrc`, 'utf8'));
const isLong = (file) => LONG.some((path) => file.startsWith(path));
const asksForLong = chosen.some(isLong);
// They need Citus: `npm run test:citus`.
const http = inSuites(
  files.filter((file) => !file.startsWith('test/citus/') && (asksForLong || !isLong(file))),
);

/** @type {import('jest').Config} */
module.exports = {
  ...http,
  testMatch: ['<rootDir>/{apps,libs}/**/*.test.ts', ...http.testMatch],
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  transform: { '^.+\\.[jt]s$': ['@swc/jest', { ...swc, swcrc: false }] },
  // Nest and openid-client are ES modules, which Jest can't require on Node 20; the exporter imports node:http when it first sends.
  transformIgnorePatterns: [
    '/node_modules/(?!(@nestjs|@opentelemetry/otlp-exporter-base|openid-client|oauth4webapi|jose|htmlparser2|domhandler|domutils|dom-serializer|domelementtype|entities|is-plain-object)/)',
  ],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.startline/'],
  globalSetup: '<rootDir>/libs/testing/src/global-setup.ts',
  globalTeardown: '<rootDir>/libs/testing/src/global-teardown.ts',
  reporters: ['default', ['<rootDir>/libs/testing/src/report.cjs', { size: require('./test/size.json') }]],
  maxWorkers: 2,
  workerIdleMemoryLimit: '1GB',
  // A process with a gigabyte needs more than the 500 ms after which Jest would end it, and say so.
  workerGracefulExitTimeout: 20_000,
  // A slow machine makes tests slow, not red. No file has a timeout of its own.
  testTimeout: 900_000,
};
