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
