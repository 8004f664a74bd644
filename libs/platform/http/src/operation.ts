import { applyDecorators, HttpCode, SetMetadata, UseInterceptors } from '@nestjs/common';
import { describeOperation } from './describe-operation';
import { OnceInterceptor } from './once.interceptor';
import { OPERATION, type OperationDeclaration, PUBLIC_ROUTE } from './operation-declaration';
import { RowsInterceptor } from './rate-limits/rows.interceptor';

/**
 * Declares the access, allowance, input and response of a route. Guards, rate limits and the OpenAPI document use the
 * declaration; the process does not start if a route has none.
 */
export const Operation = (declaration: OperationDeclaration): MethodDecorator =>
  // 200 for every method, instead of Nest's 201 for POST (docs/interface.md#conventions).
  applyDecorators(
    HttpCode(200),
    SetMetadata(OPERATION, declaration),
    describeOperation(declaration),
    // Not for every route: an interceptor costs each request.
    ...(typeof declaration.idempotent === 'object' ? [UseInterceptors(OnceInterceptor)] : []),
    // Within the other one: a repeated request stores nothing.
    ...(declaration.writes?.row ? [UseInterceptors(RowsInterceptor)] : []),
  );

/** A route without a key and without data of an organization, which is not part of the interface (health, reference). */
export const PublicRoute = (): MethodDecorator => SetMetadata(PUBLIC_ROUTE, true);
