import { plain } from './match-values';
import type { Body } from './put';

export const NUMBERED_BY = ['row', 'person'] as const;
/** How the bookings of a file without numbers get the same ones at each load. */
export interface Numbering {
  by: (typeof NUMBERED_BY)[number];
  /** Of the file. */
  prefix: string;
}

/** `list-7` of the row, or `list-adalovelace-1990-04-12` of the first participant; undefined without a name or a date of birth. */
export function numberOf(body: Body, line: string, { by, prefix }: Numbering): string | undefined {
  if (by === 'row') return `${prefix}-${line}`;
  const [{ firstName, lastName, dateOfBirth } = {}] = (body.participants ?? []) as Body[];
  const name = plain([firstName, lastName].join(' '));
  return name && dateOfBirth ? `${prefix}-${name}-${dateOfBirth}` : undefined;
}
