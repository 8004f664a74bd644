import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '#platform/access';
import { IdempotencyKeys } from '#platform/access';
import { Database } from '#platform/database';
import { JobProducer } from '#platform/queues';
import { bibColumns, errors, instantOf, jsonBytes, MAXIMA, MOST_BYTES } from '#platform/validation';
import { appendChecked } from './checked-bib';
import { APPEND_RACE_DAY_UPDATE } from './log';
import { RaceDayMetrics } from './race-day-metrics';
import type { RaceDayConflict, RaceDayReceipt, StaffRaceDayUpdate } from './race-day-update.dto';

const SHOWN = 'The update is stored and shows within moments.';
const NOT_SHOWN: Record<RaceDayConflict, string> = {
  BIB_NUMBER_TAKEN:
    'The update is stored, but the bib does not show: another participant of the race claimed it earlier.',
  BIB_OVERTAKEN: 'The update is stored, but the bib does not show: a newer message applies.',
  PARTICIPANT_CANCELLED: 'The update is stored, but the bib does not show: the participant is cancelled.',
};

interface Appended {
  fits: boolean;
  future: boolean;
  conflicts: RaceDayConflict[];
}

@Injectable()
export class RaceDayService {
  constructor(
    private readonly database: Database,
    private readonly producer: JobProducer,
    private readonly metrics: RaceDayMetrics,
    private readonly keys: IdempotencyKeys,
  ) {}

  /**
   * @param operation the name of the operation, which is the scope of the Idempotency-Key
   * @param checked refuses a bib that another participant of the race has, and changes of cancelled participants: then
   * nothing is logged
   * @throws ApiError 404 if the organization has no such participant; 400 if the update is empty or exceeds the
   * limits, or as `checked` says
   */
  async update(
    { organizationId, keyId }: Caller,
    participantId: string,
    update: StaffRaceDayUpdate,
    {
      operation,
      idempotencyKey,
      checked = false,
    }: { operation: string; idempotencyKey: string | string[] | undefined; checked?: boolean },
  ): Promise<RaceDayReceipt> {
    const { bibNumber, customFields, shipping, changedAt } = update;
    if (bibNumber === undefined && customFields === undefined && !shipping) {
      const others = checked ? 'shipping' : 'both';
      throw errors.invalidAt('', 'REQUIRED', `must have bibNumber, customFields or ${others}`);
    }
    requireOnce(customFields ?? []);
    const texts = shipping ? [shipping.carrier ?? null, shipping.trackingNumber ?? null] : [];
    if (jsonBytes(texts) > MOST_BYTES.shipping)
      throw errors.invalidAt(
        'shipping',
        'TOO_LARGE',
        `must not have texts of more than ${MOST_BYTES.shipping} bytes together`,
      );
    const at = changedAt === undefined ? null : (instantOf(changedAt) ?? '');
    if (at !== null && at < '1970')
      throw errors.invalidAt('changedAt', 'OUT_OF_RANGE', 'must not be before 1970');
    const { bib_number: bib, bib_written: written } = bibColumns(bibNumber);
    const isBibOnly = customFields === undefined && !shipping;
    /** @param claims whether it claims the bib, or gives it up */
    const values = (claims: boolean, isLogged: boolean) =>
      [
        organizationId,
        participantId,
        keyId,
        claims,
        claims ? bib : null,
        customFields ? JSON.stringify(customFields) : null,
        at,
        shipping?.status ?? null,
        shipping?.carrier ?? null,
        shipping?.trackingNumber ?? null,
        isLogged,
        claims ? written : null,
      ] as const;
    const isAboutBib = bibNumber !== undefined;
    const database = this.database.of(organizationId);
    const key = this.keys.read(idempotencyKey);
    let appended: Appended | undefined;
    const append = async (manager: EntityManager): Promise<Appended> => {
      const logged = async (claims: boolean) =>
        requireAppended(await APPEND_RACE_DAY_UPDATE.rows(manager, values(claims, claims || !isBibOnly)));
      // A parcel can return from somebody who cancelled.
      const isParcelOnly = !isAboutBib && customFields === undefined;
      return checked && !isParcelOnly
        ? appendChecked(manager, organizationId, participantId, bibNumber, logged)
        : logged(isAboutBib);
    };
    if (key === undefined && !checked) {
      appended = requireAppended(await APPEND_RACE_DAY_UPDATE.rows(database, values(isAboutBib, true)));
    } else if (key === undefined) {
      appended = await database.transaction(append);
    } else {
      const hash = createHash('sha256')
        .update(JSON.stringify([participantId, update]))
        .digest();
      const claim = { organizationId, operation, key, hash };
      appended = await database.transaction(async (manager) => {
        if (!(await this.keys.claim(manager, claim))) return undefined;
        return append(manager);
      });
      if (!appended) {
        await this.keys.first(claim);
        const known = await APPEND_RACE_DAY_UPDATE.first(database, values(isAboutBib, false));
        return receiptOf(participantId, known?.conflicts ?? []);
      }
    }
    this.metrics.received.inc({ source: 'RACE_DAY' });
    this.producer.enqueue('race-day', { organizationId });
    return receiptOf(participantId, appended.conflicts);
  }
}

/** Of two values of a field, one would be lost. */
function requireOnce(fields: readonly { id: string }[]): void {
  const ids = fields.map(({ id }) => id);
  const again = ids.findIndex((id, index) => ids.indexOf(id) < index);
  if (again < 0) return;
  const first = ids.indexOf(ids[again] as string);
  throw errors.invalidAt(
    `customFields[${again}].id`,
    'DUPLICATE',
    `is the same as customFields[${first}].id`,
  );
}

function receiptOf(participantId: string, conflicts: RaceDayConflict[]): RaceDayReceipt {
  const [conflict] = conflicts;
  const message = conflict ? NOT_SHOWN[conflict] : SHOWN;
  return { success: true, message, conflicts, participantUrl: `/v0/participants/${participantId}` };
}

function requireAppended([appended]: Appended[]): Appended {
  if (!appended) throw errors.notFound();
  if (appended.future) throw errors.invalidAt('changedAt', 'OUT_OF_RANGE', 'must not be in the future');
  if (!appended.fits) {
    throw errors.invalidAt(
      'customFields',
      'TOO_LARGE',
      `a participant has at most ${MAXIMA.raceDayFields} fields, and ${MOST_BYTES.entry} bytes of JSON in total with everything else that was sent about the participant`,
      'customFields:',
    );
  }
  return appended;
}
