import { Cursors } from './cursor';

const ID = '0190a0a0-0000-7000-8000-000000000000';
const AT = '2026-05-05T00:00:00.000000Z';
const LIST = '["participants","an organization"]';
const CURSOR = { key: AT, id: ID, total: { count: 12, at: 1_800_000_000 }, watermark: AT };

const cursors = new Cursors([{ secret: 'new' }, { secret: 'old' }]);
const read = (text: string, of = cursors, list = LIST) => of.decode(list, 'timestamptz', text);

describe('cursor', () => {
  it('decodes to what was encoded', () => {
    for (const cursor of [CURSOR, { key: AT, id: ID }])
      expect(read(cursors.encode(LIST, 'timestamptz', cursor))).toEqual(cursor);
  });

  it('keeps any text', () => {
    for (const key of ['', 'muller|zoë 1', 'Ж\u{10FFFF}', 'x'.repeat(60)])
      expect(cursors.decode(LIST, 'text', cursors.encode(LIST, 'text', { key, id: ID }))).toEqual({
        key,
        id: ID,
      });
  });

  it('needs no escaping in a URL', () => {
    for (let count = 0; count < 500; count++)
      expect(cursors.encode(LIST, 'timestamptz', { ...CURSOR, total: { count, at: count } })).toMatch(
        /^[A-Za-z0-9]+$/,
      );
  });

  it('is invalid if any byte is changed, for another list, or signed with another secret', () => {
    const text = cursors.encode(LIST, 'timestamptz', CURSOR);
    const bytes = Buffer.from(text, 'base64');
    for (let i = 0; i < bytes.length; i++) {
      const changed = Buffer.from(bytes);
      changed[i] = (changed[i] as number) ^ 1;
      expect(read(changed.toString('base64'))).toBeUndefined();
    }
    expect(read(text, cursors, '["participants","another organization"]')).toBeUndefined();
    expect(read(new Cursors([{ secret: 'other' }]).encode(LIST, 'timestamptz', CURSOR))).toBeUndefined();
  });

  it('is valid if an earlier secret signed it', () => {
    expect(read(new Cursors([{ secret: 'old' }]).encode(LIST, 'timestamptz', CURSOR))).toEqual(CURSOR);
  });
});
