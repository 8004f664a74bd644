import { key, type WholeOrganization } from '#libs/testing';
import { STAFF_ROLES } from '#platform/database';
import { Browser, signedIn } from '../console/console';
import type { Answer, TestApi } from '../harness';
import type { DocumentedOperation } from './document';
import { type Valid, ValidRequests } from './valid-requests';

const PASSWORD = 'correct horse battery staple';

/**
 * An organization whose operations can be called by every kind of key and every role, and that gets new records as requests use
 * them up.
 */
export class World extends ValidRequests {
  private readonly tokens: Record<string, string> = {};
  private readonly browsers = new Map<string, Browser>();

  private constructor(
    private readonly api: TestApi,
    whole: WholeOrganization,
  ) {
    super(api.dataSource, whole);
  }

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
    const isSignedOut = answer.status === 401 || (method === 'DELETE' && /\/session(\?|$)/.test(path));
    if (isSignedOut && this.browsers.has(caller)) await this.signIn(caller);
    return answer;
  }

  private async signIn(role: string): Promise<void> {
    const { organizationId, ids } = this.whole;
    const partnerId = role === 'PARTNER' ? (ids.partners as string) : null;
    const { browser } = await signedIn(this.api, role as never, undefined, organizationId, partnerId);
    this.browsers.set(role, browser);
  }

  override async valid(of: DocumentedOperation): Promise<Valid> {
    const valid = await super.valid(of);
    return of.name === 'signIn' ? { ...valid, body: await this.withPassword() } : valid;
  }

  private async withPassword() {
    const { email, token } = await this.invited();
    const browser = new Browser(this.api);
    await browser.redeem(this.whole.mark, token);
    await browser.ask('PUT', '/console/v1/me/password', { password: PASSWORD });
    return { organization: this.whole.mark, email, password: PASSWORD };
  }
}
