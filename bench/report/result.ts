import type { CandidateResult } from '../fixtures/compare';

/** A performance target as a ratio. */
export interface Ratio {
  what: string;
  value: number;
  /** The minimum or maximum; absent: only shown. */
  atLeast?: number;
  atMost?: number;
}

export interface Measurement {
  what: string;
  value: number;
  unit: string;
}

export interface Curve {
  name: string;
  points: { x: number; y: number }[];
}

/** The result of one path. */
export interface Result {
  path: string;
  title: string;
  candidates?: CandidateResult[];
  measurements?: Measurement[];
  ratios: Ratio[];
  curves?: { unit: string; of: Curve[] };
}

export const met = ({ value, atLeast, atMost }: Ratio): boolean =>
  (atLeast === undefined || value >= atLeast) && (atMost === undefined || value <= atMost);

export const goalOf = ({ atLeast, atMost }: Ratio): string =>
  atLeast !== undefined ? `≥ ${atLeast}` : atMost !== undefined ? `≤ ${atMost}` : '';
