import { withDatabase } from '#libs/testing';
import { ALL_OPERATIONS, operationOf } from '../contract/document';
import { everything } from '../contract/walk/everything';
import { Organization } from '../contract/walk/organization';
import { readEverything } from '../contract/walk/reads';
import type { Sale } from '../contract/walk/rows';
import { type Cluster, startDistributed } from './cluster';
import { workInConsole } from './console';
import { COUNTED, distributedStatements } from './counters';

let cluster: Cluster;
let walk: Organization;
let sold: Record<string, Sale>;
/** The operations that were called, and whether with success. */
const succeeded = new Set<string>();
/** The distributed statements of commands, which look for an id without its organization. */
const ofCommands = { single: 0, multi: 0 };

beforeAll(async () => {
  cluster = await startDistributed(COUNTED);
  // Of a mail server that is away, which no answer tells.
  const mail = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'a@example.com', PUBLIC_URL: 'http://127.0.0.1' };
  walk = await Organization.found({ DATABASE_URL: cluster.url, RATE_SIGN_IN: '1000', ...mail });
  const { send } = walk.api;
  walk.api.send = async (method, path, ...given) => {
    const answer = await send(method, path, ...given);
    if (answer.status === 200) succeeded.add(operationOf(method, path).name);
    return answer;
  };
  const command = walk.command.bind(walk);
  walk.command = async (...words) => {
    const before = await distributedStatements(cluster);
    const answer = await command(...words);
    const after = await distributedStatements(cluster);
    ofCommands.single += after.single - before.single;
    ofCommands.multi += after.multi - before.multi;
    return answer;
  };
});
afterAll(async () => {
  await walk?.close();
  await cluster?.remove();
});

it('runs every operation, none of whose statements goes to several shards or through another node', async () => {
  const before = await distributedStatements(cluster);
  sold = await everything(walk);
  await workInConsole(walk, sold);
  const after = await distributedStatements(cluster);
  expect(ALL_OPERATIONS.map(({ name }) => name).filter((name) => !succeeded.has(name))).toEqual([]);
  expect({ single: after.single - before.single, multi: after.multi - before.multi }).toEqual(ofCommands);
});

it('changes an organization on every node', async () => {
  await walk.command('organization', 'update', walk.slug, '--name', 'Renamed');
  for (const node of [cluster.coordinator, ...cluster.workers])
    await withDatabase(node.url(), async (client) => {
      const { rows } = await client.query('SELECT name FROM organizations WHERE slug = $1', [walk.slug]);
      expect(rows).toEqual([{ name: 'Renamed' }]);
    });
});

it('reads everything of an organization while the other node is away', async () => {
  const [{ port }] = await walk.api.home.query(
    `SELECT n.nodeport AS port FROM pg_dist_placement p JOIN pg_dist_node n ON n.groupid = p.groupid
     JOIN organizations o ON p.shardid = get_shard_id_for_distribution_column('organization_surfaces', o.id)
     WHERE o.slug = $1`,
    [walk.slug],
  );
  const other = cluster.workers.find((node) => node.port !== port);
  await other?.stop('SIGQUIT');
  try {
    // The marketplace shows the events of all nodes.
    await readEverything(walk, sold, ({ path }) => !path.startsWith('/marketplace'));
  } finally {
    await other?.start();
  }
});
