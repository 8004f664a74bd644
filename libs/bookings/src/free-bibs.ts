import type { EntityManager } from 'typeorm';

/** The entries of a cancelled booking neither wear nor claim a bib any more. */
const FREE_BIBS = /* sql */ `
  UPDATE start_list_entries SET bib_number = NULL, bib_claim = NULL
  WHERE organization_id = $1 AND booking_id = $2 AND (bib_number IS NOT NULL OR bib_claim IS NOT NULL)
`;

/** Takes the bibs from a booking's entries, so that whoever claims one next may wear it (decisions, section 6). */
export async function freeBibs(
  manager: EntityManager,
  organizationId: string,
  bookingId: string,
): Promise<void> {
  await manager.query(FREE_BIBS, [organizationId, bookingId]);
}
