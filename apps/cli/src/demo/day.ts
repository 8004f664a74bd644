import { createHash } from 'node:crypto';

const DAY = 86_400_000;

/** The day of loading. All dates of the demo are relative to it. */
export class Day {
  private readonly midnight: number;

  /** @param date YYYY-MM-DD */
  constructor(readonly date: string) {
    this.midnight = Date.parse(`${date}T00:00:00Z`);
    if (!/^\d{4}-\d\d-\d\d$/.test(date) || Number.isNaN(this.midnight)) {
      throw new Error(`the day must be a date, YYYY-MM-DD: ${date}`);
    }
  }

  /** The instant `days` from midnight UTC of the day. */
  at(days: number): Date {
    return new Date(this.midnight + days * DAY);
  }

  /** The plain date of the first Sunday that is at least `days` away. */
  sunday(days: number): string {
    const date = this.at(days);
    return new Date(date.getTime() + ((7 - date.getUTCDay()) % 7) * DAY).toISOString().slice(0, 10);
  }
}

/** Ids and times of the hand-written rows: UUIDs version 7 that follow from the seed and a counter. */
export class RowMaker {
  private made = 0;

  constructor(
    private readonly seed: number,
    readonly day: Day,
  ) {}

  /** Rows made later with the same number of days sort later, by time and by id. */
  row(daysAgo: number): { id: string; createdAt: Date } {
    this.made += 1;
    const createdAt = new Date(this.day.at(-daysAgo).getTime() + this.made * 1000);
    const time = createdAt.getTime().toString(16).padStart(12, '0');
    const hash = createHash('md5').update(`${this.seed}/${this.made}`).digest('hex');
    const hex = `${time}7${hash.slice(13, 16)}8${hash.slice(17)}`;
    return { id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'), createdAt };
  }
}
