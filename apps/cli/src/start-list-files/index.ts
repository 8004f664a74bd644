/**
 * Start list files: bookings that the platform itself made, or that it takes over from another platform
 * (docs/start-list-files.md).
 *
 * const report = await loadStartList(dataSource, { organizationId, path: 'bookings.jsonl', settings });
 * report.problems                               // failed rows, by line
 *
 * The rows are those of the booking import, which checks, prices and writes them; this lib only reads the file and
 * the columns that the API does not accept.
 */
export { loadChunk } from './load-chunk';
export {
  DatabaseFull,
  type LoadStartListOptions,
  loadStartList,
  type StartListReport,
} from './load-start-list';
export { openStartList, startListKind } from './read-table';
export { describeRowProblem, type RowProblem } from './row-problems';
