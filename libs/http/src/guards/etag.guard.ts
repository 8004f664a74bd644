import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Etags } from '../etags/etags';
import { type ApiRequest, requestOf } from '../request';

/** After all refusals: answers 304 without reading data, if none has changed. Not for staff, whose browsers store responses with tags. */
@Injectable()
export class EtagGuard implements CanActivate {
  constructor(private readonly etags: Etags) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = requestOf(context);
    const { operation, caller } = request;
    return operation?.etag && caller.kind !== 'STAFF' ? this.tag(request) : true;
  }

  private async tag(request: ApiRequest): Promise<boolean> {
    request.tagged = await this.etags.tag(request);
    return true;
  }
}
