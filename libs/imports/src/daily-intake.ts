import { statfs } from 'node:fs/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ImportIntake } from '#libs/bodies';
import { SETTINGS, type Settings } from '#libs/config';
import { type Connections, Database, statement } from '#libs/database';
import { ApiError } from '#libs/errors';

const TODAY = `(clock_timestamp() AT TIME ZONE 'UTC')::date`;
const TO_MIDNIGHT = `ceil(extract(epoch FROM (${TODAY} + 1) - (clock_timestamp() AT TIME ZONE 'UTC')))::int`;

const READ = statement({
  parameters: ['uuid', 'bigint'],
  columns: { isUsedUp: 'boolean', seconds: 'int' },
  sql: `
    SELECT EXISTS (SELECT FROM import_intake WHERE organization_id = $1 AND day = ${TODAY} AND bytes >= $2) AS "isUsedUp",
      ${TO_MIDNIGHT} AS seconds
  `,
  prepared: true,
});

/** Adds nothing if the bytes of the day are used up, so that only one body can exceed them. */
const ADD = statement({
  parameters: ['uuid', 'bigint', 'bigint'],
  columns: { added: 'boolean' },
  sql: `
    INSERT INTO import_intake AS i (organization_id, day, bytes) VALUES ($1, ${TODAY}, $2)
    ON CONFLICT (organization_id) DO UPDATE
      SET bytes = excluded.bytes + CASE WHEN i.day = excluded.day THEN i.bytes ELSE 0 END, day = excluded.day
      WHERE i.day <> excluded.day OR i.bytes < $3
    RETURNING true AS added
  `,
});

const SIZE = statement({
  columns: { bytes: 'float8' },
  sql: 'SELECT pg_database_size(current_database())::float8 AS bytes',
});

const MB = 1_000_000;
const ROOM_MS = 10_000;
const WAIT_SECONDS = 60;

/** The bytes of imports that an organization may send in a day, and the room that the database must have for them. */
@Injectable()
export class DailyIntake implements ImportIntake {
  private room: { at: number; isThere: Promise<boolean> } | undefined;

  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async require(organizationId: string): Promise<void> {
    if (!(await this.hasRoom())) throw full();
    await this.requireBytes(this.database.of(organizationId), organizationId);
  }

  /**
   * Counts a body. Call it last in the transaction that stores the body, because other imports of the organization wait.
   *
   * @throws ApiError 429 if other bodies used up the bytes of the day meanwhile
   */
  async add(manager: EntityManager, organizationId: string, bytes: number): Promise<void> {
    const limit = this.settings.IMPORT_BYTES_PER_DAY;
    const added = await ADD.first(manager, [organizationId, bytes, limit]);
    if (!added) await this.requireBytes(manager, organizationId);
  }

  private async requireBytes(on: Connections | EntityManager, organizationId: string): Promise<void> {
    const limit = this.settings.IMPORT_BYTES_PER_DAY;
    const { isUsedUp, seconds } = await READ.one(on, [organizationId, limit]);
    if (isUsedUp) throw usedUp(limit, seconds);
  }

  /** Looks at the disk at most every ROOM_MS. */
  private hasRoom(): Promise<boolean> {
    if (!this.room || Date.now() - this.room.at > ROOM_MS)
      this.room = { at: Date.now(), isThere: this.measure() };
    return this.room.isThere;
  }

  /** If it can't be measured, imports go on. */
  private async measure(): Promise<boolean> {
    const { DATABASE_DIRECTORY, DATABASE_SIZE_LIMIT_MB, DISK_RESERVE_MB } = this.settings;
    try {
      if (DATABASE_DIRECTORY) {
        const { bavail, bsize } = await statfs(DATABASE_DIRECTORY);
        return bavail * bsize >= DISK_RESERVE_MB * MB;
      }
      if (!DATABASE_SIZE_LIMIT_MB) return true;
      const { bytes } = await this.database.anywhere((on) => SIZE.one(on, []));
      return bytes <= (DATABASE_SIZE_LIMIT_MB - DISK_RESERVE_MB) * MB;
    } catch {
      return true;
    }
  }
}

const usedUp = (limit: number, seconds: number): ApiError =>
  new ApiError(
    429,
    `Your organization has sent its ${limit} bytes of imports of the day. Wait ${seconds} seconds, then send the request again.`,
    {
      'retry-after': String(seconds),
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(seconds),
    },
  );

const full = (): ApiError =>
  new ApiError(
    503,
    'The database is nearly full, so imports are not accepted at the moment. Try again later.',
    {
      'retry-after': String(WAIT_SECONDS),
    },
  );
