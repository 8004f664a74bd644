import type { StartListRow } from '#domain/bookings';
import { IMPORTS } from '#domain/imports';
import { statement } from '#platform/database';
import {
  type ImportContext,
  type ImportRow,
  type Problem,
  problem,
  type RowOutcome,
} from '#platform/import-rows';

/** The programs of the occurrences with the codes; the oldest if several have a code. */
const PROGRAMS = statement({
  parameters: ['uuid', 'jsonb'],
  columns: { occurrence: 'uuid', code: 'text', programId: 'uuid' },
  sql: `
    SELECT DISTINCT ON (given.occurrence, given.code) given.occurrence, given.code, r.referral_program_id AS "programId"
    FROM jsonb_to_recordset($2::jsonb) AS given (occurrence uuid, code text)
    JOIN referral_programs p ON p.organization_id = $1 AND p.event_occurrence_id = given.occurrence
    JOIN referrers r ON r.organization_id = p.organization_id AND r.referral_program_id = p.id
      AND compared(r.generated_referral_code) = compared(given.code)
    ORDER BY given.occurrence, given.code, r.created_at, r.id
  `,
});

type Row = Pick<StartListRow, 'eventOccurrenceId' | 'referralCode'>;
const keyOf = ({ eventOccurrenceId, referralCode }: Row): string => `${eventOccurrenceId}/${referralCode}`;

/** The referral codes of the rows. */
export class ReferralCodes {
  private constructor(private readonly programs: Map<string, string>) {}

  static async of({ manager, organizationId }: ImportContext, rows: StartListRow[]): Promise<ReferralCodes> {
    const given = rows.flatMap(({ eventOccurrenceId: occurrence, referralCode: code }) =>
      code ? [{ occurrence, code }] : [],
    );
    const found: { occurrence: string; code: string; programId: string }[] = given.length
      ? await PROGRAMS.rows(manager, [organizationId, JSON.stringify(given)])
      : [];
    return new ReferralCodes(
      new Map(
        found.map(({ occurrence, code, programId }) => [
          keyOf({ eventOccurrenceId: occurrence, referralCode: code }),
          programId,
        ]),
      ),
    );
  }

  problemOf(row: StartListRow): Problem | undefined {
    return row.referralCode && !this.programs.has(keyOf(row))
      ? problem('referralCode', 'REFERRER_NOT_FOUND', 'is not a code of a referral program of the occurrence')
      : undefined;
  }

  /**
   * Attributes bookings to their referral codes, like the referral import.
   *
   * @returns the rows whose booking was attributed now, and the failed rows
   */
  async attribute(
    context: ImportContext,
    rows: (ImportRow<StartListRow> & { bookingId: string })[],
  ): Promise<{ attributed: Set<number>; failures: RowOutcome[] }> {
    const outcomes = await IMPORTS.referralsImport.handler()(
      context,
      rows.flatMap(({ row, payload, bookingId }) =>
        payload.referralCode
          ? [
              {
                row,
                payload: {
                  referralProgramId: this.programs.get(keyOf(payload)) ?? '',
                  generatedReferralCode: payload.referralCode,
                  referredBookingId: bookingId,
                },
              },
            ]
          : [],
      ),
    );
    return {
      attributed: new Set(
        outcomes.flatMap(({ row_number, outcome }) => (outcome === 'IMPORTED' ? [row_number] : [])),
      ),
      failures: outcomes.filter(({ outcome }) => outcome === 'FAILED'),
    };
  }
}
