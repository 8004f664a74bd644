import { type KnownBooking, lockBookings } from '#domain/bookings';
import { insertRows, type NewRow, newId, Referral, statement, typed, updateRows } from '#platform/database';
import type { ImportContext, ImportHandler } from '#platform/import-rows';
import { failed, Outcomes, type Problem, problem, succeeded } from '#platform/import-rows';
import type { ReferralImportRow } from './referral-row.dto';
import { referralStatus } from './referrals.resource';

type Status = NonNullable<ReferralImportRow['status']>;

interface Referrer {
  id: string;
  code: string;
}

/** By the code as sent. */
const REFERRERS = statement({
  parameters: ['uuid', 'jsonb'],
  columns: { programId: 'uuid', given: 'text', id: 'uuid?', code: 'text?' },
  sql: `
    SELECT p.id AS "programId", given.code AS given, r.id, r.generated_referral_code AS code
    FROM referral_programs p
    JOIN jsonb_to_recordset($2::jsonb) AS given (program uuid, code text) ON given.program = p.id
    LEFT JOIN LATERAL (
      SELECT r.id, r.generated_referral_code FROM own_referrers r
      WHERE r.organization_id = p.organization_id AND r.referral_program_id = p.id
        AND compared(r.generated_referral_code) = compared(given.code) LIMIT 1) r ON true
    WHERE p.organization_id = $1
  `,
});

const OWNERS = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { referrerId: 'uuid', bookingId: 'uuid' },
  sql: `
    SELECT referrer_id AS "referrerId", booking_id AS "bookingId" FROM referrer_owner_bookings
    WHERE organization_id = $1 AND booking_id = ANY ($2)
  `,
});

const ENTRIES = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { bookingId: 'uuid', ids: 'uuid[]' },
  sql: `
    SELECT booking_id AS "bookingId", array_agg(id ORDER BY participant_index) AS ids FROM start_list_entries
    WHERE organization_id = $1 AND booking_id = ANY ($2) GROUP BY booking_id
  `,
});

const EXISTING = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: {
    bookingId: 'uuid',
    programId: 'uuid',
    referrerId: 'uuid',
    ids: 'uuid[]',
    statuses: typed<Status[]>('text[]'),
  },
  sql: `
    SELECT r.referred_booking_id AS "bookingId", o.referral_program_id AS "programId", r.referrer_id AS "referrerId",
      array_agg(r.id ORDER BY e.participant_index) AS ids,
      array_agg(${referralStatus('r')} ORDER BY e.participant_index) AS statuses
    FROM referrals r
    JOIN referrers o ON o.organization_id = r.organization_id AND o.id = r.referrer_id
    JOIN start_list_entries e ON e.organization_id = r.organization_id AND e.id = r.start_list_entry_id
    WHERE r.organization_id = $1 AND r.referred_booking_id = ANY ($2) GROUP BY 1, 2, 3
  `,
});

/** Adds the codes, which several programs can have, to `bookingCodesUsed` of the entries. */
const USED = statement({
  parameters: ['uuid', 'jsonb'],
  sql: `
    UPDATE bookings b SET referral_codes = b.referral_codes
      || ARRAY(SELECT code FROM unnest(x.codes) code WHERE code <> ALL (b.referral_codes))
    FROM (SELECT booking_id, array_agg(DISTINCT code) AS codes
      FROM jsonb_to_recordset($2::jsonb) AS used (booking_id uuid, code text) GROUP BY 1) x
    WHERE b.organization_id = $1 AND b.id = x.booking_id AND NOT x.codes <@ b.referral_codes
  `,
});

/** A booking that counts for a code. Rows of the chunk can move its referrals. */
interface Attribution {
  programId: string;
  bookingId: string;
  referrerId: string;
  referrals: { id: string; status: Status }[];
}

/** The states that a referral can leave for a state. */
const FROM: Record<Status, readonly Status[]> = {
  ELIGIBLE: [],
  REDEEMED: ['ELIGIBLE'],
  CANCELLED: ['ELIGIBLE', 'REDEEMED'],
};

/** Attributes bookings to referral codes: each entry of a booking becomes a referral. */
export const importReferrals: ImportHandler<ReferralImportRow> = async (context, rows) => {
  const { manager, organizationId } = context;
  const outcomes = new Outcomes(rows);
  const references = await References.of(
    context,
    rows.map(({ payload }) => payload),
  );
  outcomes.refuse((payload) => references.problemOf(payload));
  const made: NewRow<Referral>[] = [];
  const used: { booking_id: string; code: string }[] = [];
  const moved = new Map<string, Status>();
  for (const { row, payload } of outcomes.open) {
    const booking = references.bookingOf(payload) as KnownBooking;
    const referrer = references.referrerOf(payload) as Referrer;
    const attribution = references.attributionOf(payload);
    if (attribution) {
      if (attribution.referrerId !== referrer.id) {
        outcomes.settle(failed(row, ATTRIBUTED));
        continue;
      }
      const moves = movesOf(attribution, payload.status);
      if ('code' in moves) {
        outcomes.settle(failed(row, moves));
        continue;
      }
      for (const referral of moves) {
        referral.status = payload.status as Status;
        moved.set(referral.id, referral.status);
      }
      if (moves.length) context.carried?.set('attribution', attributionKey(attribution), attribution);
      const ids = attribution.referrals.map(({ id }) => id);
      outcomes.settle(succeeded(row, moves.length ? 'UPDATED' : 'ALREADY_IMPORTED', reported(ids)));
      continue;
    }
    const refused = references.problemOfReferral(payload);
    if (refused) {
      outcomes.settle(failed(row, refused));
      continue;
    }
    const entryIds = references.entriesOf(booking);
    const ids = entryIds.map(() => newId());
    const status = payload.status ?? 'ELIGIBLE';
    const attributed = references.attribute(payload, ids, status);
    context.carried?.set('attribution', attributionKey(attributed), attributed);
    outcomes.settle(succeeded(row, 'IMPORTED', reported(ids)));
    used.push({ booking_id: booking.id, code: referrer.code });
    for (const [i, entryId] of entryIds.entries()) {
      made.push({
        organization_id: organizationId,
        id: ids[i],
        referrer_id: referrer.id,
        referred_booking_id: booking.id,
        start_list_entry_id: entryId,
        event_id: booking.eventId,
        event_occurrence_id: booking.eventOccurrenceId,
        status,
      });
    }
  }
  await insertRows(manager, Referral, made);
  await USED.run(manager, [organizationId, JSON.stringify(used)]);
  const moves = [...moved].map(([id, status]) => ({ id, status }));
  await updateRows(manager, organizationId, Referral, moves);
  return outcomes.all();
};

const ATTRIBUTED = problem(
  '',
  'REFERRAL_ALREADY_ATTRIBUTED',
  'The booking already counts for another code of the program',
);

/**
 * The referrals of a booking that a row moves. Those of entries that were cancelled alone stay, unless all of them are
 * cancelled: then there is nothing to move.
 */
function movesOf({ referrals }: Attribution, status: Status | undefined): Attribution['referrals'] | Problem {
  if (!status) return [];
  const counting = referrals.filter((referral) => referral.status !== 'CANCELLED');
  const moves = (counting.length ? counting : referrals).filter((referral) => referral.status !== status);
  const stuck = moves.find((referral) => !FROM[status].includes(referral.status));
  return stuck
    ? problem('status', 'INVALID_TRANSITION', `can't become ${status}: the referral is ${stuck.status}`)
    : moves;
}

const reported = (referralIds: string[]) => ({ referralId: referralIds[0], referralIds });

/** The data that rows of a chunk refer to. Bookings are locked, so that only one job attributes a booking. */
class References {
  private constructor(
    private readonly referrers: Map<string, Referrer | undefined>,
    private readonly find: Awaited<ReturnType<typeof lockBookings>>,
    private readonly entries: Map<string, string[]>,
    private readonly owners: Set<string>,
    private readonly attributions: Map<string, Attribution[]>,
  ) {}

  static async of(context: ImportContext, payloads: ReferralImportRow[]): Promise<References> {
    const { manager, organizationId } = context;
    const given = new Map(payloads.map((payload) => [codeOf(payload), payload]));
    const codes = [...given.values()].map(({ referralProgramId, generatedReferralCode }) => ({
      program: referralProgramId,
      code: generatedReferralCode,
    }));
    const referrers = await REFERRERS.rows(manager, [organizationId, JSON.stringify(codes)]);
    const find = await lockBookings(context, payloads.map(nameOf));
    const bookingIds = payloads.flatMap((payload) => find(nameOf(payload))?.id ?? []);
    const entries = await ENTRIES.rows(manager, [organizationId, bookingIds]);
    const owners = await OWNERS.rows(manager, [organizationId, bookingIds]);
    const attributions = await EXISTING.rows(manager, [organizationId, bookingIds]);
    const attributionsByBooking = new Map<string, Attribution[]>();
    for (const { ids, statuses, ...of } of attributions) {
      const referrals = ids.map((id, i) => ({ id, status: statuses[i] as Status }));
      const each = { ...of, referrals };
      const key = attributionKey(each);
      attributionsByBooking.set(key, [...(attributionsByBooking.get(key) ?? []), each]);
    }
    const carried = await context.carried?.get<Attribution>(
      'attribution',
      payloads.flatMap((payload) => {
        const bookingId = find(nameOf(payload))?.id;
        return bookingId ? attributionKey({ programId: payload.referralProgramId, bookingId }) : [];
      }),
    );
    for (const [key, attribution] of carried ?? []) {
      // Of several codes, the row's takes precedence: the others stay.
      const others = (attributionsByBooking.get(key) ?? []).filter(
        ({ referrerId }) => referrerId !== attribution.referrerId,
      );
      attributionsByBooking.set(key, [attribution, ...others]);
    }
    return new References(
      new Map(
        referrers.map((row) => [
          codeOf({ referralProgramId: row.programId, generatedReferralCode: row.given }),
          row.id !== null && row.code !== null ? { id: row.id, code: row.code } : undefined,
        ]),
      ),
      find,
      new Map(entries.map(({ bookingId, ids }) => [bookingId, ids])),
      new Set(owners.map(({ referrerId, bookingId }) => `${referrerId}/${bookingId}`)),
      attributionsByBooking,
    );
  }

  /** The problem of the references of a row, if any. */
  problemOf(payload: ReferralImportRow): Problem | undefined {
    if (!this.referrers.has(codeOf(payload)))
      return problem(
        'referralProgramId',
        'REFERRAL_PROGRAM_NOT_FOUND',
        'is not a referral program of your organization',
      );
    if (!this.referrerOf(payload))
      return problem('generatedReferralCode', 'REFERRER_NOT_FOUND', 'is not a code of the program');
    const booking = this.bookingOf(payload);
    return booking && this.entries.has(booking.id)
      ? undefined
      : problem(
          '',
          'BOOKING_NOT_FOUND',
          'is not a booking of your organization',
          'referredBookingId or referredExternalBookingId',
        );
  }

  /** Why the booking can't be attributed to the code, if so. */
  problemOfReferral(payload: ReferralImportRow): Problem | undefined {
    const booking = this.bookingOf(payload) as KnownBooking;
    if (booking.status === 'CANCELLED')
      return problem('', 'BOOKING_CANCELLED', 'The referred booking is cancelled');
    return this.owners.has(`${this.referrerOf(payload)?.id}/${booking.id}`)
      ? problem('', 'OWN_BOOKING', 'The referred booking belongs to the owner of the code')
      : undefined;
  }

  referrerOf(payload: ReferralImportRow): Referrer | undefined {
    return this.referrers.get(codeOf(payload));
  }

  bookingOf(payload: ReferralImportRow): KnownBooking | undefined {
    return this.find(nameOf(payload));
  }

  entriesOf({ id }: KnownBooking): string[] {
    return this.entries.get(id) ?? [];
  }

  /**
   * The code of the program that the booking counts for. Earlier releases permitted several; the code of the row takes
   * precedence.
   */
  attributionOf(payload: ReferralImportRow): Attribution | undefined {
    const bookingId = this.bookingOf(payload)?.id ?? '';
    const referrerId = this.referrerOf(payload)?.id;
    const known =
      this.attributions.get(attributionKey({ programId: payload.referralProgramId, bookingId })) ?? [];
    return known.find((each) => each.referrerId === referrerId) ?? known[0];
  }

  /** The chunk can contain the same booking again, with its other id or another code. */
  attribute(payload: ReferralImportRow, ids: string[], status: Status): Attribution {
    const { referralProgramId: programId } = payload;
    const [bookingId, referrerId] = [this.bookingOf(payload)?.id ?? '', this.referrerOf(payload)?.id ?? ''];
    const attribution = { programId, bookingId, referrerId, referrals: ids.map((id) => ({ id, status })) };
    this.attributions.set(attributionKey(attribution), [attribution]);
    return attribution;
  }
}

const attributionKey = ({ programId, bookingId }: Pick<Attribution, 'programId' | 'bookingId'>): string =>
  `${programId}/${bookingId}`;

const codeOf = (row: Pick<ReferralImportRow, 'referralProgramId' | 'generatedReferralCode'>): string =>
  `${row.referralProgramId}/${row.generatedReferralCode}`;

const nameOf = ({ referredBookingId, referredExternalBookingId }: ReferralImportRow) => ({
  bookingId: referredBookingId,
  externalBookingId: referredExternalBookingId,
});
