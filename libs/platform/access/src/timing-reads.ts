/** What a timing key can read about participants, besides ids, bib and race. `field:<key>` is the answer to one question. */
export const TIMING_READS = ['names', 'gender', 'ageOnRaceDay', 'yearOfBirth', 'team', 'wave'] as const;

export type TimingRead = (typeof TIMING_READS)[number] | `field:${string}`;

const FIELD = 'field:';

/** The keys of the questions among them. */
export const questionsIn = (reads: readonly string[]): string[] =>
  reads.flatMap((read) => (read.startsWith(FIELD) ? [read.slice(FIELD.length)] : []));

/** The first that is neither in the list nor the answer to a question. */
export const unknownIn = (reads: readonly string[]): string | undefined =>
  reads.find((read) => !TIMING_READS.some((known) => known === read) && !read.startsWith(FIELD));
