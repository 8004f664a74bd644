import { LRUCache } from 'lru-cache';
import { errors } from '#platform/validation';
import type { AccessChanges } from './access-changes';
import type { Caller } from './caller';

const TOUCH_EVERY_MS = 60_000;
/** A change whose announcement was lost takes effect after this time: a revocation may take a minute. */
const KNOWN_MS = 30_000;

export interface ValidCaller {
  caller: Caller;
  /** By the monotonic clock of this process; the database reports the remaining time. */
  until: number;
  /** When the key expires, so that its holder can be told. */
  expiresAt?: string | null;
}

interface Known {
  valid: Promise<ValidCaller | undefined>;
  touchedAt: number;
}

/** What reads a caller, and what records that it was used. */
export interface CallerSource {
  read(): Promise<ValidCaller | undefined>;
  touch(): Promise<unknown>;
}

/**
 * Callers by name, which begins with the id of their organization. Each is cached for at most KNOWN_MS and invalidated
 * when the database announces a change.
 */
export class CallerCache {
  private readonly known: LRUCache<string, Known>;

  constructor(max: number, changes: AccessChanges) {
    this.known = new LRUCache({ max, ttl: KNOWN_MS });
    changes.subscribe((organizationId) => this.forget(organizationId));
  }

  /** @throws ApiError 401 that names the time, if the key has expired */
  async callerOf(name: string, source: CallerSource): Promise<Caller | undefined> {
    let known = this.known.get(name);
    if (!known) {
      known = { valid: source.read(), touchedAt: 0 };
      this.known.set(name, known);
      // Does not cache a failed read: the next request reads again.
      known.valid.catch(() => this.known.delete(name));
    }
    const valid = await known.valid;
    if (!valid) return undefined;
    if (performance.now() >= valid.until) {
      if (valid.expiresAt) throw errors.keyExpired(valid.expiresAt);
      return undefined;
    }
    this.touch(known, source);
    return valid.caller;
  }

  private touch(known: Known, source: CallerSource): void {
    const now = Date.now();
    if (now - known.touchedAt < TOUCH_EVERY_MS) return;
    known.touchedAt = now;
    // Not awaited: a request must not fail because of this update.
    source.touch().catch(() => {});
  }

  forget(organizationId: string | undefined): void {
    for (const name of this.known.keys()) {
      if (!organizationId || name.startsWith(organizationId)) this.known.delete(name);
    }
  }
}
