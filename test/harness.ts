import type { AddressInfo } from 'node:net';
import type { INestApplicationContext } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { DataSource } from 'typeorm';
import { StartlineClient, type StartlineOptions } from '#libs/client';
import {
  countProgram,
  expectDocumented,
  key,
  nodeOf,
  organization,
  Shared,
  SIGNING_SECRETS,
  sharedSettings,
  testDatabase,
} from '#libs/testing';
import { loadSettings } from '#platform/config';
import { appUrlOf, createDataSource } from '#platform/database';
import { createApi } from '../apps/api/src/create-api';
import { createWorker } from '../apps/worker/src/create-worker';
import type { Answer, BodyOf } from './answer';

export type { Answer, BodyOf };

/** A whole API with its own port, and its database. */
interface Served {
  url: string;
  /** The owner's URL; the API connects with the role that row-level security applies to. */
  databaseUrl: string;
  app: NestExpressApplication;
  /**
   * With the owner's role, for setup and checks of tests. On Citus, of the coordinator: it sees the organizations of all nodes,
   * and changes them.
   */
  home: DataSource;
  close(): Promise<void>;
}

/** An API, and an organization of it. */
export interface TestApi extends Served {
  /** As `home`; on Citus, of one node: every organization of the test is in the same shards. */
  dataSource: DataSource;
  /** An organization with every surface enabled, and an unrestricted organizer key. */
  organizationId: string;
  token: string;
  get<Path extends string>(path: Path, token?: string | null): Promise<Answer<BodyOf<'GET', Path>>>;
  send<Method extends string, Path extends string>(
    method: Method,
    path: Path,
    body: unknown,
    token?: string | null,
    headers?: Record<string, string>,
  ): Promise<Answer<BodyOf<Method, Path>>>;
  /** The client for partners. Does not retry unless `options` say otherwise. */
  client(token?: string, options?: Partial<StartlineOptions>): StartlineClient;
}

/**
 * An API with a database of its own, without a worker: for files that change settings, count what all organizations have, or
 * decide when a worker runs.
 *
 * @param environment settings that differ from the defaults
 * @param parts the logs, or the resource groups to serve
 */
export async function startApi(
  environment: Record<string, string> = {},
  parts: Parameters<typeof createApi>[1] = {},
): Promise<TestApi> {
  return organizationOf(await serve(environment, parts));
}

type Programs = Served & { worker: INestApplicationContext };
const programs = new Shared<Programs>(
  async () => {
    const served = await serve(UNLIMITED);
    return {
      ...served,
      worker: await startWorker(served, { ...UNLIMITED, ...UNHURRIED }),
    };
  },
  async ({ worker, close }) => {
    await worker.close();
    await close();
  },
);

/**
 * The API and the worker that files share (`Shared`), with limits that no file reaches, and an organization of the calling file.
 */
export async function sharedApi(): Promise<TestApi & { worker: INestApplicationContext }> {
  const { value, release } = await programs.use();
  return { ...(await organizationOf({ ...value, close: release })), worker: value.worker };
}

/** A worker that has nothing to do takes a tenth of a processor with the intervals of `startWorker`. */
const UNHURRIED = { STARTLINE_TEST_SWEEP_MS: '500', STARTLINE_TEST_MAINTENANCE_MS: '1000' };

/** Limits that no test reaches. */
export const UNLIMITED = {
  RATE_EXPORT: '1000000',
  RATE_IMPORT: '1000000',
  RATE_REGISTRATION_STATUS: '1000000',
  RATE_SIGN_IN: '1000',
  RATE_TIMING: '1000000',
  RATE_WEBHOOK: '1000000',
  WEBHOOK_ENDPOINTS_LIMIT: '1000',
  WEBHOOK_SECRETS_KEY: 'test:8f2c6b0a9d417e35c8b1f6029ad3e47b5f80c1d2936a4be7082d5c9fe16a3b74',
  RATE_WIDE: '10000000',
};

async function serve(
  environment: Record<string, string>,
  parts: Parameters<typeof createApi>[1] = {},
): Promise<Served> {
  countProgram('api');
  const database = environment.DATABASE_URL ? undefined : await testDatabase();
  const databaseUrl = environment.DATABASE_URL ?? database?.url ?? '';
  const { DATABASE_REPLICA_URL: replica } = environment;
  const settings = settingsOf({
    ...environment,
    DATABASE_URL: appUrlOf(databaseUrl),
    ...(replica && { DATABASE_REPLICA_URL: appUrlOf(replica) }),
  });
  const app = await createApi(settings, parts);
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const home = await createDataSource({ url: databaseUrl, applicationName: 'test' }).initialize();
  const close = async () => {
    await app.close();
    await home.destroy();
    await database?.drop();
  };
  return { url, databaseUrl, app, home, close };
}

async function organizationOf(served: Served): Promise<TestApi> {
  const { url, home } = served;
  const { id: organizationId } = await organization(home);
  const dataSource = await nodeOf(home, organizationId);
  const { token } = await key(dataSource, { organizationId });

  const request = async (
    path: string,
    init: RequestInit,
    given: string | null = token,
  ): Promise<Answer<any>> => {
    const headers = {
      // `fetch` asks for compressed responses otherwise, which costs more than they save.
      'accept-encoding': 'identity',
      ...(given !== null && { authorization: `Bearer ${given}` }),
      ...(init.headers as object),
    };
    const response = await fetch(url + path, { ...init, headers });
    const text = await response.text();
    const json = response.headers.get('content-type')?.includes('application/json');
    const body = json ? JSON.parse(text) : undefined;
    // Validates every response against the OpenAPI document.
    expectDocumented(init.method ?? 'GET', path, response.status, body);
    return { status: response.status, headers: response.headers, text, body };
  };

  return {
    ...served,
    dataSource,
    organizationId,
    token,
    get: (path, given) => request(path, {}, given),
    send: (method, path, body, given, headers) =>
      request(
        path,
        {
          method,
          headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
          body: typeof body === 'string' || body === undefined ? body : JSON.stringify(body),
        },
        given,
      ),
    client: (given = token, options = {}) =>
      new StartlineClient({ baseUrl: url, token: given, fetch: documented, tries: 1, ...options }),
    close: async () => {
      if (dataSource !== home) await dataSource.destroy();
      await served.close();
    },
  };
}

/** Also validates the responses of the client. */
const documented: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  const response = await fetch(request);
  const body = await response.clone().json();
  expectDocumented(request.method, new URL(request.url).pathname, response.status, body);
  return response;
};

const settingsOf = (environment: Record<string, string>) =>
  loadSettings({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    SIGNING_SECRETS: SIGNING_SECRETS.map(({ kid, secret }) => `${kid}:${secret}`).join(','),
    API_POOL_SIZE: '8',
    // Long timeouts for busy machines; tests of overload set their own.
    POOL_WAIT_MS: '20000',
    ...sharedSettings(),
    ...environment,
  });

/** A worker on the api's database, in this process. Close it before the api. */
export function startWorker(api: Pick<TestApi, 'databaseUrl'>, environment: Record<string, string> = {}) {
  countProgram('worker');
  return createWorker(
    settingsOf({
      DATABASE_URL: appUrlOf(api.databaseUrl),
      STARTLINE_TEST_SWEEP_MS: '200',
      STARTLINE_TEST_MAINTENANCE_MS: '500',
      ...environment,
    }),
  );
}

/** Far longer than any condition takes on a machine that does much else: a condition that fails is not met at all. */
const GIVE_UP_MS = Number(process.env.TEST_PATIENCE_MS ?? 300_000);

/** Between two requests of a client that puts load on an API. A test that waits for something uses `eventually`. */
export const pace = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Between two questions: a tenth of the time so far, so that a test takes no processor from those it waits for. */
const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [10, 100];

/** Polls until the condition is met, instead of sleeping. */
export async function eventually<T>(ask: () => Promise<T | undefined | false>): Promise<T> {
  const start = Date.now();
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    const waitedMs = Date.now() - start;
    if (waitedMs > GIVE_UP_MS) throw new Error('It did not come about in time');
    await pace(Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, waitedMs / 10)));
  }
}
