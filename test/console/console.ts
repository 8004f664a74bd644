import { inviteMember } from '#domain/staff';
import { ApiKey, type StaffRole } from '#platform/database';
import { type Answer, type BodyOf, eventually, type TestApi } from '../harness';

const ACTOR = { type: 'COMMAND_LINE', id: 'test', origin: 'test' } as const;

/** A browser on the console's origin, with cookies, which sends the header of its organization. */
export class Browser {
  readonly cookies = new Map<string, string>();
  organizationId: string | undefined;

  constructor(private readonly api: TestApi) {}

  async ask<Method extends string, Path extends string>(
    method: Method,
    path: Path,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<BodyOf<Method, Path>>> {
    const answer = await this.api.send(method, path, body, null, {
      'sec-fetch-site': 'same-origin',
      ...(this.cookies.size > 0 && { cookie: [...this.cookies].map((pair) => pair.join('=')).join('; ') }),
      ...(this.organizationId && { 'x-startline-organization': this.organizationId }),
      ...headers,
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value) this.cookies.set(name, value);
      else this.cookies.delete(name);
    }
    return answer;
  }

  async redeem(organization: string, token: string) {
    const answer = await this.ask('POST', '/console/v1/session/redeem', { organization, token });
    if (answer.status === 200) this.organizationId = answer.body.organization.id;
    return answer;
  }
}

/** A signed-in member. */
export async function signedIn(
  api: TestApi,
  role: StaffRole,
  email = `${role.toLowerCase()}-${crypto.randomUUID()}@example.com`,
  organizationId = api.organizationId,
  partnerId: string | null = null,
): Promise<{ browser: Browser; memberId: string; email: string; slug: string }> {
  const { manager } = api.dataSource;
  const { member, token } = await inviteMember(manager, { organizationId, email, role, partnerId }, ACTOR);
  const [{ slug }] = await manager.query('SELECT slug FROM organizations WHERE id = $1', [organizationId]);
  const browser = new Browser(api);
  await browser.redeem(slug, token);
  return { browser, memberId: member.id, email, slug };
}

/** Waits until the worker has done the work of a response, such as an erasure. */
export async function workDone(browser: Browser, work: { jobId: string }): Promise<any> {
  const done = await eventually(async () => {
    const { body } = await browser.ask('GET', `/console/v1/person-jobs/${work.jobId}`);
    return body.finishedAt ? (body as any) : undefined;
  });
  expect(done.status).toBe('COMPLETED');
  return done;
}

export const keysOf = (api: TestApi): Promise<ApiKey[]> =>
  api.dataSource.getRepository(ApiKey).findBy({ organizationId: api.organizationId });
