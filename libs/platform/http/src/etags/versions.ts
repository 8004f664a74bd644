import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database, statement } from '#platform/database';
import { instant } from '#platform/queries';

/** The version of an organization's data, in a snapshot. */
export interface Version {
  /** Equal versions are equal data. */
  version: string;
  /** After the times of all changes that the version includes, as in `updatedAt`; null without changes. */
  changedAt: string | null;
}

/** The ETag of a response that shows all changes of its version. */
export interface Tagged extends Pick<Version, 'changedAt'> {
  etag: string;
}

const READ = statement({
  parameters: ['uuid'],
  columns: { version: 'text', changedAt: 'text?' },
  sql: `
    SELECT coalesce(sum(delta) % 4611686018427387904, 0)::text AS version, ${instant('max(at)')} AS "changedAt"
    FROM organization_versions WHERE organization_id = $1
  `,
  prepared: true,
});

const REMEMBERED = 20_000;
const RECENT_MS = 1_000;

/** A read that is running, and the one that begins after it, if any request waits for that. */
interface Reading {
  version: Promise<Version>;
  next?: Promise<Version>;
}

/** Versions are read on the primary: a version must not be newer than the rows of its response. */
@Injectable()
export class Versions {
  private readonly known = new LRUCache<string, Promise<Version>>({ max: REMEMBERED, ttl: RECENT_MS });
  private readonly running = new Map<string, Reading>();

  constructor(private readonly database: Database) {}

  /**
   * The version now: includes every change that was committed before the call. Requests that come while a read is running share
   * the next one, because the running one may have begun before such a change.
   */
  read(organizationId: string): Promise<Version> {
    const reading = this.running.get(organizationId);
    if (!reading) return this.begin(organizationId);
    const begin = () => this.begin(organizationId);
    reading.next ??= reading.version.then(begin, begin);
    return reading.next;
  }

  /** A version of the last second: enough to name a response, because rows newer than their version only cause another response. */
  recent(organizationId: string): Promise<Version> {
    return this.known.get(organizationId) ?? this.read(organizationId);
  }

  private async begin(organizationId: string): Promise<Version> {
    const version = READ.one(this.database.of(organizationId), [organizationId]);
    const reading: Reading = { version };
    this.running.set(organizationId, reading);
    this.known.set(organizationId, version);
    try {
      return await version;
    } catch (error) {
      this.known.delete(organizationId);
      throw error;
    } finally {
      if (!reading.next) this.running.delete(organizationId);
    }
  }
}
