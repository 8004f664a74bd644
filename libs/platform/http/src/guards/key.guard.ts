import type { ServerResponse } from 'node:http';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Caller, Keys, refusalOf, StaffSessions } from '#platform/access';
import { NIL_ID } from '#platform/database';
import { ApiError, errors, networkOf } from '#platform/validation';
import { OPERATION, type OperationDeclaration, PUBLIC_ROUTE } from '../operation-declaration';
import { RateHeaders } from '../rate-limits/rate-headers';
import { uuidOf } from '../rate-limits/uuid-of';
import { type ApiRequest, requestOf } from '../request';
import { ownIdsOf } from './own-ids';
import { ORGANIZATION_HEADER, requireSameOrigin, staffCookieOf } from './staff-cookie';

const BEARER = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+) *$/i;
const LONGEST_TOKEN = 4_096;
/** The beginning of a token, which is shorter than its signature. */
const CUT_TOKEN = /^Bearer +eyJ[\w-]*(\.[\w-]*(\.[\w-]{0,42})?)? *$/i;

/** The first guard: authenticates a key or a staff session, and checks access. Reads no data of the organization. */
@Injectable()
export class KeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly keys: Keys,
    private readonly sessions: StaffSessions,
    private readonly rateHeaders: RateHeaders,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.get<boolean>(PUBLIC_ROUTE, context.getHandler())) return true;
    const operation = this.reflector.get<OperationDeclaration | undefined>(OPERATION, context.getHandler());
    const request = requestOf(context);
    request.operation = operation;
    try {
      return await this.isPermitted(request);
    } catch (error) {
      const response = context.switchToHttp().getResponse<ServerResponse>();
      if (operation && error instanceof ApiError) this.rateHeaders.set(response, operation, request.caller);
      throw error;
    }
  }

  private async isPermitted(request: ApiRequest): Promise<true> {
    const { operation } = request;
    for (const name of ownIdsOf(request)) request.params[name] = String(request.params[name]).toLowerCase();
    if (operation?.anonymous) {
      requireSameOrigin(request);
      request.caller = anonymous(request);
      return true;
    }
    const caller = await this.callerOf(request);
    if (!operation || !caller) {
      if (isFromConsole(request, operation)) throw SIGNED_OUT();
      throw request.headers.authorization ? errors.unauthorized() : errors.noKey();
    }
    request.caller = caller;
    request.isStillPermitted = async () => rightsOf(await this.callerOf(request)) === rightsOf(caller);
    const refusal = refusalOf(caller, operation, request.method, request.params.id as string | undefined);
    if (refusal) throw new ApiError(refusal.status, refusal.message);
    return true;
  }

  private callerOf(request: ApiRequest): Promise<Caller | undefined> | undefined {
    const cookie = staffCookieOf(request);
    if (cookie) return this.sessions.callerOf(cookie.organizationId, cookie.secret);
    const header = request.headers.authorization ?? '';
    const token = header.length <= LONGEST_TOKEN ? BEARER.exec(header)?.[1] : undefined;
    if (CUT_TOKEN.test(header.slice(0, LONGEST_TOKEN))) throw errors.keyIncomplete();
    return token ? this.keys.callerOf(token) : undefined;
  }
}

const rightsOf = (caller: Caller | undefined): string | undefined =>
  caller &&
  JSON.stringify([
    ...[caller.role, caller.eventOccurrenceIds, caller.endpoints, caller.permissions, caller.reads],
    caller.partner?.id,
  ]);

const SIGNED_OUT = () =>
  new ApiError(401, 'You are not signed in, or your session has ended. Sign in again.');

/** Names an organization of the browser, or asks for what only staff may do. */
const isFromConsole = ({ headers }: ApiRequest, operation?: OperationDeclaration): boolean =>
  headers[ORGANIZATION_HEADER] !== undefined || operation?.keys.length === 0;

/** During sign-in the caller is unknown, so requests are counted by address. */
function anonymous(request: ApiRequest): Caller {
  const keyId = uuidOf(networkOf(request.ip ?? ''));
  return {
    organizationId: NIL_ID,
    keyId,
    kind: 'STAFF',
    role: null,
    eventOccurrenceIds: null,
    endpoints: null,
    permissions: null,
    partner: null,
    readOnly: false,
    sandbox: false,
    reads: [],
    surfaces: new Set(),
  };
}
