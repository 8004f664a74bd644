import { CommandError } from '../errors';
import type { DemoCode, DemoCohort, DemoContent } from './content/shapes';

/** A cohort, and the number of its bookings and entries. */
export type SizedCohort = DemoCohort & { no: number; party: number; bookings: number };

export const entriesOf = ({ bookings, party }: SizedCohort): number => bookings * party;

/**
 * Distributes exactly `participants` entries; without a number, only cohorts of a fixed size have entries.
 *
 * @throws CommandError if the cohorts of a fixed size have more entries
 */
export function sizeCohorts(content: DemoContent, firstNo: number, participants?: number): SizedCohort[] {
  const fixed = content.cohorts.reduce((sum, { entries = 0 }) => sum + entries, 0);
  const shares = content.cohorts.reduce((sum, { share = 0 }) => sum + share, 0);
  const crowd = (participants ?? fixed) - fixed;
  if (crowd < 0) throw new CommandError('REFUSED', `A demo has at least ${fixed} participants.`);
  const sized = content.cohorts.map((cohort, index) => {
    const party = cohort.party ?? 1;
    const entries = cohort.entries ?? Math.floor((crowd * (cohort.share ?? 0)) / shares);
    return { ...cohort, no: firstNo + index, party, bookings: Math.floor(entries / party) };
  });
  const rest = fixed + crowd - sized.reduce((sum, cohort) => sum + entriesOf(cohort), 0);
  const [largest] = sized;
  if (largest) largest.bookings += rest;
  return sized;
}

const sum = (cohorts: SizedCohort[], of: (cohort: SizedCohort) => number): number =>
  cohorts.reduce((total, cohort) => total + of(cohort), 0);

/** Counts the places that cohorts take, from which capacities and limits are computed. */
export class Demand {
  constructor(
    private readonly content: DemoContent,
    private readonly cohorts: SizedCohort[],
  ) {}

  /** Places of a ticket, named `occurrence/ticket`. */
  places(ticket: string): number {
    const ignoring = new Set(
      this.content.groups.filter((group) => group.ignoresCapacity).map(({ key }) => key),
    );
    const taking = this.cohorts.filter(
      (cohort) =>
        cohort.ticket === ticket &&
        !cohort.approval &&
        !cohort.cancelled &&
        !(cohort.group && ignoring.has(cohort.group)),
    );
    return sum(taking, entriesOf);
  }

  /** Places of a reserved group, or of one of its tickets. */
  reserved(key: string, slug?: string): number {
    const group = this.content.groups.find((each) => each.key === key);
    const holding = this.cohorts.filter(
      (cohort) =>
        cohort.group === key &&
        (!slug || cohort.ticket === `${group?.occurrence}/${slug}`) &&
        !(cohort.cancelled && group?.reallocateOnCancel),
    );
    return sum(holding, entriesOf);
  }

  uses({ code, appliesPer }: DemoCode): number {
    const using = this.cohorts.filter((cohort) => cohort.code === code && !cohort.cancelled);
    return sum(using, appliesPer === 'ENTRY' ? entriesOf : ({ bookings }) => bookings);
  }
}
