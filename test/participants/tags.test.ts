import { booking, copiesOf, key, organization } from '#libs/testing';
import { sharedApi, type TestApi } from '../harness';

/** The filter by tag, for tags of few and of many participants, and what counts them. */

let api: TestApi;
let token: string;
/** Participants in the order of the list, with their tags. */
let all: { id: string; tags: string[] }[];

/** More than the list searches in its order before it reads all participants with the tag. */
const MANY = 2_500;

beforeAll(async () => {
  api = await sharedApi();
  const { dataSource } = api;
  const { id: organizationId } = await organization(dataSource);
  ({ token } = await key(dataSource, { organizationId }));
  await booking(dataSource, { organizationId });
  await dataSource.query(
    `INSERT INTO start_list_entries ${copiesOf(
      'e',
      `jsonb_build_object('id', uuid_v7(), 'participant_id', uuid_v7(),
        'created_at', '2026-01-01'::timestamptz + n * interval '1 second', 'tags', array_remove(ARRAY[
        CASE WHEN n % 2 = 0 THEN 'half' END, CASE WHEN n > $2::int - 20 THEN 'latest' END,
        CASE WHEN n IN (3, 4, 1500, $2::int - 1) THEN 'few' END, CASE WHEN n = 7 THEN 'one' END, 'all', 'all'], NULL))`,
      'FROM start_list_entries e, generate_series(1, $2::int) n WHERE e.organization_id = $1',
    )}`,
    [organizationId, MANY],
  );
  all = await dataSource.query(
    `SELECT participant_id AS id, tags FROM start_list_entries WHERE organization_id = $1 ORDER BY created_at, participant_id`,
    [organizationId],
  );
});
afterAll(() => api.close());

interface Answer {
  data: { id: string }[];
  page: { totalResults: number; next: string; prev: string };
}
const ask = async (query: Record<string, string>): Promise<Answer> =>
  (await api.get(`/v0/participants?${new URLSearchParams({ features: 'tags', ...query })}`, token)).body;

/** Every page of a list, from one cursor to the next. */
async function pagesOf(
  query: Record<string, string>,
  cursor: 'after' | 'before',
  from?: string,
): Promise<Answer[]> {
  const pages: Answer[] = [];
  for (let at = from; at !== ''; ) {
    const page = await ask({ ...query, ...(at && { [`page[${cursor}]`]: at }) });
    pages.push(page);
    at = cursor === 'after' ? page.page.next : page.page.prev;
  }
  return pages;
}

const SIZES: Record<string, string> = {
  half: '100',
  latest: '7',
  few: '1',
  one: '1',
  all: '500',
  none: '100',
};

describe.each(Object.keys(SIZES))('participants with the tag of %s', (tag) => {
  const wanted = () => all.filter(({ tags }) => tags.includes(tag)).map(({ id }) => id);
  const query = { tag, 'page[size]': SIZES[tag] as string };
  const idsOf = (pages: Answer[]) => pages.flatMap(({ data }) => data.map(({ id }) => id));

  it.each(['1', '-1'])('are on the pages in order (%s), with their number', async (direction) => {
    const pages = await pagesOf({ ...query, 'sort[createdAt]': direction }, 'after');
    expect(idsOf(pages)).toEqual(direction === '1' ? wanted() : wanted().reverse());
    expect(new Set(pages.map(({ page }) => page.totalResults))).toEqual(new Set([wanted().length]));
  });

  it('are on the same pages backwards', async () => {
    const forward = await pagesOf(query, 'after');
    const from = forward.at(-1)?.page.prev;
    const back = from ? await pagesOf(query, 'before', from) : [];
    expect(back.reverse().map(({ data }) => data)).toEqual(forward.slice(0, -1).map(({ data }) => data));
  });

  it('are counted with another filter', async () => {
    const { page } = await ask({ ...query, status: 'CONFIRMED' });
    expect(page.totalResults).toBe(wanted().length);
    expect((await ask({ ...query, status: 'CANCELLED' })).page.totalResults).toBe(0);
  });
});

it('counts a participant whose tags or approval change', async () => {
  const { organizationId, dataSource } = api;
  const { entries } = await booking(dataSource, {
    organizationId,
    entries: [{ tags: ['moved', 'moved'] }, { tags: ['moved', 'kept'] }, { tags: ['kept'] }],
  });
  const [first, second] = entries.map(({ id }) => id);
  const totals = async () =>
    Promise.all(
      ['moved', 'kept', 'new'].map(
        async (tag) =>
          (await api.get(`/v0/participants?${new URLSearchParams({ features: 'tags', tag })}`)).body.page
            .totalResults,
      ),
    );
  expect(await totals()).toEqual([2, 2, 0]);
  await dataSource.query(`UPDATE start_list_entries SET tags = '{new,kept}' WHERE id = $1`, [first]);
  expect(await totals()).toEqual([1, 3, 1]);
  await dataSource.query(`UPDATE start_list_entries SET approval_status = 'REJECTED' WHERE id = $1`, [
    second,
  ]);
  expect(await totals()).toEqual([0, 2, 1]);
  await dataSource.query(`UPDATE start_list_entries SET approval_status = 'APPROVED' WHERE id = $1`, [
    second,
  ]);
  expect(await totals()).toEqual([1, 3, 1]);
});
