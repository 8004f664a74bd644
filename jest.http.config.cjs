const config = require('./jest.config.cjs');

/** The tests of `npm test` but for the unit tests, which .ci/run runs first. @type {import('jest').Config} */
module.exports = { ...config, testMatch: config.testMatch.slice(1) };
