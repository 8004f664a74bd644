import { type INestApplicationContext, RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { schemas, unboundedIn } from '#platform/validation';
import {
  OPERATION,
  type OperationDeclaration,
  PUBLIC_ROUTE,
  queryParametersOf,
} from './operation-declaration';
import { NEVER_REFUSED, RECORD, type Writes } from './rate-limits/writes';

/** Every operation that the app's controllers declare, with what its kind of route stores, in no particular order. */
export function operationsOf(app: INestApplicationContext): OperationDeclaration[] {
  return handlersOf(app)
    .filter(({ handler }) => Reflect.hasMetadata(OPERATION, handler))
    .map(({ handler }) => ({
      ...(Reflect.getMetadata(OPERATION, handler) as OperationDeclaration),
      writes: isWrite(handler) ? writesOf(handler) : undefined,
    }));
}

/**
 * @throws Error if a route has no declaration, an operation for keys no permission, two operations have the same name, an action does not declare
 *   what it stores, or a value that a request can contain has no maximum
 */
export function requireDeclaredRoutes(app: INestApplicationContext): void {
  for (const { name, handler } of handlersOf(app)) {
    const declared = Reflect.hasMetadata(OPERATION, handler) !== Reflect.hasMetadata(PUBLIC_ROUTE, handler);
    if (!declared) throw new Error(`${name} must have either @Operation() or @PublicRoute()`);
    if (isWrite(handler) && !writesOf(handler))
      throw new Error(`${name} must declare what it stores (\`writes\`)`);
  }
  const names = operationsOf(app).map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice) throw new Error(`Two operations have the name ${twice}`);
  for (const operation of operationsOf(app)) {
    requirePermission(operation);
    requireBounds(operation);
  }
}

const isWrite = (handler: object): boolean =>
  Reflect.hasMetadata(OPERATION, handler) &&
  Reflect.getMetadata(METHOD_METADATA, handler) !== RequestMethod.GET;

/**
 * What a request to the route stores: as declared, or by the kind of the route. `undefined` for an action, such as `POST …/rotate`, which must
 * declare it.
 *
 * @param handler of a route that is not a GET
 */
export function writesOf(handler: object): Writes | undefined {
  const { writes, anonymous }: OperationDeclaration = Reflect.getMetadata(OPERATION, handler);
  if (writes) return writes;
  const method: RequestMethod = Reflect.getMetadata(METHOD_METADATA, handler);
  if (method === RequestMethod.DELETE || anonymous) return NEVER_REFUSED;
  const isAction = method === RequestMethod.POST && Reflect.getMetadata(PATH_METADATA, handler) !== '/';
  return isAction ? undefined : RECORD;
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
