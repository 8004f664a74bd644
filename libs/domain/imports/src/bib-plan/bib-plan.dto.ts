import { Id, Int, Items, Text } from '#platform/validation';
/** Numbers from one to another. */
export class BibInterval {
  /** The first one. */
  @Int({ min: 0, max: 999_999_999, example: 100 }) from: number;

  /** The last one; if absent, `from`. */
  @Int({ min: 0, max: 999_999_999, example: 109 }) to?: number;
}

/** `NAME`: last, then first name, without accents. `WAVE`: by the start of the wave. `ANSWER`: a number that was answered. */
export type BibOrderBy = 'NAME' | 'WAVE' | 'ANSWER';

/** What a range is ordered by. Participants without the value come last. */
export class BibOrder {
  by: BibOrderBy;

  /** Of `ANSWER`: the question. Answers that are not numbers count as none. */
  @Id() fieldId?: string;

  /** Of `ANSWER`: the largest number first. */
  descending?: boolean;
}

/** Numbers for some of the participants of the race: those who match all of `ticketIds`, `waveIds` and `tags` that are present. */
export class BibRange {
  /** The first number. */
  @Int({ min: 0, max: 999_999_999, example: 1 }) from: number;

  /** The last number. */
  @Int({ min: 0, max: 999_999_999, example: 999 }) to: number;

  /** Precedes each number. */
  @Text({ max: 10, pattern: /^[\p{L}\p{M}\p{N}\p{P}\p{S}][\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u, example: 'A' })
  prefix?: string;

  /** Shorter numbers get zeros in front. */
  @Int({ min: 1, max: 9, example: 4 }) digits?: number;

  /** Participants with one of these tickets of the race. */
  @Id({ minItems: 1, maxItems: 100 }) ticketIds?: string[];

  /** Participants in one of these waves of the race. */
  @Id({ minItems: 1, maxItems: 100 }) waveIds?: string[];

  /** Participants with one of these tags. */
  @Text({ max: 255, minItems: 1, maxItems: 50, pattern: /\S/, example: ['elite'] }) tags?: string[];

  /** Numbers that nobody gets. */
  @Items({ max: 100 }) reserved?: BibInterval[];

  /** The first decides; after the last, and without any, the order of registration. */
  @Items({ max: 3 }) order?: BibOrder[];

  /** Members of a team get consecutive numbers, at the place of the first of them. */
  teamsTogether?: boolean;
}

/** A bib plan of a race. */
export class BibPlanRequest {
  /** A participant belongs to the first range that it matches, and a number to the first range that contains it. */
  @Items({ min: 1, max: 50 }) ranges: BibRange[];

  /** Answers what the plan would do, and starts nothing. */
  dryRun?: boolean;
}

/** Free numbers between others that have a holder. */
export class BibGap {
  /** The first one. */
  @Text({ example: '100' }) from: string;

  /** The last one. */
  @Text({ example: '109' }) to: string;
}

/** What the plan does with a range. */
export class PlannedRange {
  /** The participants that match it, and no range before it. */
  @Int({ example: 900 }) participants: number;

  /** Those of them that have a bib, which they keep. */
  @Int({ example: 20 }) withBib: number;

  /** Those that get a number. */
  @Int({ example: 880 }) assigned: number;

  /** Those for whom there are too few numbers. */
  @Int({ example: 0 }) withoutNumber: number;

  /** The first number that is assigned. */
  @Text({ example: '1' }) first: string | null;

  /** The last number that is assigned. */
  @Text({ example: '910' }) last: string | null;

  /** Numbers that are left. */
  @Int({ example: 69 }) numbersLeft: number;

  /** Numbers that are reserved. */
  @Int({ example: 10 }) reserved: number;

  /** Numbers that belong to a range before it. */
  @Int({ example: 0 }) inEarlierRanges: number;

  /** Numbers that participants outside the range have. */
  @Int({ example: 1 }) takenByOthers: number;

  /** Numbers that are left below the highest one that somebody has or gets. */
  @Int({ example: 10 }) inGaps: number;

  /** The first 20 gaps. */
  gaps: BibGap[];
}

/** A bib of a participant. */
export class PlannedBib {
  /** The index of the range. */
  @Int({ example: 0 }) range: number;

  /** The bib. */
  @Text({ example: 'A123' }) bibNumber: string;
  @Id() participantId: string;
  @Text({ example: 'Ada' }) firstName: string | null;
  @Text({ example: 'Lovelace' }) lastName: string | null;
}

/** What a bib plan does, as of this moment. */
export class BibPlan {
  @Id() raceId: string;

  /** Whether nothing was started. */
  dryRun: boolean;

  /** The job that gives the bibs; `null` for a dry run, and if nobody gets one. */
  @Id() jobId: string | null;

  /** The path of the job, which shows its progress and outcomes. */
  @Text({ example: '/v0/participant-changes/01990f3e-7a54-7b1e-8f10-2c4d5e6f7a8b' }) jobUrl: string | null;

  /** The participants of the race that are not cancelled. */
  @Int({ example: 1_000 }) participants: number;

  /** Those that have a bib, or a message that gives them one and is not processed yet. */
  @Int({ example: 20 }) withBib: number;

  /** Those that get a number. */
  @Int({ example: 880 }) assigned: number;

  /** Those without a bib that no range matches. */
  @Int({ example: 100 }) inNoRange: number;

  /** Those that several ranges match. The first of these counts. */
  @Int({ example: 0 }) inSeveralRanges: number;

  /** In the order of the request. */
  ranges: PlannedRange[];

  /** The first 50 numbers of ranges that participants outside the range have. */
  conflicts: PlannedBib[];

  /** The first 50 numbers that are assigned. */
  examples: PlannedBib[];
}
