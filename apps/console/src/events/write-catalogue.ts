import { type BrowserClient, type CatalogueRecordState, type CatalogueWritten, StartlineError } from '../api';

/** A row or record of a catalogue file. The names of its properties are those of `docs/catalogue-files.md`. */
export type Row = Record<string, unknown>;

/** What identifies a record of each kind. */
export const NAME_OF = {
  bookingFormField: 'key',
  bookingForm: 'title',
  event: 'slug',
  partner: 'name',
  occurrence: 'slug',
} as const;
/** What an occurrence has that other pages change too. */
export interface OccurrenceRecord extends Row {
  id: string;
  slug: string;
  title: string;
  timeZone: string;
  published?: boolean;
  discoverable?: boolean;
  status?: 'POSTPONED' | 'CANCELLED';
  races?: (Row & { id?: string; title: string; maxCapacity?: number; waves?: Row[]; tickets?: Row[] })[];
  reservedEntryGroups?: (Row & { id?: string; code: string; maxCapacity: number })[];
}

/** Records with the versions in which they were read. */
export const partOfOccurrence = async (api: BrowserClient, id: string): Promise<CatalogueRecordState[]> =>
  (await api.get('/console/v1/catalogue/event-occurrences/{id}', { params: { path: { id } } })).records;

interface Sent {
  records: Row[];
  /** The versions that the writer saw, by the id of the record. */
  versions?: Record<string, string>;
  /** The fields that a table fills. */
  columns?: string[];
  dryRun?: boolean;
}

/**
 * The one way in which the console writes events: all records, or none.
 *
 * @throws StartlineError with a problem for each wrong field; `CHANGED_MEANWHILE` if a record has another version now
 */
export const writeCatalogue = (api: BrowserClient, body: Sent): Promise<CatalogueWritten> =>
  api.put('/console/v1/catalogue', { body });

/** How often a change is made again, if someone else wrote between reading and writing. */
const TRIES = 3;

/** Changes an occurrence as it is now, whatever else others change meanwhile. */
export async function changeOccurrence(
  api: BrowserClient,
  id: string,
  change: (now: OccurrenceRecord) => OccurrenceRecord,
): Promise<CatalogueWritten> {
  for (let left = TRIES; ; left -= 1) {
    const states = await partOfOccurrence(api, id);
    const stored = states.find((state) => state.id === id);
    if (!stored) throw new StartlineError(404, 'Not Found', `There is no event occurrence ${id}`);
    try {
      return await writeCatalogue(api, {
        records: [change(stored.record as OccurrenceRecord)],
        versions: { [id]: stored.version },
      });
    } catch (error) {
      if (left <= 1 || !isChangedMeanwhile(error)) throw error;
    }
  }
}

/** The records that somebody changed meanwhile, as they are now; undefined if that is not why an occurrence was refused. */
export async function changedMeanwhile(
  api: BrowserClient,
  error: unknown,
  occurrenceId: unknown,
): Promise<CatalogueRecordState[] | undefined> {
  if (!(error instanceof StartlineError)) return undefined;
  const changed = error.problems.filter(({ code }) => code === 'CHANGED_MEANWHILE');
  // The answer leaves out what is long.
  const isCut = changed.some(({ current }) => !current) && typeof occurrenceId === 'string';
  const stored = isCut ? await partOfOccurrence(api, occurrenceId) : [];
  const states = changed.flatMap(
    ({ path, current }) => current ?? stored.filter(({ id }) => path === `versions.${id}`),
  ) as CatalogueRecordState[];
  return states.length > 0 ? states : undefined;
}

export const isChangedMeanwhile = (error: unknown): boolean =>
  error instanceof StartlineError && error.problems.some(({ code }) => code === 'CHANGED_MEANWHILE');
