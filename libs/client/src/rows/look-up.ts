import type { Candidate, FormField, Lookups } from '../../../sheets/src';
import { StartlineError } from '../error';
import type { Item, ListPath } from '../lists';
import type { AnyInit } from '../operations';

/** Occurrences of one file whose records are read. */
const MOST_OCCURRENCES = 50;
/** Records of one kind that texts are compared with; of more, nothing is known. */
const MOST = 5_000;

/** What texts of a file can name. */
export interface Wanted {
  /** Properties such as `ticketId`, from `namesIn`. */
  names: readonly string[];
  /** The occurrences that rows are for. */
  occurrences: readonly string[];
  /** The caller is a member of staff, for whom occurrences without a date are listed, too. */
  isStaff?: boolean;
}

/** Reads with a client, of whatever kind. */
export type Ask = <Body>(path: string, init: AnyInit) => Promise<Body>;

export const asking = ({ get }: { get: unknown }): Ask => get as Ask;

/** Operations of the console. */
const STAFF_OCCURRENCES = '/console/v1/event-occurrences';
const CODES = '/console/v1/event-occurrences/{id}/discount-codes';

type Read = (ask: Ask, occurrence: string) => Promise<Candidate[]>;

/** By property: records of one occurrence. */
const OF_OCCURRENCE: Record<string, Read> = {
  ticketId: (ask, id) => ticketsOf(ask, id),
  // Rows that name a ticket by its slug can have its title or id instead.
  ticketSlug: async (ask, id) =>
    (await ticketsOf(ask, id)).map((ticket) => ({
      ...ticket,
      id: ticket.slug,
      names: [...ticket.names, ticket.id],
    })),
  waveId: async (ask, id) => {
    const races = await all(ask, '/v0/event-occurrences/{id}/races', { id });
    const waves: Candidate[] = [];
    for (const race of races) {
      const whole = await ask<{ waves: { id: string; title: string }[] }>('/v0/races/{id}', {
        params: { path: { id: race.id } },
      });
      for (const { id: waveId, title } of whole.waves) {
        const label = `${race.title}: ${title}`;
        waves.push({ id: waveId, label, names: [title, `${race.title} ${title}`, label] });
      }
    }
    return waves;
  },
  addOnId: async (ask, id) =>
    (await all(ask, '/v0/event-occurrences/{id}/add-ons', { id })).map((each) => ({
      id: each.id,
      names: [each.title],
    })),
  variantId: async (ask, id) =>
    (await all(ask, '/v0/event-occurrences/{id}/add-ons', { id })).flatMap(({ title, variants }) =>
      variants.map((variant) => ({
        id: variant.id,
        label: `${title}: ${variant.title}`,
        names: [variant.title, `${title} ${variant.title}`, `${title}: ${variant.title}`],
      })),
    ),
  reservedEntryGroupId: async (ask, id) =>
    (await all(ask, '/v0/event-occurrences/{id}/reserved-entries', { id })).map((group) => ({
      id: group.id,
      names: [group.name],
    })),
  // Only staff can list codes; of keys, texts are sent as they are.
  discountCode: async (ask, id) =>
    (await pages<{ id: string; code: string }>(ask, CODES, { id })).map((each) => ({
      id: each.code,
      names: [each.code, each.id],
    })),
};

async function ticketsOf(ask: Ask, occurrence: string): Promise<(Candidate & { slug: string })[]> {
  const tickets = await all(ask, '/v0/event-occurrences/{id}/tickets', { id: occurrence });
  return tickets.map(({ id, title, ticketSlug, raceTitle, price }) => {
    const isOnly = tickets.filter((other) => other.raceTitle === raceTitle).length === 1;
    const label = `${raceTitle}: ${title}`;
    const names = [title, ticketSlug, `${raceTitle} ${title}`, label, ...(isOnly ? [raceTitle] : [])];
    return { id, slug: ticketSlug, label, names, currencyCode: price.currencyCode };
  });
}

/** By property: records of the organization. */
const OF_ORGANIZATION: Record<string, (ask: Ask, isStaff?: boolean) => Promise<Candidate[]>> = {
  eventOccurrenceId: async (ask, isStaff) =>
    (
      await pages<{ id: string; title: string; startDate: string | null }>(
        ask,
        isStaff ? STAFF_OCCURRENCES : '/v0/event-occurrences',
        {},
      )
    ).map(({ id, title, startDate }) => ({
      ...{ id, startDate },
      label: startDate ? `${title}, ${startDate}` : title,
      names: [
        title,
        ...(startDate
          ? [`${title} ${startDate}`, `${title}, ${startDate}`, `${title} ${startDate.slice(0, 4)}`]
          : []),
      ],
    })),
  // Partners name their sub-partners themselves: files must have the ids of these.
  partnerId: async (ask) =>
    (await all(ask, '/v0/partners', {})).map(({ id, name, parentPartnerId }) => ({
      id,
      label: name,
      names: parentPartnerId ? [] : [name],
    })),
  referralProgramId: async (ask) =>
    (await all(ask, '/v0/referral-programs', {})).map(({ id, title }) => ({ id, names: [title] })),
};

/**
 * The records that texts of a file can name. Without permission to read them nothing is known, and the file must have their ids.
 * Call it again when the plan knows the occurrences.
 */
export async function lookUp(ask: Ask, { names, occurrences, isStaff }: Wanted): Promise<Lookups> {
  const found: Record<string, Candidate[]> = {};
  for (const name of names) {
    const ofAll = OF_ORGANIZATION[name];
    const ofOne = OF_OCCURRENCE[name];
    if (ofAll) found[name] = (await permitted(() => ofAll(ask, isStaff))) ?? [];
    else if (ofOne && occurrences.length > 0 && occurrences.length <= MOST_OCCURRENCES)
      for (const of of occurrences) {
        const records = await permitted(() => ofOne(ask, of));
        if (!records) continue;
        found[name] = [...(found[name] ?? []), ...records.map((each) => ({ ...each, of }))];
      }
  }
  return Object.fromEntries(
    Object.entries(found).filter(([, records]) => records.length > 0 && records.length <= MOST),
  );
}

/** The questions of booking forms, for answers in columns. None without permission to read them. */
export const questionsOf = async (ask: Ask): Promise<FormField[]> =>
  (await permitted(() => all(ask, '/v0/booking-form-fields', {}))) ?? [];

async function permitted<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof StartlineError && [400, 401, 403, 404].includes(error.status)) return undefined;
    throw error;
  }
}

const all = <Path extends ListPath>(
  ask: Ask,
  path: Path,
  params: Record<string, string>,
): Promise<Item<Path>[]> => pages(ask, path, params);

async function pages<T>(ask: Ask, path: string, params: Record<string, string>): Promise<T[]> {
  const items: T[] = [];
  for (let cursor = ''; items.length <= MOST; ) {
    const query = {
      'page[size]': path.endsWith('/event-occurrences') ? 200 : 500,
      ...(cursor && { 'page[after]': cursor }),
    };
    const { data, page } = await ask<{ data: T[]; page: { next: string } }>(path, {
      params: { path: params, query },
    });
    items.push(...data);
    cursor = page.next;
    if (!cursor) break;
  }
  return items;
}
