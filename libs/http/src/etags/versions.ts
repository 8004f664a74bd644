import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database, statement } from '#libs/database';
import { instant } from '#libs/resources';

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

/** Versions are read on the primary: a version must not be newer than the rows of its response. */
@Injectable()
export class Versions {
  private readonly known = new LRUCache<string, Promise<Version>>({ max: REMEMBERED, ttl: RECENT_MS });

  constructor(private readonly database: Database) {}

  /** The version now: includes every change that was committed before the call. */
  read(organizationId: string): Promise<Version> {
    const version = READ.one(this.database.of(organizationId), [organizationId]);
    this.known.set(organizationId, version);
    version.catch(() => this.known.delete(organizationId));
    return version;
  }

  /** A version of the last second: enough to name a response, because rows newer than their version only cause another response. */
  recent(organizationId: string): Promise<Version> {
    return this.known.get(organizationId) ?? this.read(organizationId);
  }
}
