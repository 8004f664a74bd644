import type { Values } from '#libs/resources';
import { CLEARED, OF_BOOKING } from './entry-metadata';

/** Whether the request's `features` contain it. */
export const hasFeature = (values: Values, feature: string): boolean =>
  (values.features as ReadonlySet<string> | undefined)?.has(feature) === true;

/** A join of the row with the id, in the organization of `to`. */
export const joined = (table: string, row: string, id: string, to = 't'): string => `
  LEFT JOIN ${table} ${row} ON ${row}.organization_id = ${to}.organization_id AND ${row}.id = ${id}`;

/** What entry `t` refers to. */
export const ENTRY_JOINS = [
  joined('tickets', 'ticket', 't.ticket_id'),
  joined('races', 'race', 't.race_id'),
  joined('event_occurrences', 'occurrence', 't.event_occurrence_id'),
  joined('events', 'event', 'occurrence.event_id', 'occurrence'),
  joined('bookings', 'booked', 't.booking_id'),
  joined('discount_codes', 'discount', 'booked.discount_code_id', 'booked'),
  joined('reserved_entry_groups', 'reserved', 't.reserved_entry_group_id'),
  joined('partners', 'partner', 'reserved.partner_id', 'reserved'),
  joined('waves', 'wave', 't.wave_id'),
].join('');

/** Codes of the reasons why race-day messages do not show. A cancelled participant claims no bib. */
export const RACE_DAY_ERRORS = `CASE WHEN t.bib_claim IS DISTINCT FROM t.bib_number AND t.bib_claim IS NOT NULL
      THEN '["BIB_NUMBER_TAKEN"]'::jsonb ELSE '[]' END`;

/** The metadata that the first releases added. */
const FORMER = `'{importJobId,importRow,bookedAt}'::text[]`;

/** The metadata of the import row, without `startline`'s own properties. @param booking the entry's booking */
export const metadataOfRow = (entry: string, booking: string): string =>
  `CASE WHEN ${sharesMetadata(entry)} THEN coalesce(${booking}.metadata, '{}') || ${entry}.metadata
      WHEN ${entry}.metadata ? 'startline' OR NOT ${entry}.metadata ? 'importJobId' THEN ${entry}.metadata
      ELSE ${entry}.metadata - ${FORMER} END`;
export const metadataOfImport = (entry: string): string =>
  `coalesce(${entry}.metadata->'startline', CASE WHEN ${entry}.metadata ? 'importJobId'
        THEN jsonb_build_object('importJobId', ${entry}.metadata->'importJobId', 'importRow', ${entry}.metadata->'importRow') END, '{}')
      - '{${OF_BOOKING},${CLEARED}}'::text[]`;

/** Whether the entry shows the metadata of its booking. */
export const sharesMetadata = (entry: string): string =>
  `(${entry}.metadata #> '{startline,${OF_BOOKING}}' IS NOT NULL)`;
