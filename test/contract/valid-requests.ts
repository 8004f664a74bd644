import type { DataSource } from 'typeorm';
import { inviteMember } from '#domain/staff';
import {
  booking,
  credit,
  discountCode,
  importJob,
  key,
  partner,
  ticket,
  type WholeOrganization,
} from '#libs/testing';
import {
  ImportRow,
  newId,
  PersonJob,
  StaffMember,
  StoredFileMapping,
  WebhookDelivery,
  WebhookEndpoint,
} from '#platform/database';
import { BODIES } from './bodies';
import { type DocumentedOperation, pathOf, subjectOf } from './document';

const bodyOf = (operation: string, whole: WholeOrganization): unknown => {
  const body = BODIES[operation];
  if (!body) throw new Error(`There is no valid body of ${operation}`);
  return body(whole);
};

/** A request that an operation accepts, once. */
export interface Valid {
  path: string;
  body?: unknown;
}

/** Valid requests about an organization, which gets new records as requests use them up. */
export class ValidRequests {
  private serial = 0;

  constructor(
    private readonly dataSource: DataSource,
    readonly whole: WholeOrganization,
  ) {}

  async withNewRecords(path: string): Promise<string> {
    const [place, subject] = /~([\w/-]+)~/.exec(path) ?? [];
    if (!place || !subject || !(subject in this.records)) return path;
    return this.withNewRecords(path.replace(place, await this.newId(subject)));
  }

  /** The id of the organization's record for a path, or of a new one if there is none. */
  async valid(of: DocumentedOperation): Promise<Valid> {
    const special = this.special[of.name];
    const ids: Record<string, string> = {
      ...this.whole.ids,
      'reserved-entry-groups': this.whole.reservedEntryGroupId,
    };
    if (of.method !== 'GET')
      for (const name of of.pathParameters) {
        const subject = subjectOf(of, name);
        if (subject in this.records) ids[subject] = await this.newId(subject);
      }
    for (const name of of.pathParameters) {
      const subject = subjectOf(of, name);
      ids[subject] ??= await this.newId(subject);
    }
    return {
      path: pathOf(of, ids),
      ...(of.body && { body: bodyOf(of.name, this.whole) }),
      ...(await special?.(ids)),
    };
  }

  private newId(subject: string): Promise<string> {
    return (this.records[subject] as () => Promise<string>)();
  }

  private get of() {
    return { organizationId: this.whole.organizationId };
  }

  private sale = (given: object = {}) =>
    booking(this.dataSource, { ...this.of, ticketId: this.whole.ids.tickets as string, ...given });

  /** A job with one credit, whose row can be processed again. */
  private job = async (given: object = {}) => {
    const { id: jobId } = await importJob(this.dataSource, {
      ...{ ...this.of, surface: 'creditsImport', ...given },
    });
    const [payload] = (bodyOf('importCredits', this.whole) as { credits: object[] }).credits;
    await this.repository(ImportRow).update({ ...this.of, jobId }, { payload });
    return jobId;
  };

  async invited() {
    const email = `staff-${++this.serial}@example.com`;
    const by = { type: 'COMMAND_LINE', id: 'test', origin: null } as const;
    const { manager } = this.dataSource;
    const { member, token } = await inviteMember(manager, { ...this.of, email, role: 'VIEWER' }, by);
    return { id: member.id, email, token };
  }

  private endpoint = async () => {
    const { id } = await this.repository(WebhookEndpoint).save({
      ...{ ...this.of, id: newId(), url: 'https://receiver.example.com/', secret: 'sealed' },
      types: ['partner.created'],
    });
    return id as string;
  };

  private repository = (entity: any) => this.dataSource.getRepository<any>(entity);

  /** New records, by the subject of a path. */
  private readonly records: Record<string, () => Promise<string>> = {
    bookings: async () => (await this.sale()).id,
    participants: async () => (await this.sale()).entries[0]?.participantId as string,
    applications: async () => (await this.sale()).entries[0]?.id as string,
    partners: async () => (await partner(this.dataSource, this.of)).id,
    ballots: async () => {
      const { id } = await ticket(this.dataSource, { ...this.of, approval: 'BALLOT' });
      const entries = [{ approvalStatus: 'PENDING', applicationResolutionType: 'BALLOT' }];
      await this.sale({ ticketId: id, entries });
      return id;
    },
    staff: async () => (await this.invited()).id,
    keys: async () => (await key(this.dataSource, { ...this.of, endpoints: ['registrationStatus'] })).id,
    'import-jobs': () => this.job(),
    'person-jobs': async () => {
      const { id } = await this.repository(PersonJob).save({
        ...{ ...this.of, id: newId(), kind: 'EXPORT', email: 'ada@example.com', dryRun: false },
        ...{ status: 'COMPLETED', actor: {}, finishedAt: new Date() },
      });
      return id;
    },
    'file-mappings': async () => {
      const { id: memberId } = await this.repository(StaffMember).findOneByOrFail({
        ...this.of,
        role: 'OWNER',
      });
      const { id } = await this.repository(StoredFileMapping).save({
        ...{ ...this.of, id: newId(), surface: 'bookingsImport', name: newId(), memberId },
        ...{ fingerprint: 'a', mapping: { columns: { Name: null } } },
      });
      return id;
    },
    'webhook-endpoints': this.endpoint,
    'webhook-deliveries': async () => {
      const [{ id: eventId, type }] = await this.repository('ChangeEvent').find({ where: this.of, take: 1 });
      const endpointId = await this.endpoint();
      const { id } = await this.repository(WebhookDelivery).save({
        ...{ ...this.of, id: newId(), endpointId, eventId, type, state: 'FAILED' },
      });
      return id;
    },
  };

  /** What an operation needs beside a record and a body. */
  private readonly special: Record<string, (ids: Record<string, string>) => Promise<Partial<Valid>>> = {
    redeemStaffLink: async () => {
      const { token } = await this.invited();
      return { body: { organization: this.whole.mark, token } };
    },
    decideApplications: async () => {
      const { entries } = await this.sale({
        ticketId: await this.newId('ballots'),
        entries: [{ approvalStatus: 'PENDING' }],
      });
      return { body: { decision: 'APPROVE', applicationIds: [entries[0]?.id] } };
    },
    cancelImport: async () => {
      const jobId = await this.job({ status: 'QUEUED', failedRows: 0, startedAt: null, finishedAt: null });
      await this.repository(ImportRow).update({ ...this.of, jobId }, { outcome: null, errorCode: null });
      return { path: `/v0/import-jobs/${jobId}/cancel` };
    },
    undoImport: async () => {
      const { id: creditId } = await credit(this.dataSource, this.of);
      const jobId = await this.job();
      await this.repository(ImportRow).update(
        { ...this.of, jobId },
        { outcome: 'IMPORTED', errorCode: null, result: { creditId } },
      );
      return { path: `/v0/import-jobs/${jobId}/undo` };
    },
    listHistory: async ({ participants }) => ({
      path: `/console/v1/history?subjectId=${participants}`,
    }),
    updateStaffDiscountCode: async () => {
      const { id } = await discountCode(this.dataSource, { ...this.of, limitUsage: 5 });
      return { path: `/console/v1/discount-codes/${id}` };
    },
    applyDryRun: async () => ({ path: `/v0/import-jobs/${await this.job({ dryRun: true })}/apply` }),
  };
}
