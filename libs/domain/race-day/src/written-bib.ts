/** The bib of message `l`, as it was written. */
export const writtenBib = (l: string): string => `coalesce(${l}.bib_written, ${l}.bib_number)`;
