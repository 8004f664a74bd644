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
  STAFF_ROLES,
  StaffMember,
  StoredFileMapping,
  WebhookDelivery,
  WebhookEndpoint,
} from '#platform/database';
import { Browser, signedIn } from '../console/console';
import type { Answer, TestApi } from '../harness';
import { BODIES } from './bodies';
import { type DocumentedOperation, pathOf, subjectOf } from './document';

const bodyOf = (operation: string, whole: WholeOrganization): unknown => {
  const body = BODIES[operation];
  if (!body) throw new Error(`There is no valid body of ${operation}`);
  return body(whole);
};

const PASSWORD = 'correct horse battery staple';

/** A request that an operation accepts, once. */
interface Valid {
  path: string;
  body?: unknown;
}

/**
 * An organization whose operations can be called by every kind of key and every role, and that gets new records as requests use
 * them up.
 */
export class World {
  private readonly tokens: Record<string, string> = {};
  private readonly browsers = new Map<string, Browser>();
  private serial = 0;

  private constructor(
    private readonly api: TestApi,
    readonly whole: WholeOrganization,
  ) {}

  static async of(api: TestApi, whole: WholeOrganization): Promise<World> {
    const world = new World(api, whole);
    const { organizationId, ids } = whole;
    const limits = {
      ...{ ORGANIZER: {}, MARKETPLACE: {}, TIMING: { reads: ['names', 'ageOnRaceDay'] } },
      scoped: { endpoints: ['registrationStatus'] },
      readOnly: { permissions: ['participants:read'] },
      ofPartner: { partnerId: ids.partners as string },
    };
    for (const [name, limit] of Object.entries(limits)) {
      const kind = name === 'MARKETPLACE' || name === 'TIMING' ? name : 'ORGANIZER';
      world.tokens[name] = (await key(api.dataSource, { organizationId, kind, ...limit })).token;
    }
    for (const role of [...STAFF_ROLES, 'PARTNER']) await world.signIn(role);
    return world;
  }

  /** Every kind of key, every role, and nobody; the first is the right one for the operation. */
  callersOf({ access }: DocumentedOperation): string[] {
    return [this.callerOf(access), ...Object.keys(this.tokens), ...this.browsers.keys(), 'none'];
  }

  callerOf({ keys, roles }: DocumentedOperation['access']): string {
    return keys[0] ?? roles?.[0] ?? 'none';
  }

  /** Places of `~subject~` in the path get the id of a new record. */
  async send(
    caller: string,
    method: string,
    path: string,
    body?: unknown,
    headers = {},
  ): Promise<Answer<any>> {
    const browser = this.browsers.get(caller) ?? (caller === 'none' ? new Browser(this.api) : undefined);
    const answer = browser
      ? await browser.ask(method, path, body, headers)
      : await this.api.send(method, path, body, this.tokens[caller] ?? null, headers);
    const isSignedOut = answer.status === 401 || (method === 'DELETE' && /\/sessions?$/.test(path));
    if (isSignedOut && this.browsers.has(caller)) await this.signIn(caller);
    return answer;
  }

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

  private async signIn(role: string): Promise<void> {
    const { organizationId, ids } = this.whole;
    const partnerId = role === 'PARTNER' ? (ids.partners as string) : null;
    const { browser } = await signedIn(this.api, role as never, undefined, organizationId, partnerId);
    this.browsers.set(role, browser);
  }

  private newId(subject: string): Promise<string> {
    return (this.records[subject] as () => Promise<string>)();
  }

  private get of() {
    return { organizationId: this.whole.organizationId };
  }

  private sale = (given: object = {}) =>
    booking(this.api.dataSource, { ...this.of, ticketId: this.whole.ids.tickets as string, ...given });

  /** A job with one credit, whose row can be processed again. */
  private job = async (given: object = {}) => {
    const { id: jobId } = await importJob(this.api.dataSource, {
      ...{ ...this.of, surface: 'creditsImport', ...given },
    });
    const [payload] = (bodyOf('importCredits', this.whole) as { credits: object[] }).credits;
    await this.repository(ImportRow).update({ ...this.of, jobId }, { payload });
    return jobId;
  };

  private async invited() {
    const email = `staff-${++this.serial}@example.com`;
    const by = { type: 'COMMAND_LINE', id: 'test', origin: null } as const;
    const { manager } = this.api.dataSource;
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

  private repository = (entity: any) => this.api.dataSource.getRepository<any>(entity);

  /** New records, by the subject of a path. */
  private readonly records: Record<string, () => Promise<string>> = {
    bookings: async () => (await this.sale()).id,
    participants: async () => (await this.sale()).entries[0]?.participantId as string,
    applications: async () => (await this.sale()).entries[0]?.id as string,
    partners: async () => (await partner(this.api.dataSource, this.of)).id,
    ballots: async () => {
      const { id } = await ticket(this.api.dataSource, { ...this.of, approval: 'BALLOT' });
      const entries = [{ approvalStatus: 'PENDING', applicationResolutionType: 'BALLOT' }];
      await this.sale({ ticketId: id, entries });
      return id;
    },
    staff: async () => (await this.invited()).id,
    keys: async () => (await key(this.api.dataSource, { ...this.of, endpoints: ['registrationStatus'] })).id,
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
    signIn: async () => {
      const { email, token } = await this.invited();
      const browser = new Browser(this.api);
      await browser.redeem(this.whole.mark, token);
      await browser.ask('PUT', '/console/v1/me/password', { password: PASSWORD });
      return { body: { organization: this.whole.mark, email, password: PASSWORD } };
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
      const { id: creditId } = await credit(this.api.dataSource, this.of);
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
      const { id } = await discountCode(this.api.dataSource, { ...this.of, limitUsage: 5 });
      return { path: `/console/v1/discount-codes/${id}` };
    },
    applyDryRun: async () => ({ path: `/v0/import-jobs/${await this.job({ dryRun: true })}/apply` }),
  };
}
