import { createHash } from 'node:crypto';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { lastValueFrom, type Observable, of } from 'rxjs';
import { type ClaimedKey, IdempotencyKeys } from '#platform/access';
import { doOnce } from '#platform/database';
import { actingOf } from './acting';
import type { Repeatable } from './repeatable';
import { type ApiRequest, requestOf } from './request';

/** Honours `Idempotency-Key`: the transaction of the request claims the key, and a repetition is answered from the record. */
@Injectable()
export class OnceInterceptor implements NestInterceptor {
  constructor(
    private readonly keys: IdempotencyKeys,
    private readonly services: ModuleRef,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = requestOf(context);
    const { idempotent, name } = request.operation ?? {};
    if (!name || typeof idempotent !== 'object') return next.handle();
    const key = this.keys.read(request.headers['idempotency-key']);
    if (key === undefined) return next.handle();
    const { organizationId, partner } = request.caller;
    const claim: ClaimedKey = {
      organizationId,
      // A partner has keys of its own.
      operation: partner ? `${name} ${partner.id}` : name,
      key,
      hash: hashOf(request),
    };
    const once = this.keys.once(claim, idempotent.made);
    try {
      return of(await doOnce(once, () => lastValueFrom(next.handle())));
    } catch (error) {
      if (!once.isRepeated) throw error;
      return of(await this.repeated(request, idempotent, claim, next));
    }
  }

  /** @throws ApiError 400 if the first request was another one; 404 if the record is gone */
  private async repeated(
    request: ApiRequest,
    { answer }: Repeatable,
    claim: ClaimedKey,
    next: CallHandler,
  ): Promise<unknown> {
    const { recordId } = await this.keys.first(claim);
    if (!answer) return lastValueFrom(next.handle());
    const { caller, params, body } = request;
    const id = recordId ?? String(params.id ?? params.jobId);
    return answer({
      caller,
      acting: actingOf(request),
      id,
      path: params,
      body,
      get: (service) => this.services.get(service, { strict: false }),
    });
  }
}

/** The same key with another path, query or body is another request. */
const hashOf = ({ params, query, body }: ApiRequest): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([Object.entries(params), Object.entries(query).sort(), body ?? null]))
    .digest();
