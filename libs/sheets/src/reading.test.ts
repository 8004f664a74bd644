import { strToU8, zipSync } from 'fflate';
import { format } from 'numfmt';
import { trimmed as trimmedByApi, UNSEEN } from '#platform/validation';
import { numberFormat } from './number-formats';
import { type FileMapping, planOf } from './plan';
import { readSheet } from './read-sheet';
import { openNotices, type Sheet, trimmed } from './sheet';

const utf8 = (text: string) => new TextEncoder().encode(text);
const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const refusal = (file: Uint8Array) =>
  readSheet(file).then(
    () => 'read',
    (error: Error) => error.message,
  );

/** A workbook of one sheet or more, of which the parts are given as XML. */
const book = (
  sheets: string[],
  { styles = '', about = '', states = [] as string[], texts = '' } = {},
): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries({
        'xl/workbook.xml': `<workbook xmlns:r="r">${about}<sheets>${sheets.map((_, i) => `<sheet name="S${i + 1}" ${states[i] ?? ''} r:id="rId${i + 1}"/>`).join('')}</sheets></workbook>`,
        'xl/_rels/workbook.xml.rels': `<Relationships>${sheets.map((_, i) => `<Relationship Id="rId${i + 1}" Type="x/worksheet" Target="worksheets/s${i + 1}.xml"/>`).join('')}<Relationship Id="a" Type="x/styles" Target="styles.xml"/><Relationship Id="b" Type="x/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
        'xl/styles.xml': `<styleSheet>${styles}</styleSheet>`,
        'xl/sharedStrings.xml': `<sst>${texts}</sst>`,
        ...Object.fromEntries(
          sheets.map((xml, i) => [`xl/worksheets/s${i + 1}.xml`, `<worksheet>${xml}</worksheet>`]),
        ),
      }).map(([name, xml]) => [name, strToU8(xml)]),
    ),
  );
/** The rows of a sheet: each cell as `attributes>content`, or a text. */
const rows = (...lines: string[][]) =>
  `<sheetData>${lines
    .map(
      (cells, y) =>
        `<row r="${y + 1}">${cells
          .map((cell, x) => {
            const place = `r="${'ABCDEFGH'[x]}${y + 1}"`;
            return cell.includes('>') ? `<c ${place} ${cell}</c>` : `<c ${place} t="str"><v>${cell}</v></c>`;
          })
          .join('')}</row>`,
    )
    .join('')}</sheetData>`;

describe('number formats', () => {
  it.each<[code: string, value: number, shown: string | number]>([
    ['00000', 1067, '01067'],
    ['00000-0000', 21340001, '02134-0001'],
    ['0000 0000000', 1701234567, '0170 1234567'],
    ['"M"000', 12, 'M012'],
    ['\\L-0000', 42, 'L-0042'],
    ['"+"0', 4917612345678, '+4917612345678'],
    ['[<=9999999]###-####;(###) ###-####', 5551234567, '(555) 123-4567'],
    ['[h]:mm:ss', 1.253576388888889, '30:05:09'],
    ['[hh]:mm:ss', 1.013888888888889, '24:20:00'],
    ['h:mm:ss', 0.07291666666666667, '01:45:00'],
    ['h:mm AM/PM', 0.5, '12:00:00'],
    ['0%', 0.5, '50 %'],
    ['0.0%', 0.1255, '12.6 %'],
    ['0.00', 8.4567, 8.46],
    ['0', 1042, 1042],
    ['#,##0.00', 1234.5, 1234.5],
    ['_-* #,##0.00_-', 1.005, 1.01],
    ['# ##0', 1234, 1234],
    ['#,##0.00 €', 45, '45.00 €'],
    ['#,##0.00\\ [$€-407]', 1045.5, '1045.50 €'],
    ['"EUR" 0.00', 45, '45.00 EUR'],
    ['yyyy-mm-dd', 31118, '1985-03-12'],
    ['dd/mm/yyyy hh:mm', 31118.5, '1985-03-12T12:00:00'],
    ['[$-407]d. mmmm yyyy', 31118, '1985-03-12'],
    ['yyyy-mm-dd', 31118.75, '1985-03-12'],
    ['yyyy', 31118, '1985'],
    ['[$-411]ge.m.d', 31118, '1985-03-12'],
    ['mmm-yy', 32964, 'Apr-90'],
    ['mm/yyyy', 32964, '04/1990'],
    ['yyyy-mm', 32964, '1990-04'],
    ['d-mmm', 46144, '2-May'],
    ['dd.mm.', 46144, '02.05.'],
    ['d.m. h:mm', 46144.5, '2.5. 12:00'],
    ['dddd', 46144, 'Saturday'],
    ['# ?/?', 0.5, '1/2'],
    ['0,', 1234567, '1235'],
  ])('%s shows %d as %s', (code, value, shown) => {
    expect(numberFormat(code, format)(value, false).cell).toBe(shown);
  });
});

describe('workbooks', () => {
  it('reads texts of every kind, with the formats of numbers, and names damage', async () => {
    const styles =
      '<numFmts><numFmt numFmtId="164" formatCode="&quot;M&quot;000"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="16"/></cellXfs>';
    const texts = '<si><r><t>Tō</t></r><r><t xml:space="preserve"> kyō</t></r><rPh><t>トウ</t></rPh></si>';
    const sheet = await readSheet(
      book(
        [
          rows(
            ['Id', 'Club', 'Bib', 'Group', 'Age'],
            [
              '><v>1234567890123456</v>',
              't="s"><v>0</v>',
              's="1"><v>12</v>',
              's="2"><v>46366</v>',
              '><v>30</v>',
            ],
            [
              '><v>1234567890123457</v>',
              't="inlineStr"><is><t>A &amp; B_x000D_</t></is>',
              '><v>7</v>',
              '13-15',
              't="b"><v>1</v>',
            ],
          ),
        ],
        { styles, texts },
      ),
    );
    expect(sheet.rows.map(({ cells }) => cells)).toEqual([
      ['1234567890123456', 'Tō kyō', 'M012', '10-Dec', 30],
      ['1234567890123457', 'A & B\r', 7, '13-15', 'TRUE'],
    ]);
    expect(sheet.notices).toMatchObject([
      { code: 'DAMAGED_NUMBERS', column: 'Id', count: 2, lines: [2, 3] },
      { code: 'DATES', column: 'Group', examples: [{ from: '10-Dec', to: '10-Dec' }] },
    ]);
  });

  it('breaks rows with a formula that has no value, or an error', async () => {
    const sheet = await readSheet(
      book([
        rows(
          ['Id', 'Club'],
          ['1', '><f>UPPER("x")</f><v/>'],
          ['2', 't="str"><f>""</f><v></v>'],
          ['3', 't="e"><f>1/0</f><v>#DIV/0!</v>'],
        ),
      ]),
    );
    expect(sheet.rows.map(({ broken }) => broken?.slice(0, 40))).toEqual([
      'A formula of the row has no value. Open ',
      undefined,
      'A formula of the row has an error instea',
    ]);
  });

  it('counts days from 1904 where the workbook does', async () => {
    const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>';
    const about = '<workbookPr date1904="1"/>';
    const sheet = await readSheet(
      book([rows(['DOB'], ['s="1"><v>29656</v>'], ['><v>29656</v>'])], { styles, about }),
    );
    expect([sheet.from1904, sheet.rows.map(({ cells }) => cells[0])]).toEqual([true, ['1985-03-12', 29656]]);
  });

  it('shows numbers in the formats of their cells, and not in those of conditions and tables', async () => {
    const numFmt = (id: number, code: string) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`;
    const cells = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs>';
    const others = `<dxfs><dxf>${numFmt(14, '0.00%')}</dxf><dxf>${numFmt(164, ';;;')}</dxf></dxfs>`;
    const styles = `<numFmts>${numFmt(164, '00000')}</numFmts>${cells}${others}`;
    const row = ['s="1"><v>32975</v>', 's="2"><v>1067</v>'];
    const sheet = await readSheet(book([rows(['DOB', 'Zip'], row)], { styles }));
    expect(sheet.rows[0]?.cells).toEqual(['1990-04-12', '01067']);
  });

  it('asks about what a spreadsheet changed where a text is meant, and reads days from 1904', async () => {
    const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="16"/></cellXfs>';
    const cells = rows(['Code', 'Day'], ['s="1"><v>46366</v>', '><v>29656</v>'], ['x', '><v>1975</v>']);
    const sheet = await readSheet(book([cells], { styles, about: '<workbookPr date1904="1"/>' }));
    const kind = {
      collection: 'codes',
      identity: [],
      fields: [
        { path: 'code', type: 'string' as const, required: true },
        { path: 'day', type: 'string' as const, format: 'date', required: false },
      ],
    };
    const plan = (given: Partial<FileMapping> = {}) =>
      planOf(sheet, kind, { columns: { Code: 'code', Day: 'day' }, ...given }, { today: '2030-01-01' });
    expect(plan().questions).toMatchObject([
      { kind: 'reading', open: 'dayNumber', column: 'Day' },
      { kind: 'outside', column: 'Code', values: ['11-Dec'] },
    ]);
    const answered = plan({ readings: { Day: { dayNumber: 'days' } }, accepted: true });
    expect([answered.questions, answered.items.map(({ body }) => body)]).toEqual([
      [],
      [{ code: '11-Dec', day: '1985-03-12' }],
    ]);
    expect(answered.failed.map(({ row }) => row.line)).toEqual([3]);
  });

  it.each([
    ['merged ranges over a million lines', () => `${`<mergeCell ref="A1:A1048576"/>`.repeat(1_000)}`, ''],
    ['texts without an end', () => '', '<si>'.repeat(1_000_000)],
    ['pronunciations without an end', () => '', `<si>${'<rPh>'.repeat(1_000_000)}`],
  ])('reads %s in linear time', async (_, merges, texts) => {
    const far = '<row r="1048576"><c r="A1048576" t="str"><v>x</v></c></row></sheetData>';
    const cells = rows(['A'], ['a']).replace('</sheetData>', far);
    const reading = readSheet(book([`${cells}<mergeCells>${merges()}</mergeCells>`], { texts }));
    if (merges()) await expect(reading).rejects.toThrow('too many merged cells');
    else expect((await reading).rows).toHaveLength(2);
  });

  it('keeps the places of empty texts', async () => {
    const texts = '<si/><si><t>b</t></si><si><r><t>c</t></r><rPh><t>x</t></rPh></si>';
    const shared = (at: number) => `t="s"><v>${at}</v>`;
    const sheet = await readSheet(book([rows(['A', 'B'], [shared(1), shared(2)])], { texts }));
    expect(sheet.rows[0]?.cells).toEqual(['b', 'c']);
  });

  it('gives all rows of merged cells their value, and a title none', async () => {
    const merges = ['A1:C1', 'A3:A5', 'B5:C5', 'A6:C6'].map((ref) => `<mergeCell ref="${ref}"/>`).join('');
    const group = [
      ['g1', 'Ann', 'TV'],
      ['', 'Bob', 'TV'],
      ['', 'Cy', ''],
    ];
    const cells = rows(['Title'], ['Order', 'Name', 'Club'], ...group, ['Women']);
    const sheet = await readSheet(book([`${cells}<mergeCells>${merges}</mergeCells>`]));
    expect(sheet.columns).toEqual(['Order', 'Name', 'Club']);
    const found = sheet.rows.map(({ cells: each, broken }) => broken?.slice(0, 27) ?? each.join('/'));
    expect(found).toEqual(['g1/Ann/TV', 'g1/Bob/TV', 'g1/Cy/Cy', 'The row is one merged cell,']);
    expect(sheet.notices).toMatchObject([
      { code: 'MERGED', column: 'Order', count: 2, lines: [4, 5] },
      { code: 'MERGED', column: 'Club', count: 1 },
    ]);
    const fields = [{ path: 'externalBookingId', type: 'string', required: true }];
    const kind = { collection: 'bookings', identity: [], fields };
    const { conversions } = planOf(
      sheet,
      kind,
      { columns: { Order: 'externalBookingId' } },
      { today: '2027-01-01' },
    );
    expect(conversions).toMatchObject([
      { conversion: 'trim', changed: 0 },
      { column: 'Order', conversion: 'merged', changed: 2, changes: [{ from: '', to: 'g1' }] },
    ]);
  });

  it('asks once about hidden rows and columns, and reads or skips them', async () => {
    const cells = rows(['Id', 'Club'], ['1', 'TV'], ['2', 'LC']).replace(
      '<row r="3"',
      '<row r="3" hidden="1"',
    );
    const file = book([`<cols><col min="2" max="2" hidden="1"/></cols>${cells}`]);
    const shown = async (hidden?: 'read' | 'skip') => {
      const sheet = await readSheet(file, { hidden });
      return [sheet.columns.join(), sheet.rows.length, openNotices(sheet).map(({ option }) => option)];
    };
    expect(await shown()).toEqual(['Id,Club', 2, ['hidden']]);
    expect(await shown('read')).toEqual(['Id,Club', 2, []]);
    expect(await shown('skip')).toEqual(['Id', 1, []]);
  });

  it('reads the sheet in front, and asks about the others that have cells', async () => {
    const about = '<bookViews><workbookView activeTab="1"/></bookViews>';
    const three = [rows(['Id'], ['1']), rows(['Id'], ['2']), '<sheetData/>'];
    const file = book(three, { about, states: ['state="hidden"'] });
    const sheet = await readSheet(file);
    expect([sheet.sheet, sheet.rows[0]?.cells[0], openNotices(sheet)]).toMatchObject([
      'S2',
      '2',
      [{ option: 'sheet', message: expect.stringContaining('other sheets: "S1" (hidden).') }],
    ]);
    for (const [wanted, first] of [
      ['S1', '1'],
      ['2', '2'],
    ] as const) {
      const chosen = await readSheet(file, { sheet: wanted });
      expect([chosen.rows[0]?.cells[0], openNotices(chosen)]).toEqual([first, []]);
    }
    expect(openNotices(await readSheet(book([three[0] as string, '<sheetData/>'])))).toEqual([]);
  });
});

/** Words of the field in bytes of an encoding, and the encodings that are plausible. */
const ENCODED: [words: string, encoded: string, encodings: string[]][] = [
  ['Müller,Größe,Köln', 'M\xfcller,Gr\xf6\xdfe,K\xf6ln', ['windows-1252']],
  ['Hélène,François,Benoît', 'H\xe9l\xe8ne,Fran\xe7ois,Beno\xeet', ['windows-1252']],
  ['Muñoz,García,Nº', 'Mu\xf1oz,Garc\xeda,N\xba', ['windows-1252']],
  ['O’Neil,45 €,½ Marathon', 'O\x92Neil,45 \x80,\xbd Marathon', ['windows-1252']],
  ['Łukasz,Wójcik,Świdnica', '\xa3ukasz,W\xf3jcik,\x8cwidnica', ['windows-1250']],
  ['Müller,Kovačič,Kovač', 'M\xfcller,Kova\xe8i\xe8,Kova\xe8', ['windows-1250']],
  ['Łukasz,Wąs,Gdańsk', '\xa3ukasz,W\xb1s,Gda\xf1sk', ['iso-8859-2']],
  ['Renée,Lœw,Œuilly', 'Ren\xe9e,L\xbdw,\xbcuilly', ['iso-8859-15']],
  [
    'Γιώργος,Παππάς,Αθήνα',
    '\xc3\xe9\xfe\xf1\xe3\xef\xf2,\xd0\xe1\xf0\xf0\xdc\xf2,\xc1\xe8\xde\xed\xe1',
    ['windows-1253'],
  ],
  ['Jürgen,Größer,Köln', 'J\x81rgen,Gr\x94\xe1er,K\x94ln', ['ibm437']],
  ['Müller,Größe,Zürich', 'M\x9fller,Gr\x9a\xa7e,Z\x9frich', ['macintosh']],
  ['Jānis,Bērziņš', 'J\xe2nis,B\xe7rzi\xf2\xf0', ['windows-1257']],
  // What is asked: one of these is right.
  ['Hélène', 'H\xe9l\xe8ne', ['windows-1252', 'windows-1250']],
  ['Yıldız,Şahin,İğdır', 'Y\xfdld\xfdz,\xdeahin,\xdd\xf0d\xfdr', ['windows-1252', 'windows-1254']],
  ['Köln', 'K\x94ln', ['macintosh', 'ibm437']],
  ['太郎,山田,東京', '\x91\xbe\x98Y,\x8eR\x93c,\x93\x8c\x8b\x9e', ['shift_jis', 'gb18030']],
];

describe('encodings', () => {
  it.each(ENCODED)('%s', async (words, encoded, encodings) => {
    const file = bytes(encoded.split(',').reduce((text, word, at) => `${text}${at},${word}\n`, 'Id,Name\n'));
    const { encoding, rows: read, notices } = await readSheet(file);
    const named = notices[0]?.readings?.map(({ value }) => value) ?? [encoding];
    expect(named.sort()).toEqual(expect.arrayContaining([...encodings].sort()));
    if (encodings.length === 1) expect(named).toEqual(encodings);
    const right = await Promise.all(encodings.map((each) => readSheet(file, { encoding: each as never })));
    expect(
      [read, ...right.map((sheet) => sheet.rows)].map((each) => each.map(({ cells }) => cells[1]).join()),
    ).toContain(words);
    for (const sheet of right) expect(openNotices(sheet)).toEqual([]);
  });

  it('reads every letter of UTF-8 and UTF-16 without asking', async () => {
    const text = 'Id,Name\n1,Łódź Größe 東京 Иван أحمد\n';
    const wide = (order: boolean) =>
      bytes(
        [...text]
          .flatMap((letter) => [letter.charCodeAt(0) % 256, letter.charCodeAt(0) >> 8])
          .map((_, at, all) => String.fromCharCode(all[order ? at : at ^ 1] as number))
          .join(''),
      );
    for (const file of [utf8(text), utf8(`\uFEFF${text}`), wide(true), wide(false)]) {
      const sheet = await readSheet(file);
      expect([sheet.rows[0]?.cells[1], sheet.notices]).toEqual(['Łódź Größe 東京 Иван أحمد', []]);
    }
  });

  it.each([
    ['JÃ¼rgen', 'Nâ€™Golo'],
    ['J√ºrgen', 'N‚ÄôGolo'],
    ['J├╝rgen', 'NÔÇÖGolo'],
    ['J├╝rgen', 'NΓÇÖGolo'],
  ])('asks whether UTF-8 was decoded twice: %s, %s', async (first, last) => {
    const file = utf8(`Id,Name\n1,${first}\n2,O’Neil–Évry\n3,${last}\n`);
    const [notice] = openNotices(await readSheet(file));
    expect(notice?.choices.map(({ words }) => words)).toEqual([
      'utf-8-twice: Jürgen, N’Golo',
      `utf-8: ${first}, ${last}`,
    ]);
    const names = async (encoding: 'utf-8' | 'utf-8-twice') =>
      (await readSheet(file, { encoding })).rows.map(({ cells }) => cells[1]).join();
    expect(await names('utf-8-twice')).toBe('Jürgen,O’Neil–Évry,N’Golo');
    expect(await names('utf-8')).toBe(`${first},O’Neil–Évry,${last}`);
  });

  it.each([
    ['Id,Name\n1,M\xfcller\n2,J\xc3\xbcrgen\n', 'One part of the file is UTF-8'],
    ['Id,Name\n1,\xa4\xb6\xa7x\x81\x8d\x8f\n', 'The encoding is not known'],
  ])('refuses %j', async (text, message) => {
    expect(await refusal(bytes(text))).toContain(message);
  });

  it('refuses an encoding that the bytes are not in', async () => {
    await expect(readSheet(bytes('Id\nM\xfcller\n'), { encoding: 'utf-8' })).rejects.toThrow('not UTF-8');
    await expect(readSheet(bytes('\xff\xfe\0\0I\0\0\0d\0\0\0'))).rejects.toThrow('not UTF-16LE');
    await expect(readSheet(bytes('Id\nM\x81ller\n'), { encoding: 'windows-1252' })).rejects.toThrow(
      'not WINDOWS-1252',
    );
    // Its letters would be others: `JĂĽrgen`.
    const marked = utf8('\uFEFFId,Name\n1,Jürgen\n');
    await expect(readSheet(marked, { encoding: 'windows-1250' })).rejects.toThrow('not WINDOWS-1250');
    expect((await readSheet(marked, { encoding: 'utf-8' })).columns).toEqual(['Id', 'Name']);
  });
});

describe('rows and headers', () => {
  it.each([
    ['Id;Ok;Club\n1;A;"Die Hasen\n2;B;LC\n3;C;Füchse"\n', Array(3).fill('(lines 3 to 4)')],
    ['Id,Name,Club\n1,A,"Adler\n2,B,Falke"\n3,C,LC\n', ['(line 3)', '(line 3)', '']],
    ['Id,Name,Note\n1,A,"two\nlines, one comma"\n', ['']],
    ['Club,Id,Name\n"TV\nUlm",1,A\n', ['']],
    ['Id,Name,Club\n1,"A,TV\n2,B",TV\n', ['(line 3)', '(line 3)']],
  ])('%j', async (text, expected) => {
    const sheet = await readSheet(utf8(text));
    expect(sheet.rows.map(({ broken = '' }) => /\(.*\)/.exec(broken)?.[0] ?? broken)).toEqual(expected);
  });

  it.each([
    ['Id;Name;Club;Bib\n1;A;X;"9\n2;B;Y;8\n3;C;Z;7\n4;D;X;6\n5";E;Y;5\n', 'Line 2', '(lines 3 to 6)'],
    ['Id,"Name,Club\n1,A,TV\n2,B,LC"\n', 'Line 1', '(lines 2 to 3)'],
    ['"Club,Name\nTV,Ann"\nLC,Bob\nTV,Cy\n', 'Line 1', '(line 2)'],
    ['Name,"Date\nof birth",Club\nA,2001-02-03,TV\n', '', ''],
    ['"Spring Run\nUlm, Germany, 2027"\nId,Name,Club\n1,A,TV\n2,B,LC\n', '', ''],
    ['Id,"Distance?\n10 km, 21 km",Club\n1,10 km,TV\n', '', ''],
  ])('refuses a header that has whole rows in a value: %j', async (text, line, lines) => {
    const found = await refusal(utf8(text));
    expect([found.split(' can')[0], /\(.*\)/.exec(found)?.[0] ?? '']).toEqual([line || 'read', lines]);
  });

  it('takes the line with known names below groups of columns, and shows that a total is no entry', async () => {
    const sheet = await readSheet(
      utf8(
        'Participant,,,Contact,Address\nId,First,Last,Email,Club\n1,Ann,Lee,a@ex.org,TV\nTotal,1,Person,,\n',
      ),
    );
    expect([sheet.header, sheet.columns, sheet.rows.map(({ broken }) => broken?.slice(0, 31))]).toEqual([
      2,
      ['Id', 'First', 'Last', 'Email', 'Club'],
      [undefined, 'The row looks like a total. Del'],
    ]);
  });

  it('takes years beside known names for names of columns', async () => {
    const { columns } = await readSheet(utf8('First,Last,Gender,2019,2021,2022\nAnn,Lee,F,,DNS,\n'));
    expect(columns.slice(2)).toEqual(['Gender', '2019', '2021', '2022']);
    await expect(readSheet(utf8('Ann,Lee,F,2019,2021,2022\nBob,Po,M,,,\n'))).rejects.toThrow('values');
  });

  it('names numbers that lost digits in a text', async () => {
    const { notices } = await readSheet(utf8('Id;Licence;Bib\n1;4,91761E+12;1E5\n2;1.23457E+15;12\n'));
    expect(notices).toMatchObject([
      { code: 'DAMAGED_NUMBERS', column: 'Licence', count: 2 },
      { code: 'DAMAGED_NUMBERS', column: 'Bib', lines: [2] },
    ]);
  });

  it('asks about numbers that a spreadsheet shortened in a file of failed rows', async () => {
    const sheet = await readSheet(utf8('#startline,importRow,Order,Note\n,2,4.56789E+12,1E5\n'));
    expect(sheet.notices).toMatchObject([{ code: 'DAMAGED_NUMBERS', column: 'Order', count: 1 }]);
    expect(bookingsOf(sheet).questions).toMatchObject([
      { kind: 'outside', column: 'Order', values: ['4.56789E+12'] },
    ]);
  });

  it('takes off invisible characters at the ends of texts, and of names of columns', async () => {
    expect(trimmed('\u200B\u00A0\u202BAda\u200D Lovelace\uFEFF\u200E ')).toBe('Ada\u200D Lovelace');
    for (const each of [...UNSEEN, 'a', '\u0300', '\u200a', '\u{1F3C3}', '\uD83C', '\u{E0080}']) {
      const text = `${each}${each}a${each}b${each}${each}`;
      expect(trimmed(text)).toBe(trimmedByApi(text));
    }
    const { columns } = await readSheet(utf8('\u200BId\u00A0,Name\n1,Ada\n'));
    expect(columns).toEqual(['Id', 'Name']);
  });
});

describe('files that are no tables', () => {
  const zip = (name: string, content = '') => zipSync({ [name]: strToU8(content) }, { level: 0 });
  it.each<[format: string, file: Uint8Array]>([
    [
      'a workbook with a password',
      bytes(`\xd0\xcf\x11\xe0${'\0'.repeat(600)}E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0`),
    ],
    ['an old workbook (.xls)', bytes(`\xd0\xcf\x11\xe0${'\0'.repeat(600)}`)],
    ['an OpenDocument file (.ods)', zip('mimetype', 'application/vnd.oasis.opendocument.spreadsheet')],
    ['a binary workbook (.xlsb)', zip('xl/workbook.bin')],
    ['a document of Numbers', zip('Index/Document.iwa')],
    ['an archive', zip('list.csv', 'Id\n1\n')],
    ['a PDF', bytes('%PDF-1.7\n%\xe2\xe3')],
    ['XML', utf8('<?xml version="1.0"?>\n<entries><entry id="1"/></entries>')],
    ['XML', utf8('\uFEFF<LENEX version="3.0">\n</LENEX>')],
    ['a web page (HTML)', utf8('<!DOCTYPE html><table><tr><td>1</td></tr></table>')],
    ['Hy-Tek entries (.hy3)', utf8(`A102Meet Entries${' '.repeat(110)}03\r\nB1Cup\r\n`)],
    ['swimming entries (SDIF)', utf8(`A01V3      02Meet Entries${' '.repeat(110)}\r\nB11\r\n`)],
    ['JSON', utf8('[{"firstName":"Ada"}]')],
    [
      'a list with columns of a fixed width',
      utf8('Bib  Name        Club\n1    Ada Lee     TV Ulm\n12   Bob Po      LC Bonn\n'),
    ],
  ])('names %s, and what to do', async (format, file) => {
    const message = await refusal(file);
    expect(message).toContain(`The file is ${format}`);
    expect(message).toMatch(/\. (Save|Export|Ask|Open|Unpack) /);
  });

  it('reads a list of one column', async () => {
    expect((await readSheet(utf8('Code\nEARLY 10\nLATE\n'))).rows).toHaveLength(2);
  });

  it.each([
    ['a text that the workbook does not have', [['t="s"><v>7</v>']]],
    ['a comment within a value', [['Ada<!-- <row r="9"/> -->']]],
  ])('refuses a workbook with %s', async (_, cells) => {
    expect(await refusal(book([rows(['Name'], ...cells)]))).toContain('damaged');
  });
});

it('asks each row for what it lacks, whatever the names of its columns', async () => {
  const fields = [{ path: 'externalBookingId', type: 'string', required: true }];
  const sheet = await readSheet(utf8('x,Id,both,other\na,1,,z\n,,b,z\n'));
  const columns = {
    ...{ x: 'metadata.x', Id: 'externalBookingId' },
    ...{ both: 'metadata.x,externalBookingId', other: 'metadata.other' },
  };
  const { items, failed } = planOf(
    sheet,
    { collection: 'bookings', identity: [], fields },
    { columns },
    { today: '2026-11-23' },
  );
  expect(items).toHaveLength(1);
  expect(failed.map(({ mistakes }) => mistakes)).toMatchObject([[{ code: 'REQUIRED', column: 'Id' }]]);
});

const bookingsOf = (sheet: Sheet, readings?: FileMapping['readings']) => {
  const currency = 'participants[0].price.currencyCode';
  const paths = [
    'participants[0].firstName',
    'externalBookingId',
    'participants[0].price',
    'participants[0].price',
    'participants[0].email',
    'booker.email',
    'booker.firstName',
    'metadata.note',
  ];
  const fields = [...paths, currency].map((path) => ({
    ...{ path, type: path.endsWith('price') ? 'amount' : 'string', required: false },
  }));
  const names = ['First', 'Order', 'Price', 'Paid', 'Email', 'Buyer email', 'Buyer', 'Note'];
  const columns = Object.fromEntries(names.map((name, at) => [name, paths[at] as string]));
  const mapping = { columns, values: { [currency]: 'EUR' }, readings };
  return planOf(sheet, { collection: 'bookings', identity: [], fields }, mapping, { today: '2026-11-23' });
};

it('asks whether an amount that is one cell of a booking is that of each row', async () => {
  const cells = rows(
    ['Order', 'First', 'Price'],
    ['O-7', 'Ada', '60.00'],
    ['O-7', 'Bob', ''],
    ['O-8', 'Cy', '60.00'],
    ['O-9', 'Di', '25.00'],
    ['O-9', 'Ed', '35.00'],
  );
  const plan = async (merges: string, readings?: FileMapping['readings']) =>
    bookingsOf(await readSheet(book([cells + merges])), readings);
  const questions = async (merges: string) =>
    (await plan(merges)).questions.filter(({ kind }) => kind === 'reading');
  const merged = '<mergeCells><mergeCell ref="C2:C3"/></mergeCells>';
  expect(await questions('')).toEqual([]);
  expect(await questions(merged)).toMatchObject([{ open: 'amountOf', column: 'Price', examples: ['60.00'] }]);
  const { items } = await plan(merged, { Price: { amountOf: 'once' } });
  const paid = items.map(({ body }) =>
    (body.participants as { price: { value: number } }[]).map(({ price }) => price.value),
  );
  expect(paid).toEqual([[6000, 0], [6000], [2500, 3500]]);
});

it('puts no booker together from two people', async () => {
  const plan = async (line: string) =>
    bookingsOf(await readSheet(utf8(`Order,First,Email,Buyer email,Buyer\n${line}\n`)));
  const bookerOf = async (line: string) => (await plan(line)).items[0]?.body.booker;
  expect(await bookerOf('O-7,Ada,ada@x.de,,')).toMatchObject({ email: 'ada@x.de', firstName: 'Ada' });
  expect(await bookerOf('O-7,Ada,ada@x.de,,ADA')).toMatchObject({ email: 'ada@x.de', firstName: 'ADA' });
  expect(await bookerOf('O-7,Ada,,ada@x.de,')).toMatchObject({ email: 'ada@x.de', firstName: 'Ada' });
  expect(await bookerOf('O-7,Ada,ada@x.de,mum@x.de,')).toEqual({ email: 'mum@x.de' });
  const { items, failed } = await plan('O-7,Ada,ada@x.de,,Mary');
  expect([items, failed]).toMatchObject([[], [{ mistakes: [{ code: 'REQUIRED', path: 'booker.email' }] }]]);
});

describe('a row that cannot be read', () => {
  const plan = async (...lines: string[]) =>
    bookingsOf(await readSheet(utf8(['First,Order,Paid,Note', ...lines].join('\n'))));

  it.each([
    ['after its number', 'Bob,O-7,45.00,vegan, no nuts'],
    ['before its number', 'Bob, jun.,O-7,45.00,vegan'],
    ['with a value too few', 'Bob O-7,45.00,vegan', 'Bob O-7'],
    ['with a lost character', 'B\uFFFDb,O-7,45.00,vegan'],
  ])('fails its whole booking: %s', async (_, broken, number = 'O-7') => {
    const row = `Ada,${number},45.00,vegan`;
    for (const rows of [
      [row, broken],
      [broken, row],
    ]) {
      const { items, failed, unread, duplicates } = await plan(...rows, 'Cy,O-8,45.00,');
      const codes = failed.map(({ mistakes }) => mistakes[0]?.code).sort();
      expect([items.length, unread.length, duplicates.length, codes]).toEqual([
        ...[1, 1, 0],
        ['SAME_BOOKING', 'UNREADABLE'],
      ]);
    }
  });

  it('is no row that another one equals, and decides nothing', async () => {
    const { duplicates, readings } = await plan(
      'Bob,O-7,45.00,vegan, no nuts',
      'Bob,O-7,45.00,vegan',
      'Ada,O-7,45.00,vegan',
      'Cy,O-8,45.00,vegan,7',
      'Di,O-8,50.00,vegan',
    );
    expect([duplicates, readings.map(({ open }) => open)]).toEqual([[], ['amountOf']]);
  });
});
