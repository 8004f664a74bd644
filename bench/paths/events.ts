import type { DataSource } from 'typeorm';
import type { BareRoute } from '../baselines/bare';
import { foundStatement, marketplaceStatement } from '../baselines/statements';
import { announce, compare, type Options, ratio } from '../fixtures/compare';
import type { Databases } from '../fixtures/database';
import { asking, spawnApi, withDataSource } from '../fixtures/startline';
import type { Result } from '../report/result';
import { get, pathOf, startBare } from './reads';

const OCCURRENCES = 100_000;

/** The search texts, used in turn. */
const SEARCHES = [
  { name: 'city', title: 'one word', texts: ['Nantes', 'Kraków', 'malmo', 'Bristol', 'Gent'] },
  { name: 'common', title: 'a word of many', texts: ['marathon', 'trail', 'harbour', 'castle'] },
  {
    name: 'several',
    title: 'three words',
    texts: ['nantes harbour 10k', 'berlin forest swim', 'cork river relay'],
  },
  { name: 'mistyped', title: 'a mistyped word', texts: ['maraton', 'brisotl', 'triathlom', 'hamburgg'] },
] as const;

/** The marketplace with 100,000 upcoming occurrences, compared with the same statements without an API. */
export async function events(databases: Databases, options: Options): Promise<Result[]> {
  const url = await databases.occurrences(OCCURRENCES);
  return withDataSource(url, async (dataSource) => {
    const [{ id }] = await dataSource.query('SELECT id FROM organizations ORDER BY slug LIMIT 1');
    const caller = await asking(dataSource, 'MARKETPLACE', id);
    const api = await spawnApi(url);
    const bare = await startBare(url, await routesOf(dataSource, id));
    try {
      const compared = async (title: string, path: string[], its: string[]) => {
        announce(title);
        const candidates = await compare(
          [
            { name: 'Startline', program: api, requests: path.flatMap((one) => get(one, caller)) },
            { name: 'node:http + pg, counting too', program: bare, requests: its.flatMap((one) => get(one)) },
          ],
          options,
        );
        const of = ratio(candidates, 'Startline', 'node:http + pg, counting too');
        return { path: 'events', title, candidates, ratios: [{ what: 'of node:http + pg', value: of }] };
      };
      const results: Result[] = [
        await compared(
          `Marketplace: ${OCCURRENCES.toLocaleString('en')} upcoming events, the first 10`,
          [pathOf('/marketplace/v1/events/', {})],
          ['/upcoming'],
        ),
      ];
      for (const { name, title, texts } of SEARCHES)
        results.push(
          await compared(
            `Marketplace: search for ${title}`,
            texts.map((query) => pathOf('/marketplace/v1/events/search', { query })),
            texts.map((_, i) => `/${name}-${i}`),
          ),
        );
      return results;
    } finally {
      await bare.stop();
      await api.stop();
    }
  });
}

async function routesOf(dataSource: DataSource, organizationId: string): Promise<Record<string, BareRoute>> {
  const routes: Record<string, BareRoute> = { upcoming: await marketplaceStatement(organizationId) };
  for (const { name, texts } of SEARCHES)
    for (const [i, text] of texts.entries())
      routes[`${name}-${i}`] = await foundStatement(dataSource, organizationId, text);
  return routes;
}
