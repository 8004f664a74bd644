import type { INestApplicationContext, Type } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { schemas, unboundedIn } from '#platform/validation';
import {
  OPERATION,
  type OperationDeclaration,
  PUBLIC_ROUTE,
  queryParametersOf,
} from './operation-declaration';

/** Every operation that the app's controllers declare, in no particular order. */
export function operationsOf(app: INestApplicationContext): OperationDeclaration[] {
  return handlersOf(app).flatMap(({ handler }) => Reflect.getMetadata(OPERATION, handler) ?? []);
}

/**
 * @throws Error if a route has no declaration, an operation for keys no permission, two operations have the same name, or a value that a request can contain has
 *   no maximum
 */
export function requireDeclaredRoutes(app: INestApplicationContext): void {
  for (const { name, handler } of handlersOf(app)) {
    const declared = Reflect.hasMetadata(OPERATION, handler) !== Reflect.hasMetadata(PUBLIC_ROUTE, handler);
    if (!declared) throw new Error(`${name} must have either @Operation() or @PublicRoute()`);
  }
  const names = operationsOf(app).map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice) throw new Error(`Two operations have the name ${twice}`);
  for (const operation of operationsOf(app)) {
    requirePermission(operation);
    requireBounds(operation);
  }
}

function requirePermission({ name, keys, permission }: OperationDeclaration): void {
  if (keys.length > 0 && !permission)
    throw new Error(`${name} must declare the permission that it requires of a key`);
}

function requireBounds(operation: OperationDeclaration): void {
  if (operation.body) schemas().requireBounds(operation.body.name);
  for (const [name, { schema }] of Object.entries(queryParametersOf(operation))) {
    if (unboundedIn({ ...schema }, {}, name).length)
      throw new Error(`The parameter ${name} of ${operation.name} has no maximum`);
  }
}

function handlersOf(app: INestApplicationContext): { name: string; handler: object }[] {
  const scanner = new MetadataScanner();
  return app
    .get(DiscoveryService)
    .getControllers()
    .flatMap(({ instance, metatype }) => {
      const prototype = Object.getPrototypeOf(instance) as Record<string, object>;
      return scanner
        .getAllMethodNames(prototype)
        .map((method) => ({
          name: `${(metatype as Type).name}.${method}`,
          handler: prototype[method] as object,
        }))
        .filter(({ handler }) => Reflect.hasMetadata(PATH_METADATA, handler));
    });
}
