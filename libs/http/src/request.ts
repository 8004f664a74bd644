import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Caller } from '#libs/access';
import type { Actor } from '#libs/audit';
import type { Cursors, Values } from '#libs/resources';
import { type ListRequest, listRequestOf } from '#libs/resources';
import { isList, type OperationDeclaration } from './operation-declaration';

/** What the guards put on a request for those after them. */
export interface ApiRequest extends Request {
  /** Names the request in logs and in the answer's `x-request-id`. */
  id: string;
  operation?: OperationDeclaration;
  caller: Caller;
  /** Query parameters, as read. */
  values: Values;
  /** Reads and writes the cursors of lists. */
  cursors: Cursors;
}

export const requestOf = (context: ExecutionContext): ApiRequest =>
  context.switchToHttp().getRequest<ApiRequest>();

/** The key that calls, with its organization. */
export const Call = createParamDecorator(
  (_: unknown, context: ExecutionContext) => requestOf(context).caller,
);

/** The organization in which a caller acts, and how the audit log names them. */
export interface Acting {
  organizationId: string;
  actor: Actor;
}

/** Who acts, for operations that are recorded in the audit log. */
export const Act = createParamDecorator((_: unknown, context: ExecutionContext): Acting => {
  const { caller, ip } = requestOf(context);
  const type = caller.kind === 'STAFF' ? 'STAFF' : 'KEY';
  return { organizationId: caller.organizationId, actor: { type, id: caller.keyId, origin: ip ?? null } };
});

/** The query parameters, as read. */
export const Query = createParamDecorator(
  (_: unknown, context: ExecutionContext) => requestOf(context).values,
);

/** The page that is asked for, within what the path names. */
export const Page = createParamDecorator((_: unknown, context: ExecutionContext): ListRequest => {
  const { operation, caller, values, params, cursors } = requestOf(context);
  if (!operation || !isList(operation.answers))
    throw new Error('@Page() belongs to an operation that answers a list');
  return listRequestOf(operation.answers, caller, values, params, cursors);
});
