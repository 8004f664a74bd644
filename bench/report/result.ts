import type { CandidateResult } from '../fixtures/compare';
import type { Ratio } from './ratio';

export interface Measurement {
  what: string;
  value: number;
  unit: string;
}

/** The result of one path. */
export interface Result {
  path: string;
  title: string;
  candidates?: CandidateResult[];
  measurements?: Measurement[];
  ratios: Ratio[];
}
