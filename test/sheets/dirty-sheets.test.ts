import {
  type FileMapping,
  type ImportKind,
  planOf,
  readSheet,
  recognise,
  withAmounts,
  withAnswers,
} from '#libs/sheets';
import { DIRTY_QUESTIONS, DIRTY_RECORDS, dirtySheet } from '#libs/testing';
import { IMPORT_SHAPES } from '../../libs/client/src/import-shapes';

/** `.ci/release` takes all. */
const [SHEETS, COUNTS] = process.env.ALL_DIRTY_FILES
  ? [120, { bookings: 4_800, refused: 197, columns: 2_510, recognised: 2_460 }]
  : [40, { bookings: 1_600, refused: 61, columns: 871, recognised: 856 }];
const plain: ImportKind = {
  collection: 'bookings',
  identity: ['externalBookingId'],
  fields: withAmounts(IMPORT_SHAPES['/v0/bookings/import']?.fields ?? []).map((field) =>
    // The file is all that is tested here.
    /ticketId|eventOccurrenceId/.test(field.path) ? { ...field, required: false } : field,
  ),
};
const bookings = withAnswers(plain, DIRTY_QUESTIONS);
/** Each record has its name as its id. */
const lookups = Object.fromEntries(
  Object.entries(DIRTY_RECORDS).map(([name, titles]) => [name, titles.map((id) => ({ id, names: [id] }))]),
);
const known = { lookups, today: '2026-11-23' };

async function send(seed: number) {
  const dirty = dirtySheet(seed);
  const sheet = await readSheet(dirty.bytes);
  const recognised = recognise(sheet, bookings);
  const wrong = Object.entries(recognised).filter(([column, path]) => dirty.paths[column] !== path);
  const mapping: FileMapping = {
    columns: dirty.paths,
    values: { 'participants[0].price.currencyCode': dirty.currency },
  };
  const first = planOf(sheet, bookings, mapping, known);
  const answers: Record<string, string> = { dateOrder: dirty.order, decimal: dirty.decimal, gender: 'MF' };
  const readings: Record<string, object> = {};
  for (const each of first.questions)
    if (each.kind === 'reading')
      readings[each.column] = { ...readings[each.column], [each.open]: answers[each.open] };
  const plan = first.questions.length ? planOf(sheet, bookings, { ...mapping, readings }, known) : first;
  return { dirty, plan, wrong, recognised };
}

it('alters no value of files in all the ways that people write them: each booking is the known one, or refused', async () => {
  const counts = { bookings: 0, refused: 0, columns: 0, recognised: 0 };
  for (let seed = 1; seed <= SHEETS; seed += 1) {
    const { dirty, plan, wrong, recognised } = await send(seed);
    const { about, truth, spoiled } = dirty;
    expect({ about, wrong, open: plan.questions }).toEqual({ about, wrong: [], open: [] });
    const sent = new Map(plan.items.map(({ body }) => [body.externalBookingId as string, body]));
    for (const [id, body] of sent) expect({ about, body }).toEqual({ about, body: truth.get(id) });
    const refused = [...truth.keys()].filter((id) => !sent.has(id));
    expect({ about, refused }).toEqual({ about, refused: [...spoiled] });
    counts.bookings += truth.size;
    counts.refused += refused.length;
    counts.columns += Object.keys(dirty.paths).length;
    counts.recognised += Object.keys(recognised).length;
  }
  expect(counts).toEqual(COUNTS);
});
