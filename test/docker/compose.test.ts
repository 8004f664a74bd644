import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { validate } from 'dockerfile-utils';
import { describeWithOwnRedis, freePort, ownRedis, testDatabase } from '#libs/testing';
import { ALLOCATOR } from '#platform/config';
import { appUrlOf } from '#platform/database';
import { Balancer } from '../fleet/balancer';
import { Running } from '../fleet/running';
import { eventually } from '../harness';
import { inOrder, type Service, type Services, services } from './composition';
import { Image } from './image';

const WITH_REDIS = ['compose.yaml'];
const WITHOUT_REDIS = ['compose.yaml', 'compose.without-redis.yaml'];
/** The user of Node's image; here, any user who can read the build but not write it. */
const NOBODY = 65_534;

const secret = () => randomBytes(32).toString('hex');
const given = () => ({
  POSTGRES_PASSWORD: secret(),
  POSTGRES_APP_PASSWORD: secret(),
  REDIS_PASSWORD: secret(),
  SIGNING_SECRETS: `2026a:${secret()}`,
  WEBHOOK_SECRETS_KEY: `2026a:${secret()}`,
});
const ours = (all: Services) => Object.entries(all).filter(([, { image }]) => image === 'startline');

let image: Image;
beforeAll(() => {
  image = Image.build();
});
afterAll(() => image?.remove());

describe('the files in docker/', () => {
  it('pass their linters', () => {
    expect(validate(readFileSync('docker/Dockerfile', 'utf8'))).toEqual([]);
    const linted = spawnSync(
      'node_modules/.bin/dclint',
      ['-c', 'docker/.dclintrc.json', '--max-warnings', '0', 'docker'],
      { encoding: 'utf8' },
    );
    expect(`${linted.stdout}${linted.stderr}`.trim()).toBe('');
    expect(linted.status).toBe(0);
  });

  it('give the allocator what the other ways to start give it', () => {
    expect(image.environment).toMatchObject(ALLOCATOR);
  });

  it('run as an unprivileged user, on files that it cannot write', () => {
    expect(image.user).toBe('node');
    const all = ours(services(WITH_REDIS, given()));
    expect(all.map(([name]) => name)).toEqual(['api', 'cli', 'migrate', 'worker']);
    for (const [, service] of all) {
      expect(service).toMatchObject({
        read_only: true,
        init: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    }
  });

  it('give PostgreSQL the capabilities that its entry point needs, and a read-only file system', () => {
    expect(services(WITH_REDIS, given()).postgres).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      cap_add: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'],
      security_opt: ['no-new-privileges:true'],
      tmpfs: ['/tmp', '/var/run/postgresql'],
    });
  });

  it('start two apis and two workers, after the migrations', () => {
    const all = services(WITH_REDIS, given());
    for (const name of ['api', 'worker']) {
      expect(all[name]?.deploy?.replicas).toBe(2);
      expect(all[name]?.depends_on?.migrate).toEqual({ condition: 'service_completed_successfully' });
    }
  });

  it('give processes enough time to stop', () => {
    const { api, worker } = services(WITH_REDIS, given());
    const shutdownMs = 20_000;
    const seconds = (service?: Service) => Number.parseInt(service?.stop_grace_period ?? '', 10);
    expect(seconds(api)).toBeGreaterThan((Number(api?.environment?.DRAIN_MS) + shutdownMs) / 1_000);
    expect(seconds(worker)).toBeGreaterThan(shutdownMs / 1_000);
  });

  it('pass the signing secrets only to services that sign or check keys', () => {
    const all = ours(services(WITH_REDIS, given()));
    const with_ = all.filter(([, { environment }]) => environment?.SIGNING_SECRETS);
    expect(with_.map(([name]) => name)).toEqual(['api', 'cli']);
  });

  it('pass the connection of the schema owner only to migrations and the command line', () => {
    const all = ours(services(WITH_REDIS, given()));
    const with_ = all.filter(([, { environment }]) => environment?.DATABASE_OWNER_URL);
    expect(with_.map(([name]) => name)).toEqual(['cli', 'migrate']);
    for (const [, { environment }] of all)
      expect(new URL(environment?.DATABASE_URL ?? '').username).toBe('startline_app');
  });

  it('pass the key of webhook secrets only to services that create or send webhooks', () => {
    const withKey = (given: Record<string, string>) =>
      ours(services(WITH_REDIS, given))
        .filter(([, { environment }]) => environment?.WEBHOOK_SECRETS_KEY)
        .map(([name]) => name);
    expect(withKey(given())).toEqual(['api', 'cli', 'worker']);
    expect(withKey({ ...given(), WEBHOOK_SECRETS_KEY: '' })).toEqual([]);
  });

  it('limit the memory and the processes of every service', () => {
    for (const [name, { deploy }] of Object.entries(services(WITH_REDIS, given()))) {
      const limits = deploy?.resources?.limits ?? {};
      expect([name, Object.keys(limits).sort()]).toEqual([name, ['memory', 'pids']]);
    }
  });

  it('require the Redis password, which every client has', () => {
    const { redis, api, worker } = services(WITH_REDIS, given());
    expect(redis?.command?.join(' ')).toContain('--requirepass "$$REDISCLI_AUTH"');
    for (const service of [api, worker])
      expect(service?.environment?.REDIS_URL).toBe(
        `redis://:${redis?.environment?.REDISCLI_AUTH}@redis:6379`,
      );
  });

  it.each(['POSTGRES_PASSWORD', 'POSTGRES_APP_PASSWORD', 'REDIS_PASSWORD', 'SIGNING_SECRETS'])(
    'contain no %s, which must be provided',
    (name) => {
      expect(() => services(WITH_REDIS, { ...given(), [name]: '' })).toThrow(name);
    },
  );
});

describeWithOwnRedis()('the services of compose.yaml, run as processes', () => serves(WITH_REDIS));
describe('the services of compose.yaml and compose.without-redis.yaml, run as processes', () =>
  serves(WITHOUT_REDIS));

/** The commands of the image with the services' environment, with separate ports because they share a host here. */
function serves(files: string[]) {
  const running: Running[] = [];
  const cleanups: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    await Promise.all(running.map((process) => process.end('SIGKILL')));
    for (const cleanup of cleanups.reverse()) await cleanup();
  });

  it('complete an import that came through the proxy, and stop in time', async () => {
    const all = services(files, given());
    const database = await testDatabase();
    cleanups.push(() => database.drop());
    const hosts: Record<string, string> = {
      DATABASE_URL: appUrlOf(database.url),
      ...(all.redis?.profiles ? {} : { REDIS_URL: await startRedis() }),
    };
    for (const name of Object.keys(hosts))
      expect(all.api?.environment?.[name]).toMatch(/@postgres:|redis:6379/);

    const start = (service: Service, extra: Record<string, string> = {}, words: string[] = []) => {
      const process = new Running({
        name: words.join(' '),
        command: [
          ...(service.entrypoint ?? []),
          ...(service.command ?? (service.entrypoint ? [] : image.command)),
          ...words,
        ],
        folder: image.folder,
        environment: {
          ...image.environment,
          ...service.environment,
          ...hosts,
          ...(service.environment?.DATABASE_OWNER_URL && { DATABASE_OWNER_URL: database.url }),
          HOST: '127.0.0.1',
          ...extra,
        },
        uid: readable(),
      });
      running.push(process);
      return process;
    };
    const cli = async (...words: string[]) => {
      const process = start(all.cli as Service, {}, words);
      expect([process.words, await process.ended]).toEqual([expect.any(String), 0]);
      return process.words;
    };

    const apis: number[] = [];
    const served: { process: Running; environment: Record<string, string> }[] = [];
    for (const name of inOrder(all)) {
      const service = all[name] as Service;
      if (service.image !== 'startline' || service.profiles) continue;
      if (!service.deploy?.replicas) {
        expect(await start(service).ended).toBe(0);
        continue;
      }
      const replicas = Array.from({ length: service.deploy.replicas }, async () => {
        const [port, metricsPort] = [await freePort(), await freePort()];
        const environment = { PORT: String(port), METRICS_PORT: String(metricsPort) };
        if (name === 'api') apis.push(port);
        served.push({ environment, process: await start(service, environment).ready(metricsPort) });
      });
      await Promise.all(replicas);
    }
    expect(served).toHaveLength(4);
    for (const { environment } of served) expect(await healthOf(environment)).toBe(0);

    await cli('organization', 'create', '--slug', 'city-runs', '--name', 'City Runs');
    await cli('organization', 'enable', 'city-runs', 'all');
    const { token } = JSON.parse(
      (await cli('--json', 'key', 'create', '--organization', 'city-runs', '--name', 'website')).trim(),
    );
    const proxy = new Balancer(apis);
    cleanups.push(() => proxy.stop());
    await eventually(async () => proxy.able.size === 2);
    const credits = [
      { externalCreditId: 'one', email: 'ada@example.com', amount: { value: 500, currencyCode: 'GBP' } },
    ];
    const { body } = await proxy.ask('POST', '/v0/credits/import', token, { credits });
    const { jobId } = JSON.parse(body);
    await eventually(async () => {
      const job = JSON.parse((await proxy.ask('GET', `/v0/credits/import/${jobId}`, token)).body);
      return job.status === 'COMPLETED' && job.succeededRows === 1;
    });

    expect(await Promise.all(served.map(({ process }) => process.end()))).toEqual([0, 0, 0, 0]);
  });

  async function startRedis(): Promise<string> {
    const redis = await ownRedis();
    cleanups.push(() => redis.stop());
    return redis.url;
  }

  /** Docker's health check. @returns the exit code */
  const healthOf = (environment: Record<string, string>) =>
    new Running({ name: 'health', command: image.healthcheck, folder: image.folder, environment }).ended;

  /** Root can run it as another user if that user can read all files. */
  function readable(): number | undefined {
    const asNobody = { uid: NOBODY, gid: NOBODY, cwd: '/' };
    const read = ['-e', `require(${JSON.stringify(`${image.folder}/node_modules/pg`)})`];
    const may = process.getuid?.() === 0 && spawnSync(process.execPath, read, asNobody).status === 0;
    return may ? NOBODY : undefined;
  }
}
