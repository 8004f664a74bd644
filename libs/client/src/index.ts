/**
 * The API client for programs of partners. Published as a separate package, so it imports no other lib.
 *
 * const startline = new StartlineClient({ baseUrl: 'https://…', token: key });
 * const ticket = await startline.get('/v0/tickets/{id}', { params: { path: { id } } });
 * for await (const participant of startline.every('/v0/participants')) { … }       // all pages
 * for await (const changed of startline.changes('/v0/participants', { since })) { … }  // and later changes
 * for await (const { events, cursor } of startline.changeEvents({ after })) { … }   // changes as ids
 * for await (const participant of startline.exportParticipants({ raceId })) { … }   // in one request
 * const { failed } = await startline.import('/v0/bookings/import', rows);           // in batches, to the end
 * const job = await startline.finished(await startline.post('/v0/credits/import', { body }));
 *
 * Errors throw StartlineError. Requests are retried after a 429, and after other failures if a retry is safe: a few
 * times, and by the loops over changes until they are left.
 */
export { StartlineClient, type StartlineOptions } from './client';
export { StartlineError } from './error';
export type { ExportQuery, TimingExportQuery } from './export';
export type { FinishedOptions, ImportOptions, ImportPath, ImportReport, ImportRow, JobName } from './imports';
export type {
  ChangeEventsOptions,
  ChangeEventsPage,
  ChangesOptions,
  ChangingPath,
  Item,
  ListPath,
} from './lists';
export type * from './openapi';
export type { BodyProblem, ProblemCode } from './openapi';
export type { Answer, Call, Init } from './operations';
export { type Progress, progressOn } from './progress';
export { kindOfImport } from './rows/kinds';
export { type Ask, questionsOf } from './rows/look-up';
export type { ImportField, ImportShape } from './rows/shapes';
export { type CommandOutcome, initialMapping, sendCommand } from './send/command';
export { agreed, decided, planWithRecords } from './send/decide';
export { mistakesOf } from './send/describe-mistake';
export { FailedFile, failedFileOf } from './send/failed-file';
export { type Flags, fileOptionsOf } from './send/flags';
export { type Given, mappingOf } from './send/mapping';
export type { Failure } from './send/prepare';
export {
  type FileRow as RowOfFile,
  type OpenOptions,
  openSource,
  rowOf,
  type SourceFile,
} from './send/read-rows';
export { SendRefused } from './send/refused';
export { type SendOptions, type SendReport, sendFile } from './send/send-file';
export { SURFACE_NAMES } from './send/surfaces';
export { type Terminal, terminalOf } from './send/terminal';
export type { Retry } from './sending';
export { type SyncCommandOptions, syncCommand } from './sync/command';
export { CopyRefused, type List } from './sync/copy';
