/** A timing message of the organization `$1` that waits for a bib that nobody has. */
export const UNIDENTIFIED_MESSAGE = /* sql */ `
  INSERT INTO race_day_log (organization_id, source, changed_at, named_by_bib, bib_number, applied_at, waiting_for)
  VALUES ($1, 'TIMING', now(), true, 'NOBODY', now(), 'bib:NOBODY')`;
