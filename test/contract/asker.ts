import { key, occurrence, type WholeOrganization, wholeOrganization } from '#libs/testing';
import type { KeyKind } from '#platform/access';
import { newId } from '#platform/database';
import { type Answer, sharedApi, startApi, type TestApi, UNLIMITED } from '../harness';
import { type DocumentedOperation, pathOf } from './document';

/** An API with an organization that has data of every kind, and keys of every kind. */
export interface Asker {
  api: TestApi;
  whole: WholeOrganization;
  tokens: Record<KeyKind, string>;
  tokenFor(of: DocumentedOperation): string;
  /**
   * Calls an operation on the organization's data, with an empty body if it takes one.
   *
   * @param query already encoded
   * @param given path parameters, already encoded
   */
  ask(of: DocumentedOperation, query?: string, given?: Record<string, string>): Promise<Answer<any>>;
}

/** @param environment of an API of its own, without a worker */
export async function startAsker(environment?: Record<string, string>): Promise<Asker> {
  const api = environment ? await startApi({ ...UNLIMITED, ...environment }) : await sharedApi();
  const whole = await wholeOrganization(api.dataSource, {
    mark: 'marathon',
    slug: `marathon-${newId()}`,
  });
  const { organizationId } = whole;
  await occurrence(api.dataSource, { organizationId, title: 'Marathon' });
  const token = async (kind: KeyKind) => (await key(api.dataSource, { organizationId, kind })).token;
  const tokens = {
    ORGANIZER: await token('ORGANIZER'),
    MARKETPLACE: await token('MARKETPLACE'),
    TIMING: await token('TIMING'),
  };
  const tokenFor = ({ access }: DocumentedOperation) => tokens[access.keys[0] as KeyKind];
  return {
    api,
    whole,
    tokens,
    tokenFor,
    ask: (of, query = '', given = {}) => {
      const path = pathOf(of, whole.ids, given);
      const url = query ? path + (path.includes('?') ? '&' : '?') + query : path;
      return api.send(of.method, url, of.body && {}, tokenFor(of));
    },
  };
}

/** For `describe.each` and `it.each`. */
export const titled = (operations: DocumentedOperation[]) =>
  operations.map((of) => [`${of.method} ${of.path}`, of] as const);

export const encoded = (name: string, value: string) =>
  `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;

/** Runs all of them concurrently, which is faster. */
export const forAll = async <T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> => {
  await Promise.all(items.map(work));
};
