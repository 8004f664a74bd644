/**
 * Support for tests: a separate database, and rows with valid defaults.
 *
 * const database = await testDatabase();            // migrated and empty; drop() it at the end
 * describeWithRedis()('…', () => { … await testRedis() … });   // without one, Jest reports a skip
 * const { id: organizationId } = await organization(dataSource);
 * const { token } = await key(dataSource, { organizationId });
 * const { id } = await ticket(dataSource, { organizationId, priceValue: '4500' });
 * expectMatchesSchema('getTicket', 200, body);        // strictly against openapi.json
 * const { id, entries } = await booking(dataSource, { organizationId, entries: 3 });
 */

export { type WorkbookCell, workbook } from '#libs/sheets';
export * from './booking-forms';
export * from './bookings';
export * from './catalogue';
export { copiesOf } from './copies';
export { ERASURE_SECRET, sharedSettings, type TestDatabase, testDatabase, withDatabase } from './databases';
export { type Description, describeStatement } from './describe-statement';
export { DIRTY_QUESTIONS } from './dirty-answers';
export { type CalendarTruth, dirtyCalendar } from './dirty-calendars';
export { DIRTY_RECORDS, type DirtySheet, dirtySheet } from './dirty-sheets';
export * from './discounts';
export { freePort } from './free-port';
export { HOSTILE_SHAPES, placesIn, withJsonAt } from './hostile-shapes';
export { HOSTILE_TEXTS } from './hostile-texts';
export * from './import-jobs';
export { type ImportRows, importRowsOf, storedBytes } from './import-shapes';
export { nodeOf, storageOf } from './nodes';
export * from './organizations';
export * from './partners';
export { countProcesses, countProgram } from './programs';
export { UNIDENTIFIED_MESSAGE } from './race-day';
export {
  describeWithOwnRedis,
  describeWithRedis,
  type OwnRedis,
  ownRedis,
  type TestRedis,
  testRedis,
} from './redis';
export * from './referrals';
export { expectDocumented, expectMatchesSchema, openApiDocument, violationOf } from './schema';
export { seeded } from './seeded';
export { serverFolder } from './server-folder';
export { Shared } from './shared';
export { type TextPlace, textPlacesOf } from './text-places';
export { type WholeOrganization, wholeOrganization } from './whole-organization';
