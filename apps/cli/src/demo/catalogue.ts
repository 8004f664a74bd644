import type { DataSource } from 'typeorm';
import { exportCatalogue, loadCatalogue } from '#domain/catalogue';
import { ReservedEntryGroup } from '#platform/database';

/** The day of loading for which the dates of the catalogue files are written: a Sunday. */
const FILE_DAY = '2027-01-03';
const DAY_MS = 86_400_000;

export const dayAfter = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);

/** A question of a booking form. */
export interface Question {
  key: string;
  type: string;
  options?: { value: string }[];
}

/** A ticket as `exportCatalogue` writes it, with what belongs to it. */
export interface SoldTicket {
  id: string;
  ticketSlug: string;
  price: { value: number; currencyCode: string };
  asksDonation?: boolean;
  eventOccurrenceId: string;
  /** The date of the event; absent if it is not known yet. */
  startDate?: string;
  countryCode: string;
  raceId: string;
  waves: string[];
  questions: Question[];
  addOns: { id: string; price: { value: number; currencyCode: string }; variants?: { id: string }[] }[];
}

/** The properties that the demo reads from records of a catalogue. */
interface CatalogueRecord {
  record: string;
  id: string;
  slug: string;
  name: string;
  type: string;
  key: string;
  title: string;
  event: string;
  startDate?: string;
  fields?: string[];
  options?: { value: string }[];
  addOns?: SoldTicket['addOns'];
  location: { address: { countryCode: string } };
  races: {
    id: string;
    waves?: { id: string }[];
    tickets: (Pick<SoldTicket, 'id' | 'ticketSlug' | 'price' | 'asksDonation'> & {
      bookingForms?: string[];
    })[];
  }[];
}

/** The ids of a loaded catalogue, by the slugs and names of its file. */
export interface LoadedCatalogue {
  occurrences: Map<string, string>;
  /** By `occurrence/ticket`. */
  tickets: Map<string, SoldTicket>;
  groups: Map<string, string>;
  partners: Map<string, string>;
  charities: string[];
}

/** Loads the records of a catalogue file, with dates that are relative to today. */
export async function loadDemoCatalogue(
  dataSource: DataSource,
  organizationId: string,
  records: object[],
  today: string,
): Promise<LoadedCatalogue> {
  const moved = records.map((record) => moveTo(today, record));
  const report = await loadCatalogue(dataSource, {
    organizationId,
    open: async function* () {
      yield* moved.map((value, at) => ({ row: at + 1, value }));
    },
  });
  const [problem] = report.problems;
  if (problem) throw new Error(`record ${problem.row}: ${problem.field} ${problem.message}`);

  const stored: CatalogueRecord[] = [];
  for await (const text of exportCatalogue(dataSource, { organizationId, ids: true }))
    stored.push(JSON.parse(text));
  const groups = await dataSource.manager.findBy(ReservedEntryGroup, { organizationId });
  const partners = stored.filter(({ record }) => record === 'partner');
  const loaded: LoadedCatalogue = {
    occurrences: new Map(),
    tickets: new Map(),
    groups: new Map(groups.map(({ code, id }) => [code, id])),
    partners: new Map(partners.map(({ name, id }) => [name, id])),
    charities: partners.filter(({ type }) => type === 'CHARITY').map(({ name }) => name),
  };
  for (const [at, { record, slug }] of moved.entries()) {
    const occurrence = stored.find(
      (each) => record === 'occurrence' && each.record === record && each.slug === slug,
    );
    const inFile = (records[at] as CatalogueRecord).slug;
    if (!occurrence) continue;
    loaded.occurrences.set(inFile, occurrence.id);
    for (const ticket of ticketsOf(occurrence, stored))
      loaded.tickets.set(`${inFile}/${ticket.ticketSlug}`, ticket);
  }
  return loaded;
}

/** Moves all dates by whole weeks, and the year at the end of a slug or title with the date of the event. */
function moveTo(today: string, record: object): CatalogueRecord {
  const weeks = Math.floor((Date.parse(today) - Date.parse(FILE_DAY)) / (7 * DAY_MS));
  const text = JSON.stringify(record);
  const moved = text.replace(/\d{4}-\d\d-\d\d/g, (date) => dayAfter(date, 7 * weeks));
  const [before, after] = [text, moved].map((each) => /"startDate":"(\d{4})/.exec(each)?.[1]);
  return JSON.parse(after ? moved.replace(new RegExp(`(?<=[ -])${before}(?=")`, 'g'), after) : moved);
}

function* ticketsOf(occurrence: CatalogueRecord, stored: CatalogueRecord[]): Generator<SoldTicket> {
  const { id: eventOccurrenceId, startDate, location, races, addOns = [] } = occurrence;
  const event = stored.find(({ record, slug }) => record === 'event' && slug === occurrence.event);
  for (const { id: raceId, waves = [], tickets } of races) {
    for (const { bookingForms = [], ...ticket } of tickets) {
      const keys = stored
        .filter(({ record, title }) => record === 'bookingForm' && bookingForms.includes(title))
        .flatMap(({ fields = [] }) => fields);
      yield {
        ...ticket,
        ...{ eventOccurrenceId, startDate, raceId, countryCode: location.address.countryCode },
        waves: waves.map(({ id }) => id),
        questions: stored.filter(({ record, key }) => record === 'bookingFormField' && keys.includes(key)),
        addOns: [...(event?.addOns ?? []), ...addOns],
      };
    }
  }
}
