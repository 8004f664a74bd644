/**
 * What every route shares: its declaration, access, input rules, lists, errors.
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

export { instantOf, isPlainDate } from '#libs/input';
export { ApiError, defineErrors, type ErrorBody, errors } from './api-error';
export { ApiErrorBody, BodyProblem } from './api-error.dto';
export { importBounds } from './bodies/body-bounds';
export { CHECKING_THREAD, type CheckingThread } from './bodies/checking-thread';
export { HttpModule } from './http.module';
export { JsonAdapter } from './json-adapter';
export { JsonText } from './json-text';
export * from './lists/list-declaration';
export type { ListRequest } from './lists/list-request';
export { Lists } from './lists/lists';
export { Reads } from './lists/reads';
export { type Bind, instant, price, type Resource, type Values } from './lists/resource';
export * from './money.dto';
export { IsEachOf, IsOneOf } from './nested';
export {
  Operation,
  type OperationDeclaration,
  PublicRoute,
  type RateClass,
  type ResourceGroup,
} from './operation';
export * from './parameters';
export { type ApiRequest, Call, Page, Query, requestOf } from './request';
export { operationsOf, requireDeclaredRoutes } from './routes';
