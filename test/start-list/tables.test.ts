import { existsSync, readFileSync } from 'node:fs';
import { bookingForm, bookingFormField } from '#libs/testing';
import { type CommandLine, commandLine } from '../cli/startline';
import { sharedApi, type TestApi } from '../harness';
import { startLists } from './fixture';

let api: TestApi;
let cli: CommandLine;
beforeAll(async () => {
  api = await sharedApi();
  cli = await commandLine(api.databaseUrl);
});
afterAll(async () => {
  await cli.close();
  await api.close();
});

const counts = (given: object) => ({ created: 0, updated: 0, unchanged: 0, failed: 0, ...given });

describe('start-list load of a table', () => {
  it('recognises columns and records by name, and reports what reading changes', async () => {
    const lists = await startLists(api, cli);
    const { organizationId, eventOccurrenceId, instant } = lists;
    const shirt = await bookingFormField(api.dataSource, {
      ...{ organizationId, key: 'shirt', label: 'Shirt size', type: 'SELECT' },
      options: [{ value: 'M', label: 'Medium' }],
    });
    await bookingForm(api.dataSource, { organizationId, fieldIds: [shirt.id], ticketIds: [instant.id] });
    const csv = [
      'Bestellnummer;Event;Ticket;Vorname;Nachname;E-Mail;Geburtsdatum;Shirt size;Preis;Datum der Auslosung',
      `a-1;${eventOccurrenceId};${instant.title};Jürgen;Größe;j@example.com;3.4.1990;medium;12,00 €;x`,
      `a-2;${eventOccurrenceId};${instant.title};Ada;Lovelace;a@example.com;13.4.1990;;12,00 €;`,
    ].join('\n');
    await api.dataSource.query(`UPDATE tickets SET currency_code = 'EUR' WHERE id = $1`, [instant.id]);
    const loaded = await lists.loadFile('liste.csv', csv);
    expect([loaded.code, loaded.answer.problems]).toEqual([0, []]);
    expect(loaded.answer).toMatchObject(counts({ rows: 2, created: 2, failedFile: null }));
    const changes = Object.fromEntries(
      loaded.answer.conversions.map(({ column, conversion, changed }: any) => [
        column,
        [conversion, changed],
      ]),
    );
    expect(changes).toMatchObject({
      Geburtsdatum: ['date', 2],
      Ticket: ['record', 2],
      Preis: ['amount ,', 2],
      'Shirt size': ['option', 1],
    });
    const { participants } = await lists.read('a-1');
    expect(participants).toMatchObject([
      {
        fields: expect.arrayContaining([
          expect.objectContaining({ key: 'shirt', id: shirt.id, value: 'M' }),
          expect.objectContaining({ key: 'lastName', value: 'Größe' }),
          expect.objectContaining({ key: 'dateOfBirth', value: '1990-04-03' }),
        ]),
      },
    ]);
  });

  it('asks what is open, and takes the answers as options', async () => {
    const lists = await startLists(api, cli);
    const csv = [
      'externalBookingId,eventOccurrenceId,participant.ticketId,First name,Last name,Email,Date of birth',
      `a,${lists.eventOccurrenceId},${lists.instant.id},Ada,Lovelace,a@example.com,03/04/1910`,
    ].join('\n');
    const load = (...words: string[]) => lists.loadFile('open.csv', csv, ...words);
    const reading = ['--reading', 'Date of birth=dmy'];
    expect((await load()).answer.message).toContain('--reading "Date of birth=dmy"');
    expect((await load(...reading)).answer.message).toContain('--accept-outside');
    const { answer } = await load(...reading, '--accept-outside');
    expect(answer.problems).toEqual([]);
    expect(answer).toMatchObject(counts({ created: 1 }));
    const { participants } = await lists.read('a');
    expect(JSON.stringify(participants)).toContain('1910-04-03');
    const lines = await lists.load([lists.row('b')], '--decimal', ',');
    expect(lines.answer.error).toBe('INVALID_COMMAND');
  });

  it('writes failed rows to a file, which loads when it is corrected', async () => {
    const lists = await startLists(api, cli);
    const row = (id: string, bib: string, birth = '1990-04-12') =>
      `${id},${lists.eventOccurrenceId},${lists.instant.id},Ada,Lovelace,${id}@example.com,${birth},${bib}`;
    const file = cli.file(
      'failing.csv',
      [
        'Order,Event,Ticket,First name,Last name,Email,Date of birth,Bib',
        ...[row('a', '1'), row('b', '1'), row('c', '2', '1990-02-31'), row('d', '3')],
      ].join('\n'),
    );
    const words = ['start-list', 'load', file, '--organization', lists.slug];
    const dryRun = await cli.run(...words, '--dry-run');
    expect(dryRun.answer.failedFile).toMatch(/failing\.dry-run\.failed-rows\.csv$/);
    const { code, answer } = await cli.run(...words);
    expect([code, answer]).toMatchObject([1, counts({ rows: 4, created: 2, failed: 2 })]);
    expect(answer.problems).toMatchObject([
      {
        line: 4,
        externalBookingId: 'c',
        message: expect.stringMatching(/^Column "Date of birth": "1990-02-31"/),
      },
      { line: 3, externalBookingId: 'b', code: 'BIB_NUMBER_TAKEN' },
    ]);
    const failed = readFileSync(answer.failedFile, 'utf8');
    expect(failed).toContain('BIB_NUMBER_TAKEN');
    const corrected = failed
      .replaceAll('1990-02-31', '1990-02-28')
      .replace('@example.com,1990-04-12,1', '@example.com,1990-04-12,4');
    const again = await cli.run(
      'start-list',
      'load',
      cli.file('corrected.csv', corrected),
      ...words.slice(3),
    );
    expect(again.answer.problems).toEqual([]);
    expect(again.answer).toMatchObject(counts({ rows: 2, created: 2, failedFile: null }));
    expect(existsSync(cli.file('corrected.failed-rows.csv', ''))).toBe(true);
  });

  it('changes nothing with an export of participants', async () => {
    const lists = await startLists(api, cli);
    const { organizationId } = lists;
    const asked = await bookingFormField(api.dataSource, {
      organizationId,
      key: 'club:name',
      label: '=Club',
    });
    const number = await bookingFormField(api.dataSource, { organizationId, key: 'laps', type: 'NUMBER' });
    const ids = { fieldIds: [asked.id, number.id], ticketIds: [lists.instant.id] };
    await bookingForm(api.dataSource, { organizationId, ...ids });
    const { answer: first } = await lists.load([
      lists.row('=order-1', {
        createdAt: '2026-01-02T03:04:05.678901Z',
        booker: { email: 'b@example.com', firstName: 'Max', lastName: 'Booker', phone: '+49 151 1' },
        participants: [
          lists.participant({
            ...{ firstName: ' =Ada', bibNumber: '007', tags: ['club', 'first'], team: { name: 'Engines' } },
            ...{ waveId: lists.waveId, price: { value: 1_250, currencyCode: 'GBP' }, gender: 'FEMALE' },
            fields: [
              { id: asked.id, value: '+1; 2' },
              { id: number.id, value: 4.5 },
            ],
          }),
          lists.participant({ firstName: 'Grace', lastName: 'Hopper', externalParticipantId: 'g-1' }),
        ],
      }),
      lists.row('order-2'),
    ]);
    expect(first.problems).toEqual([]);
    const before = await lists.state();
    expect(before).toHaveLength(3);
    const { text } = await api.get('/v0/participants/export?format=csv', lists.token);
    const { code, answer } = await lists.loadFile('export.csv', text);
    expect(answer.problems).toEqual([]);
    expect([code, answer]).toMatchObject([0, counts({ rows: 2, unchanged: 2 })]);
    expect(await lists.state()).toEqual(before);
  });
});
