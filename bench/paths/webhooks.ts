import { type ChildProcess, fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { freePort } from '#libs/testing';
import { announce, median, type Options } from '../fixtures/compare';
import type { Databases } from '../fixtures/database';
import { bookingsBody, imported, importFixture } from '../fixtures/imports';
import { type Program, typescript } from '../fixtures/program';
import { applied, raceDayFixture, someMessages } from '../fixtures/race-day';
import { spawnApi, spawnWorker, withDataSource } from '../fixtures/startline';
import { CHANGE_EVENTS, triggerOverhead } from '../fixtures/trigger-overhead';
import type { Result } from '../report/result';

const DELIVERIES = 10_000;
const CONNECTIONS = 10;
const ROWS = 10_000;
const MESSAGES = 5_000;
const RUNNERS = 10_000;

/**
 * Deliveries per second from one worker to a receiver on the same machine, compared with a plain loop of signed
 * requests; and the cost of the change event triggers for an import and race day, with events off and on.
 */
export async function webhooks(databases: Databases, options: Options): Promise<Result[]> {
  const url = await databases.empty('webhooks');
  const settings = {
    WEBHOOK_SECRETS_KEY: `bench:${randomBytes(32).toString('hex')}`,
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    RATE_WEBHOOK: '10000000',
  };
  const programs: Program[] = [];
  try {
    return await withDataSource(url, async (dataSource) => {
      const api = await spawnApi(url, settings);
      const worker = await spawnWorker(url, await freePort(), settings);
      programs.push(api, worker);
      return [
        await importOverhead([api, worker], dataSource, options),
        await raceDayOverhead(dataSource, options),
        await deliveries(api, dataSource, options),
      ];
    });
  } finally {
    for (const program of programs) await program.stop();
    await databases.drop('webhooks');
  }
}

async function deliveries(api: Program, dataSource: DataSource, options: Options): Promise<Result> {
  const title = `${DELIVERIES.toLocaleString('en')} webhook deliveries to one endpoint`;
  announce(title);
  const receiver = fork(join(__dirname, '../fixtures/webhook-receiver.ts'), {
    execArgv: typescript('').slice(0, -1),
  });
  const [{ port }] = await once(receiver, 'message');
  const target = `http://127.0.0.1:${port}/`;
  const { organizationId, headers } = await importFixture(dataSource);
  const answer = await fetch(`${api.url}/v0/webhook-endpoints`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ url: target, types: ['partner.created'] }),
  });
  if (answer.status !== 200) throw new Error(await answer.text());
  const [ours, bare, ratios]: number[][] = [[], [], []];
  try {
    for (let round = 0; round < options.rounds; round++) {
      const delivered = await timed(receiver, () =>
        dataSource.query(
          `INSERT INTO partners (organization_id, id, name) SELECT $1, uuid_v7(), 'Partner ' || n FROM generate_series(1, $2::int) n`,
          [organizationId, DELIVERIES],
        ),
      );
      const [{ body }] = await dataSource.query(
        `SELECT change_event_body(id, type, occurred_at, data) AS body FROM change_events WHERE organization_id = $1 LIMIT 1`,
        [organizationId],
      );
      const looped = await timed(receiver, async () => {
        const words = [String(DELIVERIES), String(CONNECTIONS), body];
        const program = join(__dirname, '../baselines/signed-requests.ts');
        await once(
          spawn(process.execPath, [...typescript(program), target, ...words], { stdio: 'inherit' }),
          'exit',
        );
      });
      ours?.push((DELIVERIES / delivered) * 1_000);
      bare?.push((DELIVERIES / looped) * 1_000);
      ratios?.push(looped / delivered);
    }
  } finally {
    receiver.disconnect();
  }
  return {
    path: 'webhooks',
    title,
    measurements: [
      { what: 'Startline', value: median(ours ?? []), unit: 'a second' },
      { what: 'a bare loop of signed requests', value: median(bare ?? []), unit: 'a second' },
    ],
    ratios: [{ what: 'of a bare loop of signed requests', value: median(ratios ?? []), atLeast: 0.5 }],
  };
}

/** @returns milliseconds from the first request to the last, measured by the receiver */
async function timed(receiver: ChildProcess, work: () => Promise<unknown>): Promise<number> {
  receiver.send(DELIVERIES);
  await once(receiver, 'message');
  const finished = once(receiver, 'message');
  await work();
  const [{ ms }] = await finished;
  return ms;
}

async function importOverhead(
  [api, worker]: [Program, Program],
  dataSource: DataSource,
  options: Options,
): Promise<Result> {
  const title = `Import of ${ROWS.toLocaleString('en')} bookings, with the triggers of change events`;
  announce(title);
  const programs = () => api.cpuMs() + worker.cpuMs();
  const found = await triggerOverhead(dataSource, options, programs, CHANGE_EVENTS, async (announced) => {
    const to = await importFixture(dataSource);
    if (announced) await switchOn(dataSource, to.organizationId);
    return async () => void (await imported(api.url, to, 'bookings', bookingsBody(to, ROWS), ROWS));
  });
  return { path: 'webhooks', title, ...found };
}

async function raceDayOverhead(dataSource: DataSource, options: Options): Promise<Result> {
  const title = `${MESSAGES.toLocaleString('en')} race-day messages stored and applied, with the triggers of change events`;
  announce(title);
  const [off, on] = [await raceDayFixture(dataSource, RUNNERS), await raceDayFixture(dataSource, RUNNERS)];
  await switchOn(dataSource, on.organizationId);
  const programs = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  };
  let from = 0;
  const found = await triggerOverhead(dataSource, options, programs, CHANGE_EVENTS, async (announced) => {
    const at = announced ? on : off;
    const messages = someMessages(at, MESSAGES, from);
    from += MESSAGES;
    return () => applied(dataSource, at.organizationId, messages);
  });
  return { path: 'webhooks', title, ...found };
}

const switchOn = (dataSource: DataSource, organizationId: string) =>
  dataSource.query('INSERT INTO change_event_feeds (organization_id) VALUES ($1)', [organizationId]);
