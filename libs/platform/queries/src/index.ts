/**
 * Resources, each read by one SELECT, and lists of resources with their parameters.
 *
 *   export const TICKET: Resource = { schema: Ticket, from: 'tickets t', select: `t.id AS "id", …` };
 *   export const TICKETS_OF_RACE: ListDeclaration = { name: 'ticketsOfRace', of: TICKET, within: { column: 't.race_id' }, … };
 *
 *   reads.one(TICKET, caller, id);            // JSON text, or errors.notFound()
 *   lists.page(TICKETS_OF_RACE, request);     // one page in its envelope
 */
export { Cursors } from './cursor';
export { Digest } from './digest.dto';
export { bucketParameter, Digests } from './digests';
export { JsonText } from './json-text';
export * from './list-declaration';
export { isLargePage, type ListRequest, listRequestOf, parametersOf } from './list-request';
export { Lists } from './lists';
export * from './money.dto';
export * from './parameters';
export { Reads } from './reads';
export {
  type Bind,
  instant,
  isLimited,
  type Part,
  price,
  priceAs,
  type Resource,
  type Values,
} from './resource';
