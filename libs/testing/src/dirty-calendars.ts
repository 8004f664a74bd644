import { gzipSync } from 'node:zlib';
import { type WorkbookCell, workbook } from '#libs/sheets';
import { AMOUNTS, DATES, encoded, textOf } from './dirty-sheets';
import { seeded } from './seeded';

/** A row of the truth. Distances and places of 0, and times of midnight, are unknown. */
export interface CalendarTruth {
  event: string;
  race: string;
  city: string;
  country: string;
  date: string;
  time: string;
  distance: string;
  places: string;
  /** Added to the calendar: in minor units of euros, and an instant. */
  price: number;
  saleEnd: string;
  wave: string;
  waveStart: string;
}

const HEADERS: Record<string, string[]> = {
  event: ['event.title', 'Event', 'Veranstaltung', 'Manifestation', 'Evento'],
  race: ['race.title', 'Race', 'Rennen', 'Épreuve', 'Prueba'],
  city: ['occurrence.location.address.city', 'City', 'Ort', 'Ville', 'Ciudad'],
  country: ['occurrence.location.address.countryName', 'Country', 'Land', 'Pays', 'País'],
  date: ['Date', 'Datum', 'Renntag', 'Race date', 'Fecha'],
  time: ['Start time', 'Startzeit', 'Heure', 'Uhrzeit', 'Hora'],
  distance: ['Distance', 'Distanz', 'Strecke', 'Distancia'],
  unit: ['Unit', 'Einheit', 'Unité'],
  places: ['Capacity', 'Startplätze', 'Kapazität'],
  zone: ['Time zone', 'Zeitzone'],
  ticket: ['Ticket', 'Billet'],
  price: ['Price', 'Preis', 'Startgeld', 'Tarif', 'Precio'],
  currency: ['Currency', 'Währung', 'Devise'],
  saleEnd: ['Sale end', 'Verkaufsende', 'Meldeschluss'],
  wave: ['Wave', 'Welle', 'Startblock'],
  waveStart: ['Wave start', 'Startzeit Welle'],
};
const TARGETS: Record<string, string> = {
  ...{ event: 'event.title', race: 'race.title', date: 'race.startDate', time: 'race.startTime' },
  ...{ city: 'occurrence.location.address.city', country: 'occurrence.location.address.countryName' },
  ...{ distance: 'race.distance.value', unit: 'race.distance.unit', places: 'race.maxCapacity' },
  ...{ zone: 'occurrence.timeZone', ticket: 'ticket.title', price: 'ticket.price' },
  ...{ currency: 'ticket.price.currencyCode', saleEnd: 'ticket.saleEnd' },
  ...{ wave: 'wave.title', waveStart: 'wave.startTime' },
};
const MISSING: Record<string, string[]> = {
  ...{ city: ['NA'], country: ['NA'], time: ['00:00:00'], distance: ['0'], places: ['0'] },
};

/** Ways to write a time of the day. */
const TIMES: ((time: string) => string)[] = [
  (time) => time,
  (time) => time.slice(0, 5),
  (time) => `${Number(time.slice(0, 2))}.${time.slice(3, 5)} Uhr`,
  (time) => `${Number(time.slice(0, 2))}h${time.slice(3, 5)}`,
  (time) =>
    `${Number(time.slice(0, 2)) % 12 || 12}:${time.slice(3, 5)} ${Number(time.slice(0, 2)) < 12 ? 'am' : 'pm'}`,
];
/** Zones whose clocks never change, with their offset in hours. */
const ZONES = { 'Asia/Tokyo': 9, 'Africa/Lagos': 1, 'America/Phoenix': -7 };
const SPOILED: Record<string, string[]> = {
  date: ['31.02.2021', 'summer', '2021-13-01'],
  time: ['25:00', 'noon'],
  distance: ['about 50', '1.2.3'],
  price: ['on request', '10 %', '12,345,6'],
};

/** A race calendar as spreadsheets and people make it, of rows that are known. The same seed gives the same bytes. */
export function dirtyCalendar(seed: number, known: readonly Record<string, string>[]) {
  const random = seeded(seed);
  const { below, one, chance } = random;
  const encoding = one(['utf-8', 'utf-8 bom', 'utf-16le', 'utf-16be', 'windows-1252', 'xlsx', 'xlsx']);
  const isWorkbook = encoding === 'xlsx';
  const typed = isWorkbook && chance(0.6);
  const dateStyle = typed ? 'iso' : one(Object.keys(DATES));
  const amountStyle = one(Object.keys(AMOUNTS));
  const amount = AMOUNTS[amountStyle] as (typeof AMOUNTS)[string];
  const timeOf = one(TIMES);
  const delimiter = one([',', ';', ';', '\t', '|']);
  const [zone, hours] = one(Object.entries(ZONES));
  const unit = one(['column', 'cell', 'header']);
  const unitBeside = unit === 'cell';
  const hasCurrency = amountStyle !== 'german' || chance(0.5);
  const isNarrow = (row: object) =>
    Object.values(row).every((text) => [...String(text)].every((letter) => letter <= 'ÿ'));

  const names = Object.keys(HEADERS).filter(
    (name) => (name !== 'unit' || unit === 'column') && (name !== 'currency' || hasCurrency),
  );
  for (let i = names.length - 1; i > 0; i -= 1) {
    const j = below(i + 1);
    [names[i], names[j]] = [names[j] as string, names[i] as string];
  }
  const header = names.map((name) => {
    const given = one(HEADERS[name] as string[]);
    if (name === 'distance' && unit === 'header')
      return one([`${given} (km)`, `${given} [Kilometer]`, `${given} in km`]);
    if (name === 'price' && chance(0.3)) return `${given} (EUR)`;
    return name === 'date' && dateStyle === 'dmy' && chance(0.5) ? `${given} (TT/MM/JJJJ)` : given;
  });
  const isNoted = chance(0.5);
  const write = (iso: string) => (DATES[dateStyle] as (iso: string) => string)(iso);
  const truth: CalendarTruth[] = [];
  let spoiled = 0;
  const rows = known
    .filter((row) => encoding !== 'windows-1252' || isNarrow(row))
    .map((row): WorkbookCell[] => {
      const { event = '', race = '', city = '', country = '', date = '', distance = '' } = row;
      const { start_time: time = '', participants: places = '' } = row;
      const price = chance(0.4) ? 100 * (1 + below(3_000)) : 1 + below(300_000);
      const saleDay = `2018-${`${1 + below(12)}`.padStart(2, '0')}-${`${1 + below(28)}`.padStart(2, '0')}`;
      const saleTime = `${`${below(24)}`.padStart(2, '0')}:${one(['00', '15', '59'])}:00`;
      const waveTime = `${`${5 + below(15)}`.padStart(2, '0')}:${one(['00', '10', '45'])}:00`;
      const instant = (day: string, at: string) =>
        new Date(Date.parse(`${day}T${at}Z`) - hours * 3_600_000).toISOString().replace('.000Z', 'Z');
      truth.push({
        ...{ event, race, city, country, date, time, distance, places, price },
        ...{ saleEnd: instant(saleDay, saleTime), wave: 'A', waveStart: instant(date, waveTime) },
      });
      const decimals = amount.decimal === ',' && !typed ? distance.replace('.', ',') : distance;
      const cells: Record<string, WorkbookCell> = {
        event: chance(0.1) ? ` ${event} ` : event,
        ...{ race, city, country, zone, ticket: 'Standard', currency: 'EUR', wave: 'A' },
        unit: one(['km', 'KM', 'Kilometer']),
        date: typed ? { day: date } : write(date),
        time: timeOf(time),
        distance: typed ? Number(distance) : unitBeside ? `${decimals} km` : decimals,
        places: typed ? Number(places) : places,
        price: typed && hasCurrency ? price / 100 : amount.write(price),
        saleEnd: `${write(saleDay)} ${timeOf(saleTime)}`,
        waveStart: timeOf(waveTime),
      };
      if (typed && unitBeside) cells.distance = `${distance} km`;
      if (chance(0.01)) {
        const name = one(Object.keys(SPOILED));
        cells[name] = one(SPOILED[name] as string[]);
        spoiled += 1;
      }
      return [...names.map((name) => cells[name] as WorkbookCell), ...(isNoted ? [`=${race}`] : [])];
    });
  const table = [
    ...(chance(0.2) ? [['Rennkalender'], []] : []),
    [...header, ...(isNoted ? ['Bemerkung'] : [])],
    ...rows,
  ];
  const bytes = isWorkbook
    ? workbook({ Rennen: table })
    : encoded(textOf(table, delimiter, one(['\r\n', '\n']), random, chance(0.1)), encoding);
  const compressed = chance(0.2);
  const columns = Object.fromEntries(header.map((name, i) => [name, TARGETS[names[i] as string]]));
  const missing = Object.fromEntries(header.map((name, i) => [name, MISSING[names[i] as string] ?? []]));
  return {
    name: `${isWorkbook ? 'races.xlsx' : 'races.csv'}${compressed ? '.gz' : ''}`,
    bytes: compressed ? new Uint8Array(gzipSync(bytes)) : bytes,
    /** The mapping. */
    mapping: { columns, missing },
    order: dateStyle === 'mdy' ? 'mdy' : 'dmy',
    decimal: amount.decimal,
    /** Where the bytes can be read in several ways. */
    encoding: encoding === 'windows-1252' ? encoding : undefined,
    ...{ truth, spoiled },
    about: `seed ${seed}: ${encoding}, ${JSON.stringify(delimiter)}, dates ${dateStyle}, amounts ${amountStyle}${typed ? ', typed' : ''}`,
  };
}
