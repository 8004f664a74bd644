/**
 * Start list files: bookings that the platform itself made, or that it takes over from another (docs/start-list-files.md).
 *
 *   const report = await loadStartList(dataSource, { organizationId, path: 'bookings.jsonl', settings });
 *   report.problems                               // what failed, by line
 *
 * The rows are those of the booking import, which checks, prices and writes them; only the file and the columns that the
 * API doesn't take are read here.
 */
export { type LoadStartListOptions, loadStartList, type StartListReport } from './load-start-list';
export { describeRowProblem, type RowProblem } from './row-problems';
