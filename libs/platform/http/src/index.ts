export type { Acting } from './acting';
/**
 * The HTTP side of every route: its declaration, guards, rate limits, the check of bodies, and the rendering of errors.
 *
 *   @Get('tickets/:id')
 *   @Operation({ name: 'getTicket', group: 'Tickets', summary: 'Read a ticket', keys: ['ORGANIZER'], rate: 'wide',
 *     answers: Ticket })
 *   ticket(@Call() caller: Caller, @Param('id') id: string) {
 *     return this.reads.one(TICKET, caller, id);
 *   }
 *
 *   @Get('races/:id/tickets')
 *   @Operation({ …, answers: TICKETS_OF_RACE })
 *   tickets(@Page() page: ListRequest) {
 *     return this.lists.page(TICKETS_OF_RACE, page);
 *   }
 */

export { BodyProblem } from './api-error.dto';
export { digestOperation } from './digest-operation';
export { hostCookieOf, setHostCookie, setStaffCookie, staffCookieOf } from './guards/staff-cookie';
export { HttpModule } from './http.module';
export { JsonAdapter } from './json-adapter';

export { Operation, PublicRoute } from './operation';
export type { OperationDeclaration, ResourceGroup } from './operation-declaration';
export { DailyBytes } from './rate-limits/daily-bytes';
export { counterUse } from './rate-limits/rate-counts';
export { uuidOf } from './rate-limits/uuid-of';
export {
  CATALOGUE,
  IMPORT,
  NEVER_REFUSED,
  NOTHING,
  RACE_DAY,
  RECORD,
  recordsOf,
  type Writes,
} from './rate-limits/writes';
export { madeBy, type Repeatable, repeatedAs } from './repeatable';
export { Act, type ApiRequest, Call, Page, QueryValues } from './request';
export { operationsOf, requireDeclaredRoutes } from './routes';
export { acceptedOf } from './serving/compression';
export { useRequestMiddleware } from './serving/request-middleware';
export { Sending } from './serving/sending';
