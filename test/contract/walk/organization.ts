import type { INestApplicationContext } from '@nestjs/common';
import { newId } from '#platform/database';
import { type CommandLine, commandLine } from '../../cli/startline';
import { eventually, startApi, startWorker, type TestApi } from '../../harness';
import { Receiver, WEBHOOK_SECRETS_KEY } from '../../webhooks/receiver';
import { CATALOGUE, type Ids, idsOf } from './catalogue';
import { Seen } from './seen';

const WEBHOOKS = {
  WEBHOOK_SECRETS_KEY,
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  STARTLINE_TEST_WEBHOOK_SWEEP_MS: '20',
  WEBHOOK_RETRY_SECONDS: '1,1',
};

/** Everything that a timing key can read. */
const READS = ['names', 'gender', 'ageOnRaceDay', 'yearOfBirth', 'team', 'wave', 'field:shirt'];

type Kind = 'organizer' | 'marketplace' | 'timing';

/** An organization created by commands and files, and used through the API. Collects the values in responses. */
export class Organization {
  readonly seen = new Seen();
  /** Unique, because tests on Citus share a database. */
  readonly slug = `walk-${newId().slice(-12)}`;
  ids = {} as Ids;
  private worker: INestApplicationContext | undefined;

  private constructor(
    readonly api: TestApi,
    readonly cli: CommandLine,
    readonly receiver: Receiver,
    private readonly tokens: Record<Kind, string>,
  ) {}

  /** @param environment settings that differ from those of the walk */
  static async found(environment: Record<string, string> = {}): Promise<Organization> {
    const [api, receiver] = await Promise.all([
      startApi({
        ...{ ...WEBHOOKS, RATE_WIDE: '1000000', RATE_WEBHOOK: '1000000', RATE_IMPORT: '1000000' },
        ...environment,
      }),
      Receiver.start(),
    ]);
    const cli = await commandLine(api.databaseUrl);
    const organization = new Organization(api, cli, receiver, { organizer: '', marketplace: '', timing: '' });
    const { slug } = organization;
    const site = ['--website', 'https://walk.example', '--logo-url', 'https://walk.example/logo.svg'];
    await organization.command('organization', 'create', '--slug', slug, '--name', 'Walk', ...site);
    await organization.command('organization', 'enable', slug, 'all');
    await organization.load('catalogue', CATALOGUE);
    for (const kind of ['organizer', 'marketplace', 'timing'] as const)
      organization.tokens[kind] = (
        await organization.key(kind, ...(kind === 'timing' ? ['--reads', ...READS] : []))
      ).token;
    organization.ids = idsOf(await organization.command('catalogue', 'export', '--organization', slug));
    return organization;
  }

  /** Runs a command, which must succeed. */
  async command(...words: string[]): Promise<any> {
    const { code, answer, stderr } = await this.cli.run(...words);
    if (code !== 0) throw new Error(`${words.join(' ')}: ${stderr}\n${JSON.stringify(answer)}`);
    return answer;
  }

  key(kind: Kind, ...restrictions: string[]): Promise<{ id: string; token: string }> {
    const of = ['--organization', this.slug, '--name', `A ${kind} key`, '--kind', kind];
    return this.command('key', 'create', ...of, ...restrictions);
  }

  load(what: 'catalogue' | 'start-list', records: object[]): Promise<unknown> {
    const lines = records.map((record) => JSON.stringify(record)).join('\n');
    return this.command(what, 'load', this.cli.file(`${what}.jsonl`, lines), '--organization', this.slug);
  }

  /** Sends a request to the API, and collects the response. */
  async ask(method: string, path: string, body?: unknown, token: Kind | string = 'organizer'): Promise<any> {
    const given = this.tokens[token as Kind] ?? token;
    const answer = await this.api.send(method, path, body, given);
    this.seen.take(method, path, answer.status, answer.body);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.body;
  }

  async items(path: string, token?: Kind): Promise<any[]> {
    return (await this.ask('GET', path, undefined, token)).data;
  }

  async startWorker(): Promise<void> {
    this.worker = await startWorker(this.api, WEBHOOKS);
  }

  async finished(path: string, jobId: string): Promise<any> {
    return eventually(async () => {
      await this.ask('GET', '/v0/import-jobs');
      await this.ask('GET', '/v0/import-jobs/allowance');
      const job = await this.ask('GET', `/v0/${path}/${jobId}`);
      return job.finishedAt !== null && job;
    });
  }

  /** Imports rows, none of which may fail, and reads their outcomes. */
  async import(path: string, collection: string, rows: object[], method = 'POST'): Promise<any> {
    const { jobId } = await this.ask(method, `/v0/${path}`, { [collection]: rows });
    const job = await this.finished(path, jobId);
    if (job.failedRows > 0) throw new Error(`${path}: ${JSON.stringify(job.errors.slice(0, 3))}`);
    await this.ask('GET', `/v0/import-jobs/${jobId}/rows`);
    return job;
  }

  async close(): Promise<void> {
    await this.worker?.close();
    await this.cli.close();
    await this.api.close();
    await this.receiver.stop();
  }
}
