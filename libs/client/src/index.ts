/**
 * The API as a partner's program uses it. Published as a package of its own, so it knows no other lib.
 *
 *   const startline = new StartlineClient({ baseUrl: 'https://…', token: key });
 *   const ticket = await startline.get('/v0/tickets/{id}', { params: { path: { id } } });
 *   for await (const participant of startline.every('/v0/participants')) { … }       // all pages
 *   for await (const changed of startline.changes('/v0/participants', { since })) { … }  // and what comes
 *   for await (const { events, cursor } of startline.changeEvents({ after })) { … }   // what changed, as ids
 *   for await (const participant of startline.exportParticipants({ raceId })) { … }   // in one request
 *   const { failed } = await startline.import('/v0/bookings/import', rows);           // in batches, to the end
 *   const job = await startline.finished(await startline.post('/v0/credits/import', { body }));
 *
 * Refusals throw StartlineError; what a 429 refused, or what may safely be sent again, is.
 */
export { StartlineClient, type StartlineOptions } from './client';
export { StartlineError } from './error';
export type { ExportQuery } from './export';
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
export type { ImportField, ImportShape } from './rows/shapes';
export { type CommandOutcome, sendCommand } from './send/command';
export { SendRefused } from './send/refused';
export { type SendOptions, type SendReport, sendFile } from './send/send-file';
export { SURFACE_NAMES } from './send/surfaces';
