const swc = require('node:fs').readFileSync(`${__dirname}/.swcrc`, 'utf8');

/** @type {import('jest').Config} */
module.exports = {
  testMatch: ['<rootDir>/{apps,libs,test}/**/*.test.ts'],
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  transform: { '^.+\\.[jt]s$': ['@swc/jest', { ...JSON.parse(swc), swcrc: false }] },
  // Nest and openid-client are ES modules, which Jest can't require on Node 20; the exporter imports node:http when it first sends.
  transformIgnorePatterns: [
    '/node_modules/(?!(@nestjs|@opentelemetry/otlp-exporter-base|openid-client|oauth4webapi|jose)/)',
  ],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  // They need Citus: `npm run test:citus`.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/citus/'],
  globalSetup: '<rootDir>/libs/testing/src/global-setup.ts',
  globalTeardown: '<rootDir>/libs/testing/src/global-teardown.ts',
  // In one process the modules of every file would stay in memory until the end.
  maxWorkers: 2,
  workerIdleMemoryLimit: '1GB',
  // A slow machine makes tests slow, not red. No file has a timeout of its own.
  testTimeout: 600_000,
};
