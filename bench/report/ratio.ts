/** A performance target as a ratio. */
export interface Ratio {
  what: string;
  value: number;
  /** The minimum or maximum; absent: only shown. */
  atLeast?: number;
  atMost?: number;
}

export const met = ({ value, atLeast, atMost }: Ratio): boolean =>
  (atLeast === undefined || value >= atLeast) && (atMost === undefined || value <= atMost);

export const goalOf = ({ atLeast, atMost }: Ratio): string =>
  atLeast !== undefined ? `≥ ${atLeast}` : atMost !== undefined ? `≤ ${atMost}` : '';
