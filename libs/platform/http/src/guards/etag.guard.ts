import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Etags } from '../etags/etags';
import { type ApiRequest, requestOf } from '../request';

/** After all refusals: answers 304 without reading data, if none has changed. Not for staff, whose browsers store responses with tags, and
 * not for partners: a tag changes when anything of the organization does. */
@Injectable()
export class EtagGuard implements CanActivate {
  constructor(private readonly etags: Etags) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = requestOf(context);
    const { operation, caller } = request;
    if (!operation?.etag || caller.kind === 'STAFF' || caller.partner) return true;
    // A 304 has the header of the response that it stands for, whose length is not known.
    context.switchToHttp().getResponse<Response>().setHeader('vary', 'accept-encoding');
    return this.tag(request);
  }

  private async tag(request: ApiRequest): Promise<boolean> {
    request.tagged = await this.etags.tag(request);
    return true;
  }
}
