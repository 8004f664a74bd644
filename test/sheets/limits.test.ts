import { LIMITS, readSheet } from '#libs/sheets';
import { workbook } from '#libs/testing';

const rows = (count: number) => [['Name'], ...Array.from({ length: count }, (_, i) => [`Ada ${i}`])];

it('a workbook with more rows than the limit is refused with the number, and one with as many is read', async () => {
  const most = LIMITS.workbookRows;
  const sheet = await readSheet(workbook({ Start: rows(most) }));
  expect([sheet.rows.length, sheet.rows.at(-1)?.cells]).toEqual([most, [`Ada ${most - 1}`]]);
  await expect(readSheet(workbook({ Start: rows(most + 1) }))).rejects.toMatchObject({
    code: 'TOO_MANY_ROWS',
    message: expect.stringContaining(`more than ${most} rows. Save it as CSV`),
  });
});

it('rows without a value do not count, and no row behind them is left out', async () => {
  const csv = (lines: string[]) => new TextEncoder().encode(`Name;Born\n${lines.join('\n')}\n`);
  const count = LIMITS.rows / 2 + 10_000;
  const lines = Array.from({ length: count }, (_, i) => `Ada ${i};\n;`);
  const { rows: read } = await readSheet(csv(lines));
  expect([read.length, read.at(-1)]).toEqual([count, { line: 2 * count, cells: [`Ada ${count - 1}`, ''] }]);
  await expect(readSheet(csv([...lines, ...lines]))).rejects.toMatchObject({ code: 'TOO_MANY_ROWS' });
});

/** A workbook whose directory declares other sizes for its parts than they have. */
function lying(bytes: Uint8Array, declared: (size: number) => number): Uint8Array {
  const copy = Buffer.from(bytes);
  // The size of a part is at 24 of its entry in the directory, and at 22 of its own header.
  for (const [mark, at] of [
    ['PK\u0001\u0002', 24],
    ['PK\u0003\u0004', 22],
  ] as const)
    for (
      let start = copy.indexOf(mark, 0, 'latin1');
      start >= 0;
      start = copy.indexOf(mark, start + 4, 'latin1')
    )
      copy.writeUInt32LE(declared(copy.readUInt32LE(start + at)), start + at);
  return new Uint8Array(copy);
}

describe('a workbook that declares other sizes than its parts have', () => {
  it('is refused if a part would be cut off', async () => {
    const bytes = workbook({ Start: rows(1_000) });
    expect((await readSheet(bytes)).rows).toHaveLength(1_000);
    for (const declared of [(size: number) => size - 40, (size: number) => size + 40])
      await expect(readSheet(lying(bytes, declared))).rejects.toMatchObject({ code: 'FORMAT' });
  });

  it('is refused with the number while it is decompressed, if it expands to more than the limit', async () => {
    const { contentBytes } = LIMITS;
    LIMITS.contentBytes = 1_000_000;
    try {
      const bytes = lying(workbook({ Start: [['Name'], ['a'.repeat(1_200_000)]] }), () => 1_000);
      expect(bytes.length).toBeLessThan(10_000);
      await expect(readSheet(bytes)).rejects.toMatchObject({
        code: 'TOO_LARGE',
        message: expect.stringContaining('expands to more than 1 MB'),
      });
    } finally {
      LIMITS.contentBytes = contentBytes;
    }
  });
});
