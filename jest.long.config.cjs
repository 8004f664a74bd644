const { files, inSuites } = require('./libs/testing/src/suites.cjs');
const LONG = require('./test/long.json');

/** `npm run test:long`: faults, fleets, replicas, backups and browsers. @type {import('jest').Config} */
module.exports = {
  ...require('./jest.config.cjs'),
  ...inSuites(files.filter((file) => LONG.some((path) => file.startsWith(path)))),
  reporters: ['default', ['<rootDir>/libs/testing/src/report.cjs', {}]],
};
