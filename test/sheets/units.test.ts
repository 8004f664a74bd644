import { planOf, readSheet, recognise } from '#libs/sheets';
import { kindOfImport } from '../../libs/client/src/browser';

const kind = kindOfImport('/v0/bookings/import');
const id = '01990f3e-0000-7000-8000-000000000001';

async function plan(header: string, rows: string[], values: Record<string, string> = {}) {
  const sheet = await readSheet(new TextEncoder().encode(`${[header, ...rows].join('\n')}\n`));
  const columns = recognise(sheet, kind);
  const all = { eventOccurrenceId: id, 'participants[0].ticketId': id, ...values };
  return { columns, ...planOf(sheet, kind, { columns, values: all }, { today: '2027-01-01' }) };
}

describe('what the name of a column says about its values', () => {
  const head = 'Order;First name;Surname;E-mail';
  const row = (n: number, ...more: string[]) => [`o-${n}`, 'Ada', 'L', 'ada@example.com', ...more].join(';');

  it('is the currency of its amounts, and the order of day and month of its dates', async () => {
    const { items, failed, questions } = await plan(`${head};Startgeld (EUR);Geburtsdatum (TT/MM/JJJJ)`, [
      row(1, '45,00', '03/04/1990'),
      row(2, '£45,00', '03/04/1990'),
    ]);
    expect(questions).toEqual([]);
    expect(items.map(({ body }) => (body.participants as object[])[0])).toEqual([
      expect.objectContaining({ price: { value: 4_500, currencyCode: 'EUR' }, dateOfBirth: '1990-04-03' }),
    ]);
    expect(failed.map(({ mistakes }) => mistakes[0]?.message)).toEqual([
      'Column "Startgeld (EUR)": "£" is not EUR, which is the currency of the row.',
    ]);
  });

  it('contradicts another currency, and is no amount if it is minor units or a percentage', async () => {
    const currency = { 'participants[0].price.currencyCode': 'GBP' };
    const { failed } = await plan(`${head};Betrag in €`, [row(1, '45,00')], currency);
    expect(failed.map(({ mistakes }) => mistakes[0]?.message)).toEqual([
      'Column "Betrag in €": "€" is not GBP, which is the currency of the row.',
    ]);
    for (const name of ['Preis (Cent)', 'Preis (%)', 'Price in pence']) {
      const { unused } = await plan(`${head};${name}`, [row(1, '4500')]);
      expect(unused).toEqual([name]);
    }
  });
});
