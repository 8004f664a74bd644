import { StartlineError } from '#libs/client';
import { pointsOf } from '../../apps/console/src/events/chart/series';
import { copyCodes } from '../../apps/console/src/events/edit/copy-codes';
import { changesOf, draftOf, isDirty, newRow, typed } from '../../apps/console/src/events/edit/draft';
import { nextEdition } from '../../apps/console/src/events/edit/earlier-edition';
import { later, localOf, timeOf } from '../../apps/console/src/events/edit/local-time';
import { type Difference, merge, mergedWith } from '../../apps/console/src/events/edit/merge';
import { put } from '../../apps/console/src/events/edit/paths';
import { partsOf, repeatedIn } from '../../apps/console/src/events/upload/parts';
import { changedMeanwhile, type Row } from '../../apps/console/src/events/write-catalogue';

const state = (record: Record<string, unknown>) => ({ id: String(record.id), version: '1', record });
const occurrence = state({
  record: 'occurrence',
  id: 'o',
  title: 'Run',
  races: [{ id: 'r', title: '10K', maxCapacity: 100 }],
});

it('reads what somebody changed meanwhile, if it is too long to be in the refusal', async () => {
  const now = { ...occurrence, version: '2' };
  const form = state({ record: 'bookingForm', id: 'f' });
  const changed = { code: 'CHANGED_MEANWHILE', message: '', path: 'versions.o' } as const;
  const api = { get: async () => ({ records: [form, now] }) } as never;
  const found = (...problems: object[]) =>
    changedMeanwhile(api, new StartlineError(400, '', '', '', 0, problems as never), 'o');
  expect([
    await found(changed),
    await found({ ...changed, path: 'versions.f', current: form }, changed),
    await found({ ...changed, code: 'REQUIRED' }),
  ]).toEqual([[now], [form, now], undefined]);
});

describe('what is typed', () => {
  it('is not a change once it is typed back, whether a value, a nested value or nothing', () => {
    const start = draftOf([occurrence]);
    const path = 'records[0].location.address.city';
    const changed = typed(start, path, 'Leeds');
    expect([isDirty(start), isDirty(changed), isDirty(typed(changed, path, undefined))]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('names new tickets and questions, until their names are typed, and follows them where they are used', () => {
    let draft = draftOf([occurrence]);
    draft = typed(draft, 'records[0].races[0].tickets', [newRow()]);
    draft = typed(draft, 'records[0].races[0].tickets[0].title', 'Früh');
    draft = typed(draft, 'records[0].reservedEntryGroups', [
      { code: 'G', tickets: [{ ticketSlug: '10k-fruh' }] },
    ]);
    draft = typed(draft, 'records[0].races[0].tickets[0].title', 'Adult');
    expect(draft.records[0]).toMatchObject({
      races: [{ tickets: [{ ticketSlug: '10k-adult' }] }],
      reservedEntryGroups: [{ tickets: [{ ticketSlug: '10k-adult' }] }],
    });
  });
});

it('sends no options of a question whose type has none, and no course without its title', () => {
  const question = {
    record: 'bookingFormField',
    id: 'q',
    type: 'SELECT',
    options: [{ label: 'M', value: 'm' }],
  };
  const races = [{ id: 'r', title: '10K', course: { id: 'c', title: 'Canal' } }];
  let draft = draftOf([state(question), state({ ...occurrence.record, races })]);
  draft = typed(draft, 'records[0].type', 'TEXT');
  draft = typed(draft, 'records[1].races[0].course.title', undefined);
  const [field, run] = changesOf(draft).records;
  expect(field).toEqual({ record: 'bookingFormField', id: 'q', type: 'TEXT' });
  expect(run?.races).toEqual([{ id: 'r', title: '10K' }]);
  const again = typed(draft, 'records[0].type', 'MULTI_SELECT');
  expect(changesOf(again).records[0]).toEqual({ ...question, type: 'MULTI_SELECT' });
});

it('keeps what refers to a name while that is emptied and typed again', () => {
  const question = newRow({ record: 'bookingFormField', label: 'New question', key: 'newQuestion' });
  const form = { record: 'bookingForm', id: 'f', title: 'Runner', fields: ['newQuestion'] };
  const tickets = [{ id: 't', title: 'Adult', ticketSlug: 'adult', bookingForms: ['Runner'] }];
  let draft = typed(draftOf([]), 'records', [
    ...[question, form],
    {
      ...occurrence.record,
      races: [{ id: 'r', tickets }],
      reservedEntryGroups: [{ tickets: [{ ticketSlug: 'adult' }] }],
    },
  ]);
  for (const [path, text] of [
    ['records[0].label', 'Shirt'],
    ['records[1].title', 'Runners'],
    ['records[2].races[0].tickets[0].ticketSlug', 'adults'],
  ] as const) {
    draft = typed(draft, path, undefined);
    for (let length = 1; length <= text.length; length += 1)
      draft = typed(draft, path, text.slice(0, length));
  }
  expect(draft.records.slice(1)).toMatchObject([
    { title: 'Runners', fields: ['shirt'] },
    {
      races: [{ tickets: [{ bookingForms: ['Runners'] }] }],
      reservedEntryGroups: [{ tickets: [{ ticketSlug: 'adults' }] }],
    },
  ]);
});

it('copies codes for tickets of the next edition that were renamed, and tells which lack tickets', async () => {
  const tickets = ['a', 'b', 'c'].map((id) => ({ id, title: `${id} 2030`, ticketSlug: `${id}-2030` }));
  const earlier = state({ ...occurrence.record, startDate: '2030-05-04', races: [{ id: 'r', tickets }] });
  const codes = { ids: ['one', 'two', 'gone', 'all'], ending: '-31', days: 0 };
  let draft = { ...nextEdition([earlier], { startDate: '2031-05-04', withGroups: true }), codes };
  const place = 'records[0].races[0].tickets';
  draft = { ...typed(draft, `${place}[0].ticketSlug`, 'early'), codes };
  draft = { ...typed(draft, place, (now: unknown[]) => now.slice(0, 2)), codes };
  const after = ['early', 'b-2030'].map((ticketSlug) => ({ id: `new ${ticketSlug}`, ticketSlug }));
  const ticketIds: Record<string, string[] | null> = {
    ...{ one: ['a'], two: ['b', 'c'], gone: ['c'], all: null },
  };
  let sent: { code: string; ticketIds: string[] | null }[] = [];
  const api = {
    get: async (path: string, { params }: { params: { path: { id: string } } }) => {
      const { id } = params.path;
      if (path.includes('discount-codes')) return { code: id, ticketIds: ticketIds[id] };
      if (path.includes('import-jobs')) return { status: 'COMPLETED' };
      return { records: [state({ record: 'occurrence', id, races: [{ tickets: after }] })] };
    },
    post: async (_: string, { body }: { body: { discountCodes: typeof sent } }) => {
      sent = body.discountCodes;
      return { jobId: 'j' };
    },
  };
  const { left, fewer } = await copyCodes(api as never, draft, 'next');
  expect({ left, fewer }).toEqual({ left: ['gone'], fewer: ['two-31'] });
  expect(sent.map(({ code, ticketIds }) => [code, ticketIds])).toEqual([
    ['one-31', ['new early']],
    ['two-31', ['new b-2030']],
    ['all-31', null],
  ]);
  // And after somebody else has changed what it begins with.
  expect(mergedWith(draft, [], new Set()).merged).toMatchObject({ codes });
});

it('leaves deleted tickets out of the next edition, and out of its groups', () => {
  const tickets = [{ ticketSlug: 'a' }, { ticketSlug: 'b', isDeleted: true }];
  const groups = [{ code: 'G', tickets: [{ ticketSlug: 'b' }, { ticketSlug: 'a' }] }];
  const races = [{ id: 'r', tickets }];
  const earlier = state({
    ...occurrence.record,
    startDate: '2030-05-04',
    races,
    reservedEntryGroups: groups,
  });
  const { records } = nextEdition([earlier], { startDate: '2031-05-04', withGroups: true });
  const slugs = (rows: unknown) => (rows as { ticketSlug: string }[]).map(({ ticketSlug }) => ticketSlug);
  const rows = [records[0]?.races, records[0]?.reservedEntryGroups].map((list) => (list as Row[])[0]);
  expect(rows.map((row) => slugs(row?.tickets))).toEqual([['a'], ['a']]);
});

describe('a title in several languages', () => {
  const titleByLocale = { 'en-GB': 'Run', 'de-DE': 'Lauf', 'cy-GB': 'Run' };
  const start = draftOf([state({ ...occurrence.record, titleByLocale })]);

  it('is typed in those that have it, too', () => {
    let draft = typed(start, 'records[0].title', undefined);
    for (const text of ['W', 'Wa', 'Walk']) draft = typed(draft, 'records[0].title', text);
    expect(draft.records[0]?.titleByLocale).toEqual({ 'en-GB': 'Walk', 'de-DE': 'Lauf', 'cy-GB': 'Walk' });
    expect(isDirty(typed(draft, 'records[0].title', 'Run'))).toBe(false);
  });

  it('is not changed in the others, nor by what is typed in a language', () => {
    const own = typed(start, 'records[0].titleByLocale', { ...titleByLocale, 'en-GB': 'Jog' });
    expect(own.records[0]).toMatchObject({ title: 'Run', titleByLocale: { 'en-GB': 'Jog' } });
    const { titleByLocale: titles } = typed(own, 'records[0].title', 'Lauf').records[0] ?? {};
    expect(titles).toEqual({ 'en-GB': 'Jog', 'de-DE': 'Lauf', 'cy-GB': 'Lauf' });
  });
});

describe('what someone else changed meanwhile', () => {
  it('is added to what was typed; of what both changed, either can be taken', () => {
    const theirs = put(put(occurrence.record, 'races[0].maxCapacity', 120), 'startDate', '2030-05-04');
    const mine = put(put(occurrence.record, 'races[0].maxCapacity', 90), 'races[0].title', '10 km');
    const found: Difference[] = [];
    expect(merge(occurrence.record, mine, theirs, found)).toMatchObject({
      startDate: '2030-05-04',
      races: [{ title: '10 km', maxCapacity: 90 }],
    });
    expect(found.map(({ path, contested }) => [path, contested])).toEqual([
      ['races[0].maxCapacity', true],
      ['startDate', false],
    ]);
    const taken = merge(occurrence.record, mine, theirs, [], new Set(['races[0].maxCapacity']));
    expect(taken).toMatchObject({ races: [{ title: '10 km', maxCapacity: 120 }] });
  });

  it('keeps rows that were added on both sides', () => {
    const mine = put(occurrence.record, 'races[1]', newRow({ title: 'Mine' }));
    const theirs = put(occurrence.record, 'races[1]', { id: 's', title: 'Theirs' });
    const merged = merge(occurrence.record, mine, theirs, []) as { races: { title: string }[] };
    expect(merged.races.map(({ title }) => title)).toEqual(['10K', 'Mine', 'Theirs']);
  });
});

describe('times as people type them', () => {
  it.each([
    ['2030-01-05T09:30:00Z', '2030-01-05T09:30'],
    ['2030-07-05T08:30:00Z', '2030-07-05T09:30'],
    ['2030-07-05T08:30:15Z', '2030-07-05T09:30:15'],
    ['2030-10-27T01:30:00Z', '2030-10-27T01:30'],
    ['2030-07-05T09:30:00', '2030-07-05T09:30'],
    ['', ''],
  ])('%s is %s in London', (time, local) => {
    expect(localOf(time, 'Europe/London')).toBe(local);
  });

  it('are sent without a zone', () => {
    expect([timeOf('2030-07-05T09:30'), timeOf('2030-07-05T09:30:15'), timeOf('')]).toEqual([
      '2030-07-05T09:30:00',
      '2030-07-05T09:30:15',
      '',
    ]);
  });

  it('keep the time of the day when they are moved over a change of clocks', () => {
    expect(later('2030-01-05T09:30:00Z', 181, 'Europe/London')).toBe('2030-07-05T09:30:00');
  });
});

describe('the parts of a file', () => {
  const events = Array.from({ length: 150 }, (_, at) => ({ record: 'event', slug: `e${at}`, title: 'E' }));
  const occurrences = events.map(({ slug }) => ({ record: 'occurrence', event: slug, slug: `${slug}-2030` }));
  const records = [...events, ...occurrences];

  it('follow each other, have at most 200 records, and those before them that they refer to', () => {
    const parts = partsOf(records);
    expect(parts.map(({ from, to }) => [from, to])).toEqual([
      [0, 199],
      [200, 299],
    ]);
    for (const { places, from, to } of parts) {
      expect(places.length).toBeLessThanOrEqual(200);
      for (let place = Math.max(from, 150); place <= to; place += 1)
        expect(places).toEqual(expect.arrayContaining([place, place - 150]));
    }
    expect(parts[1]?.places).toHaveLength(200);
  });

  it('leave out what is written', () => {
    expect(partsOf(records, 200)).toEqual([
      { from: 200, to: 299, places: Array.from({ length: 100 }, (_, at) => 200 + at) },
    ]);
  });

  it('are none where a record has the name of an earlier one', () => {
    expect(
      repeatedIn([...events, { record: 'event', slug: 'e7' }, { record: 'partner', name: 'e7' }]),
    ).toEqual([150]);
  });
});

describe('the chart of an event', () => {
  const entries = {
    startDate: '2030-05-04',
    days: [
      { day: '2030-01-01', website: 2, api: 1, dashboard: 0 },
      { day: '2030-01-03', website: 1, api: 4, dashboard: 1 },
    ],
    previous: {
      ...{ id: 'p', title: 'Run 2029', startDate: '2029-05-05' },
      days: [{ day: '2029-01-04', website: 3, api: 5, dashboard: 0 }],
    },
  };
  const read = (options: { cumulative: boolean; source?: 'website' | 'api' }) =>
    pointsOf(entries, { range: 0, today: '2030-01-03', ...options }).map((point) => [
      ...[point.entries, point.bySource.website, point.bySource.api, point.previous],
    ]);

  it('adds all sources up, by day and as a running total', () => {
    expect(read({ cumulative: false })).toEqual([
      [3, 2, 1, 0],
      [0, 0, 0, 0],
      [6, 1, 4, 8],
    ]);
    expect(read({ cumulative: true })).toEqual([
      [3, 2, 1, 0],
      [3, 2, 1, 0],
      [9, 3, 5, 8],
    ]);
  });

  it('shows one source, also of the edition before', () => {
    expect(read({ cumulative: true, source: 'api' })).toEqual([
      [1, 0, 1, 0],
      [1, 0, 1, 0],
      [5, 0, 5, 5],
    ]);
  });
});
