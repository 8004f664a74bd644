import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '#platform/config';
import { type Connections, Database, statement } from '#platform/database';
import type { ImportIntake, ImportSender } from '#platform/validation';
import { ApiError, errors } from '#platform/validation';
import { DiskReserve } from './disk-reserve';
import type { ImportAllowance } from './import-allowance.dto';

const TODAY = `(clock_timestamp() AT TIME ZONE 'UTC')::date`;
const TO_MIDNIGHT = `ceil(extract(epoch FROM (${TODAY} + 1) - (clock_timestamp() AT TIME ZONE 'UTC')))::int`;

const READ = statement({
  parameters: ['uuid'],
  columns: { usedBytes: 'float8', seconds: 'int', resetsAt: 'text' },
  sql: `
    SELECT coalesce((SELECT bytes FROM import_intake WHERE organization_id = $1 AND day = ${TODAY}), 0)::float8 AS "usedBytes",
      ${TO_MIDNIGHT} AS seconds,
      to_char(${TODAY} + 1, 'YYYY-MM-DD"T00:00:00.000000Z"') AS "resetsAt"
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

/** Partners, with their sub-partners, can send a tenth of the bytes of the day each, and half of them together. */
const [OF_PARTNER, OF_PARTNERS] = [10, 2];

const READ_OF_PARTNER = statement({
  parameters: ['uuid', 'uuid'],
  columns: { own: 'float8', all: 'float8', seconds: 'int' },
  sql: `
    SELECT coalesce(sum(bytes) FILTER (WHERE partner_id = $2), 0)::float8 AS own, coalesce(sum(bytes), 0)::float8 AS all,
      ${TO_MIDNIGHT} AS seconds
    FROM partner_import_intake WHERE organization_id = $1 AND day = ${TODAY}
  `,
});

const ADD_OF_PARTNER = statement({
  parameters: ['uuid', 'uuid', 'bigint'],
  sql: `
    INSERT INTO partner_import_intake AS i (organization_id, partner_id, day, bytes) VALUES ($1, $2, ${TODAY}, $3)
    ON CONFLICT (organization_id, partner_id) DO UPDATE
      SET bytes = excluded.bytes + CASE WHEN i.day = excluded.day THEN i.bytes ELSE 0 END, day = excluded.day
  `,
});

const WAIT_SECONDS = 60;

/** The bytes of imports that an organization may send in a day, and the room that the database must have for them. */
@Injectable()
export class DailyIntake implements ImportIntake {
  private readonly reserve: DiskReserve;

  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    this.reserve = new DiskReserve(settings, (work) => database.anywhere(work));
  }

  async require(sender: ImportSender): Promise<void> {
    if (!(await this.reserve.isFree())) throw full();
    const { organizationId, partner } = sender;
    const on = this.database.of(organizationId);
    await this.requireBytes(on, organizationId);
    if (partner) await this.requireShare(on, organizationId, partner);
  }

  async allowance(organizationId: string): Promise<ImportAllowance> {
    const { usedBytes, resetsAt } = await READ.one(this.database.of(organizationId), [organizationId]);
    return { allowedBytes: this.settings.IMPORT_BYTES_PER_DAY, usedBytes, resetsAt };
  }

  /**
   * Counts a body. Call it last in the transaction that stores the body, because other imports of the organization wait.
   *
   * @throws ApiError 429 if other bodies used up the bytes of the day meanwhile
   */
  async add(manager: EntityManager, { organizationId, partner }: ImportSender, bytes: number): Promise<void> {
    const limit = this.settings.IMPORT_BYTES_PER_DAY;
    const added = await ADD.first(manager, [organizationId, bytes, limit]);
    if (!added) await this.requireBytes(manager, organizationId);
    if (!partner) return;
    // Other imports of the organization wait for its row, so that this reads what they added.
    await this.requireShare(manager, organizationId, partner);
    await ADD_OF_PARTNER.run(manager, [organizationId, topOf(partner), bytes]);
  }

  private async requireBytes(on: Connections | EntityManager, organizationId: string): Promise<void> {
    const limit = this.settings.IMPORT_BYTES_PER_DAY;
    const { usedBytes, seconds } = await READ.one(on, [organizationId]);
    if (usedBytes >= limit) throw usedUp(limit, seconds);
  }

  private async requireShare(
    on: Connections | EntityManager,
    organizationId: string,
    partner: OfPartner,
  ): Promise<void> {
    const limit = this.settings.IMPORT_BYTES_PER_DAY;
    const { own, all, seconds } = await READ_OF_PARTNER.one(on, [organizationId, topOf(partner)]);
    if (own >= limit / OF_PARTNER || all >= limit / OF_PARTNERS) throw shareUsedUp(seconds);
  }
}

type OfPartner = NonNullable<ImportSender['partner']>;
const topOf = ({ id, parentId }: OfPartner): string => parentId ?? id;

const usedUp = (limit: number, seconds: number): ApiError =>
  errors.dayUsedUp(`Your organization has sent its ${limit} bytes of imports of the day`, seconds);

const shareUsedUp = (seconds: number): ApiError =>
  errors.dayUsedUp("The share of your partner in the organization's imports of the day is used up", seconds);

const full = (): ApiError =>
  new ApiError(
    503,
    'The database is nearly full, so imports are not accepted at the moment. Try again later.',
    {
      'retry-after': String(WAIT_SECONDS),
    },
  );
