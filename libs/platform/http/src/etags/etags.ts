import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '#platform/access';
import { releaseVersion, SETTINGS, type Settings } from '#platform/config';
import type { ApiRequest } from '../request';
import { type Tagged, Versions } from './versions';

/** Thrown instead of a response that the client has. Has no stack, because it is no failure. */
export class NotModified {
  constructor(readonly etag: string) {}
}

/**
 * ETags of responses that depend on nothing but the request, the caller and the data of its organization. They are weak,
 * because the same tag stands for every encoding of the body.
 */
@Injectable()
export class Etags {
  /** What is the same for all requests, and shows in responses: the code, the links, and the signature of cursors. */
  private readonly key: string;

  constructor(
    private readonly versions: Versions,
    @Inject(SETTINGS)
    { SIGNING_SECRETS: [signer], CHECKOUT_URL, CHECKOUT_URL_BY_COUNTRY }: Settings,
  ) {
    const links = [CHECKOUT_URL, ...(CHECKOUT_URL_BY_COUNTRY ?? [])];
    this.key = JSON.stringify(['etags', releaseVersion(), signer?.secret, links]);
  }

  /** @throws NotModified if the client's tag is that of the current data */
  async tag(request: ApiRequest): Promise<Tagged> {
    const { caller, originalUrl } = request;
    const known = request.headers['if-none-match'];
    const { version, changedAt } = await (known === undefined
      ? this.versions.recent(caller.organizationId)
      : this.versions.read(caller.organizationId));
    const named = `${this.key} ${version} ${reachOf(caller)} ${originalUrl}`;
    const etag = `W/"${hash('sha256', named, 'base64url').slice(0, 27)}"`;
    if (known !== undefined && includes(known, etag)) throw new NotModified(etag);
    return { etag, changedAt };
  }
}

/** The tags of a list differ at most in their strength. `*` needs a response first, because it stands for any that exists. */
const includes = (known: string, etag: string): boolean =>
  known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag.slice(2));

/** What decides, besides the URL, what a caller sees. Callers are cached, and not changed. */
const reaches = new WeakMap<Caller, string>();
function reachOf(caller: Caller): string {
  let reach = reaches.get(caller);
  if (!reach) {
    const { organizationId, kind, eventOccurrenceIds, endpoints, reads, permissions, keyId, partner } =
      caller;
    // A key with permissions sees its own webhook endpoints.
    const own = permissions ? [permissions, keyId] : [];
    reach = JSON.stringify([organizationId, kind, eventOccurrenceIds, endpoints, reads, partner?.id, ...own]);
    reaches.set(caller, reach);
  }
  return reach;
}
