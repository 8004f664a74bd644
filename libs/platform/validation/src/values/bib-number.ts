import { compared } from './compared';

/** What shows nothing, or what looks like a space. */
const UNSEEN = '[\\p{Default_Ignorable_Code_Point}\\u2800]';
const SEEN = `(?!${UNSEEN})[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}]`;

/** 1 to 20 printable characters, without a space at either end. */
export const BIB_NUMBER = new RegExp(`^${SEEN}((?:${SEEN}| ){0,18}${SEEN})?$`, 'u');

export const BIB_NUMBER_RULE =
  'must be 1 to 20 printable characters, without a space at the beginning or end';

/** The columns of a bib: what is compared, and its spelling if that differs. */
export interface BibColumns {
  bib_number: string | null;
  bib_written: string | null;
}

export function bibColumns(written: string | null | undefined): BibColumns {
  const bib = written ? compared(written) : null;
  return { bib_number: bib, bib_written: written && written !== bib ? written : null };
}
