/** `npm run test:long`: faults, fleets, replicas, backups and browsers. @type {import('jest').Config} */
module.exports = {
  ...require('./jest.config.cjs'),
  testMatch: require('./test/long.json').map((path) => `<rootDir>/${path}*.test.ts`),
  testPathIgnorePatterns: ['/node_modules/'],
};
