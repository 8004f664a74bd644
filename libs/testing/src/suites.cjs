const { readdirSync, readFileSync } = require('node:fs');
const { resolve } = require('node:path');

const ROOT = resolve(__dirname, '../../..');
/** The seconds of files that take more than a few. */
const { seconds } = require('../../../test/size.json');
/** Files that share a browser and demo data stay together. */
const TOGETHER = ['test/console/browser/'];
const COUNT = readdirSync(`${ROOT}/test/suites`).filter((name) => name.endsWith('.test.ts')).length;

/** All files of tests through HTTP, from the root. */
const files = readdirSync(`${ROOT}/test`, { recursive: true })
  .map((name) => `test/${name}`)
  .filter((path) => path.endsWith('.test.ts') && !path.startsWith('test/suites/'));
const words = process.argv.slice(2).filter((word) => !word.startsWith('-'));
/** Those that the words of the command choose. */
const chosen = files.filter((file) => words.some((word) => new RegExp(word, 'i').test(file)));

/**
 * What Jest runs of these files: those that words choose, otherwise suites (test/suites/suite.ts), which take equally long: the
 * longest files first, each into the suite that is the shortest so far.
 *
 * @param all paths from the root
 * @param count of suites
 */
function inSuites(all, count = COUNT) {
  if (chosen.length > 0) return { testMatch: all.map((file) => `<rootDir>/${file}`) };
  const groups = new Map();
  for (const file of all.sort()) groups.set(groupOf(file), [...(groups.get(groupOf(file)) ?? []), file]);
  const secondsOf = (group) => group.reduce((sum, file) => sum + (seconds[file] ?? 1), 0);
  const suites = Array.from({ length: count }, () => ({ files: [], seconds: 0 }));
  for (const group of [...groups.values()].sort((a, b) => secondsOf(b) - secondsOf(a))) {
    const shortest = suites.reduce((least, each) => (each.seconds < least.seconds ? each : least));
    shortest.files.push(...group);
    shortest.seconds += secondsOf(group);
  }
  return {
    testMatch: suites.map((_, i) => `<rootDir>/test/suites/${i + 1}.test.ts`),
    globals: { suites: suites.map((suite) => suite.files.sort((a, b) => sharing(a) - sharing(b))) },
  };
}
/** Files that use what is shared come last: what runs beside others only costs time, and some count every statement. */
const sharing = (file) => Number(readFileSync(`${ROOT}/${file}`, 'utf8').includes('sharedApi('));
const groupOf = (file) => TOGETHER.find((path) => file.startsWith(path)) ?? file;

module.exports = { files, chosen, inSuites };
