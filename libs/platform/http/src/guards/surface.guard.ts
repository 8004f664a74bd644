import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { errors } from '#platform/validation';
import { requestOf } from '../request';

/** Runs after the rate limits: checks that the surface is enabled for the organization. */
@Injectable()
export class SurfaceGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { operation, caller } = requestOf(context);
    if (operation?.surface && !caller.surfaces.has(operation.surface))
      throw errors.surfaceOff(operation.surface);
    return true;
  }
}
