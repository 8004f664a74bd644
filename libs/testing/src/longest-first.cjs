const { default: Sequencer } = require('@jest/test-sequencer');

/** Jest knows how long a file takes once it has run it. In a new clone, these come first, so that none is left at the end. */
const LONGEST = [
  'faults/imports',
  'faults/poison',
  'faults/race-day',
  'faults/webhooks',
  'fleet/fleet',
  'backup/backup',
  'console/browser/screens',
  'docker/compose',
  'faults/start',
  'faults/interrupted',
  'faults/postgres',
  'docs/first-hour',
  'faults/chunks',
  'console/browser/import-csv',
  'contract/paging',
  'client/sync',
  'client/behaviours',
  'imports/send-file',
  'migrations/locks',
  'start-list/interrupted',
  'cli/demo',
  'race-day/bounded-work',
  'operations/processes',
  'contract/bad-input',
  'contract/pollers',
];
const place = ({ path }) => {
  const found = LONGEST.findIndex((name) => path.includes(`/test/${name}.test.`));
  return found < 0 ? LONGEST.length : found;
};

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    return sorted.some(({ duration }) => duration) ? sorted : sorted.sort((a, b) => place(a) - place(b));
  }
};
