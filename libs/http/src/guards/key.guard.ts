import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Keys, refusalOf } from '#libs/access';
import { ApiError, errors } from '#libs/errors';
import { OPERATION, type OperationDeclaration, PUBLIC_ROUTE } from '../operation-declaration';
import { requestOf } from '../request';

const BEARER = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+) *$/i;
const LONGEST_TOKEN = 4_096;

/** First of the guards: who calls, and may such a key call this at all. Reads no data of the organization. */
@Injectable()
export class KeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly keys: Keys,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.get<boolean>(PUBLIC_ROUTE, context.getHandler())) return true;
    const operation = this.reflector.get<OperationDeclaration | undefined>(OPERATION, context.getHandler());
    const request = requestOf(context);
    request.operation = operation;
    const header = request.headers.authorization ?? '';
    const token = header.length <= LONGEST_TOKEN ? BEARER.exec(header)?.[1] : undefined;
    const caller = token && (await this.keys.callerOf(token));
    if (!operation || !caller) throw errors.unauthorized();
    request.caller = caller;
    const refusal = refusalOf(caller, operation, request.method, request.params.id as string | undefined);
    if (refusal) throw new ApiError(refusal.status, refusal.message);
    return true;
  }
}
