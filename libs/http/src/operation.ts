import { applyDecorators, HttpCode, SetMetadata } from '@nestjs/common';
import { describeOperation } from './describe-operation';
import { OPERATION, type OperationDeclaration, PUBLIC_ROUTE } from './operation-declaration';

/**
 * Declares a route, once: who may call it, how often, what it takes and answers. The guards, the rate limits
 * and the OpenAPI document all read this; start-up fails on a route without it.
 */
export const Operation = (declaration: OperationDeclaration): MethodDecorator =>
  // 200 for every method: the contract's success status, not Nest's 201 for POST.
  applyDecorators(HttpCode(200), SetMetadata(OPERATION, declaration), describeOperation(declaration));

/** A route that takes no key, answers nobody's data, and is not part of the contract (health, reference). */
export const PublicRoute = (): MethodDecorator => SetMetadata(PUBLIC_ROUTE, true);
