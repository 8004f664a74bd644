import { listStatement } from '../baselines/statements';
import { announce, type Candidate, compare, type Options, ratio } from '../fixtures/compare';
import type { Databases } from '../fixtures/database';
import type { LoadRequest } from '../fixtures/load';
import type { Asking } from '../fixtures/startline';
import type { Result } from '../report/result';
import { get, pathOf, type Readers, requireSameItems, withReaders } from './reads';

const LIST = '/v0/participants';
const DEEP_PAGE = 1_900;
const TAG = { features: 'tags', tag: 'first-timer' };

const CASES = [
  { name: 'list100', title: 'List of 100 participants', query: { 'page[size]': 100 }, naive: 12, size: 100 },
  { name: 'list500', title: 'List of 500 participants', query: { 'page[size]': 500 }, naive: 9, size: 500 },
  {
    name: 'changed100',
    title: 'List of 100, last changed first',
    query: { 'page[size]': 100, 'sort[updatedAt]': '-1' },
  },
  {
    name: 'oldest100',
    title: 'List of 100, by change, oldest first',
    query: { 'page[size]': 100, 'sort[updatedAt]': '1' },
  },
] as const;

/** Lists of 100 and 500, both sorts, a filter, and a page deep in the list. */
export async function list(databases: Databases, options: Options): Promise<Result[]> {
  const url = await databases.entries(options.entries);
  const routesOf = async ({ organizationId }: Asking) =>
    Object.fromEntries(
      await Promise.all(
        CASES.map(async ({ name, query }) => [name, await listStatement(organizationId, query)] as const),
      ),
    );
  return withReaders(url, routesOf, async (readers) => {
    const { caller, ours, bare, naive } = readers;
    const results: Result[] = [];
    for (const { name, title, query, ...goals } of CASES) {
      announce(title);
      const path = pathOf(LIST, query);
      await requireSameItems(ours, path, bare, `/${name}`, caller);
      const candidates: Candidate[] = [
        { name: 'Startline', program: ours, requests: get(path, caller) },
        { name: 'node:http + pg', program: bare, requests: get(`/${name}`) },
      ];
      const naivePath = 'size' in goals && `/participants?limit=${goals.size}`;
      if (naivePath)
        candidates.push({
          name: 'naive Nest + TypeORM',
          program: naive,
          requests: get(naivePath, caller),
          patience: 4,
        });
      const measured = await compare(candidates, options);
      results.push({
        path: 'list',
        title,
        candidates: measured,
        ratios: [
          {
            what: 'of node:http + pg without counting',
            value: ratio(measured, 'Startline', 'node:http + pg'),
            ...('naive' in goals && { atLeast: 0.8 }),
          },
          ...('naive' in goals
            ? [
                {
                  what: 'times naive Nest + TypeORM',
                  value: ratio(measured, 'Startline', 'naive Nest + TypeORM'),
                  atLeast: goals.naive,
                },
              ]
            : []),
        ],
      });
    }
    results.push(await deep(readers, options), ...(await filtered(readers, options)));
    return results;
  });
}

interface Page {
  totalResults: number;
  last: string;
  next: string;
}

async function pageOf({ ours, caller }: Readers, query: Record<string, string | number>): Promise<Page> {
  const answer = await fetch(ours.url + pathOf(LIST, query), { headers: caller.headers });
  const { page, message } = (await answer.json()) as { page: Page; message?: string };
  if (!answer.ok) throw new Error(message);
  return page;
}

/** Follows the pages with 500 items each, as a client would. */
async function cursorBefore(readers: Readers, pages: number): Promise<string> {
  let left = (pages - 1) * 100;
  let after = '';
  while (left > 0) {
    const size = Math.min(left, 500);
    after = (await pageOf(readers, { 'page[size]': size, 'page[after]': after })).last;
    left -= size;
  }
  return after;
}

async function deep(readers: Readers, options: Options): Promise<Result> {
  const { totalResults } = await pageOf(readers, { 'page[size]': 1 });
  const pages = Math.min(DEEP_PAGE, Math.floor(totalResults / 100) - 1);
  const title = `Page ${pages.toLocaleString('en')} of 100 participants each`;
  announce(title);
  const { ours, caller } = readers;
  const after = await cursorBefore(readers, pages);
  const deepPath = pathOf(LIST, { 'page[size]': 100, 'page[after]': after });
  const measured = await compare(
    [
      { name: 'page 1', program: ours, requests: get(pathOf(LIST, { 'page[size]': 100 }), caller) },
      { name: `page ${pages}`, program: ours, requests: get(deepPath, caller) },
    ],
    options,
  );
  return {
    path: 'list',
    title,
    candidates: measured,
    ratios: [{ what: 'of page 1', value: ratio(measured, `page ${pages}`, 'page 1'), atLeast: 0.95 }],
  };
}

/** The first page of a filtered list counts the total; the cursor carries it. */
async function filtered(readers: Readers, options: Options): Promise<Result[]> {
  const { ours, caller } = readers;
  const first = await fetch(ours.url + pathOf(LIST, { 'page[size]': 100 }), { headers: caller.headers });
  const { data } = (await first.json()) as { data: { eventOccurrenceId: string; createdAt: string }[] };
  const [{ eventOccurrenceId, createdAt }] = data as [(typeof data)[0]];
  const filters: Record<string, Record<string, string>> = {
    'with a tag': TAG,
    'of an occurrence': { eventOccurrenceId },
    'after a time': { 'createdAt[after]': createdAt },
  };
  const results: Result[] = [];
  for (const [what, filter] of Object.entries(filters)) {
    const title = `List of 100 participants ${what}`;
    announce(title);
    const query = { ...filter, 'page[size]': 100 };
    const second = async (): Promise<LoadRequest[]> => {
      const { last } = await pageOf(readers, query);
      return get(pathOf(LIST, { ...query, 'page[after]': last }), caller);
    };
    const measured = await compare(
      [
        { name: 'first page, counted', program: ours, requests: get(pathOf(LIST, query), caller) },
        { name: 'second page', program: ours, requests: second },
        { name: 'unfiltered', program: ours, requests: get(pathOf(LIST, { 'page[size]': 100 }), caller) },
      ],
      options,
    );
    results.push({
      path: 'list',
      title,
      candidates: measured,
      ratios: [{ what: 'second page of unfiltered', value: ratio(measured, 'second page', 'unfiltered') }],
    });
  }
  return results;
}
