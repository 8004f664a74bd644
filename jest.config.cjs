const swc = require('node:fs').readFileSync(`${__dirname}/.swcrc`, 'utf8');

/** What takes minutes by its nature, for `npm run test:long`. `npm test` runs it if a word names it. */
const LONG = require('./test/long.json');
const asked = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const asksForLong = asked.some((word) => LONG.some((path) => path.includes(word) || word.includes(path)));

/** @type {import('jest').Config} */
module.exports = {
  testMatch: ['<rootDir>/{apps,libs,test}/**/*.test.ts'],
  testEnvironment: '<rootDir>/libs/testing/src/jest-environment.cjs',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  transform: { '^.+\\.[jt]s$': ['@swc/jest', { ...JSON.parse(swc), swcrc: false }] },
  // Nest and openid-client are ES modules, which Jest can't require on Node 20; the exporter imports node:http when it first sends.
  transformIgnorePatterns: [
    '/node_modules/(?!(@nestjs|@opentelemetry/otlp-exporter-base|openid-client|oauth4webapi|jose|htmlparser2|domhandler|domutils|dom-serializer|domelementtype|entities|is-plain-object)/)',
  ],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.startline/'],
  // They need Citus: `npm run test:citus`.
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/citus/',
    ...(asksForLong ? [] : LONG.map((path) => `<rootDir>/${path}`)),
  ],
  runtime: '<rootDir>/libs/testing/src/jest-runtime.cjs',
  testSequencer: '<rootDir>/libs/testing/src/longest-first.cjs',
  globalSetup: '<rootDir>/libs/testing/src/global-setup.ts',
  globalTeardown: '<rootDir>/libs/testing/src/global-teardown.ts',
  // In one process the modules of every file would stay in memory until the end.
  maxWorkers: 2,
  workerIdleMemoryLimit: '1GB',
  // A slow machine makes tests slow, not red. No file has a timeout of its own.
  testTimeout: 900_000,
};
