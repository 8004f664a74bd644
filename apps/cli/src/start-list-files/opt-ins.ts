import type { StartListRow } from '#domain/bookings';
import type { StartListParticipant } from '#domain/participants';
import { partnersById } from '#domain/partners';
import { statement } from '#platform/database';
import { type ImportContext, type Problem, problem } from '#platform/import-rows';

/** Partners name their sub-partners themselves, so these are given by id. */
const CHARITIES = statement({
  parameters: ['uuid', 'text[]'],
  columns: { name: 'text', ids: 'uuid[]' },
  sql: `
    SELECT name, array_agg(id) AS ids FROM partners
    WHERE organization_id = $1 AND type = 'CHARITY' AND name = ANY ($2) AND parent_partner_id IS NULL GROUP BY name
  `,
});

/** The partner marketing that participants opted in to, by partner id. */
export class OptIns {
  private constructor(
    private readonly partners: ReadonlyMap<string, unknown>,
    private readonly charities: Map<string, string[]>,
  ) {}

  static async of(context: ImportContext, rows: StartListRow[]): Promise<OptIns> {
    const participants = rows.flatMap((row) => row.participants);
    const ids = participants.flatMap(({ partnerMarketingOptIns = [] }) =>
      partnerMarketingOptIns.map(({ partnerId }) => partnerId),
    );
    const names = [...new Set(participants.flatMap(({ charityOptIn = [] }) => charityOptIn))];
    const charities: { name: string; ids: string[] }[] = names.length
      ? await CHARITIES.rows(context.manager, [context.organizationId, names])
      : [];
    return new OptIns(
      await partnersById(context, ids),
      new Map(charities.map(({ name, ids }) => [name, ids])),
    );
  }

  problemOf({ participants }: StartListRow): Problem | undefined {
    for (const [i, { partnerMarketingOptIns = [], charityOptIn = [] }] of participants.entries()) {
      const partner = partnerMarketingOptIns.findIndex(({ partnerId }) => !this.partners.has(partnerId));
      if (partner >= 0) {
        const path = `participants[${i}].partnerMarketingOptIns[${partner}].partnerId`;
        return problem(path, 'PARTNER_NOT_FOUND', 'is not a partner of your organization');
      }
      const charity = charityOptIn.findIndex((name) => this.charities.get(name)?.length !== 1);
      if (charity >= 0) {
        const several = (this.charities.get(charityOptIn[charity] ?? '')?.length ?? 0) > 1;
        return problem(
          `participants[${i}].charityOptIn[${charity}]`,
          'PARTNER_NOT_FOUND',
          `matches ${several ? 'several charities' : 'no charity'} of your organization`,
        );
      }
    }
    return undefined;
  }

  /** Adds the charities of the row to its other opt-ins. Together they are all opt-ins of the participant. */
  resolved(row: StartListRow): StartListRow {
    if (row.participants.every(({ charityOptIn }) => charityOptIn === undefined)) return row;
    return { ...row, participants: row.participants.map((participant) => this.withCharities(participant)) };
  }

  private withCharities(participant: StartListParticipant): StartListParticipant {
    const { charityOptIn, partnerMarketingOptIns = [] } = participant;
    if (!charityOptIn) return participant;
    const partnerIds = charityOptIn.flatMap((name) => this.charities.get(name) ?? []);
    const others = partnerMarketingOptIns.filter(({ partnerId }) => !partnerIds.includes(partnerId));
    const charities = [...new Set(partnerIds)].map((partnerId) => ({ partnerId, optedIn: true }));
    return { ...participant, partnerMarketingOptIns: [...others, ...charities] };
  }
}
