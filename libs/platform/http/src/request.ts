import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Caller } from '#platform/access';
import type { Cursors, Values } from '#platform/queries';
import { type ListRequest, listRequestOf } from '#platform/queries';
import { actingOf } from './acting';
import type { Tagged } from './etags/versions';
import { isList, type OperationDeclaration } from './operation-declaration';

/** Properties of a request that guards set. */
export interface ApiRequest extends Request {
  /** The request id in logs and in the `x-request-id` header. */
  id: string;
  operation?: OperationDeclaration;
  caller: Caller;
  /** Whether the caller still has the same rights. A response can take hours. */
  isStillPermitted?: () => Promise<boolean>;
  /** The parsed query parameters. */
  values: Values;
  /** Reads and writes the cursors of lists. */
  cursors: Cursors;
  /** What ends its turns among large bodies and responses. */
  turns?: (() => void)[];
  /** Takes back what the request counts for an allowance of the day, because it is refused. */
  takeBack?: () => void;
  /** The ETag of the response, if it shows everything up to its version. */
  tagged?: Tagged;
}

export const requestOf = (context: ExecutionContext): ApiRequest =>
  context.switchToHttp().getRequest<ApiRequest>();

/** A response is there, and its client may take its time to read it. */
export const endTurns = ({ turns = [] }: Pick<ApiRequest, 'turns'>): void => {
  for (const end of turns) end();
};

/** The caller, with its organization. */
export const Call = createParamDecorator(
  (_: unknown, context: ExecutionContext) => requestOf(context).caller,
);

/** The actor of operations that are recorded in the audit log. */
export const Act = createParamDecorator((_: unknown, context: ExecutionContext) =>
  actingOf(requestOf(context)),
);

/** The parsed query parameters. */
export const QueryValues = createParamDecorator(
  (_: unknown, context: ExecutionContext) => requestOf(context).values,
);

/** The requested page of a list. */
export const Page = createParamDecorator((_: unknown, context: ExecutionContext): ListRequest => {
  const { operation, caller, values, params, cursors } = requestOf(context);
  if (!operation || !isList(operation.answers))
    throw new Error('@Page() requires an operation that answers a list');
  return listRequestOf(operation.answers, caller, values, params, cursors);
});
