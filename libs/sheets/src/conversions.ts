/** A value that a conversion changed, as an example. */
export interface Change {
  which: 'first' | 'least' | 'greatest' | 'longest' | 'rarest';
  from: string;
  to: string;
}

/** What became of the values of a column. */
export interface Conversion {
  column: string;
  /** Such as `date`, `amount` or `trim`, with how the column is written: `date dmy`. */
  conversion: string;
  values: number;
  changed: number;
  /** Each value once. */
  changes: Change[];
}

/** Counts the values of a column that a conversion changes. */
export class ConversionLog {
  private values = 0;
  private readonly changed = new Map<string, { to: string; count: number }>();

  add(from: string, to: string): void {
    this.values += 1;
    if (from === to) return;
    const known = this.changed.get(from);
    if (known) known.count += 1;
    else this.changed.set(from, { to, count: 1 });
  }

  report(column: string, conversion: string, nameOf: (to: string) => string): Conversion {
    const all = [...this.changed].map(([from, { to, count }]) => ({ from, to, count }));
    type One = (typeof all)[number];
    const most = (isMore: (one: One, best: One) => boolean): One | undefined =>
      all.reduce<One | undefined>((best, one) => (!best || isMore(one, best) ? one : best), undefined);
    const picked: [Change['which'], One | undefined][] = [
      ['first', all[0]],
      ['least', most((one, best) => compared(one.to, best.to) < 0)],
      ['greatest', most((one, best) => compared(one.to, best.to) > 0)],
      ['longest', most((one, best) => one.from.length > best.from.length)],
      ['rarest', most((one, best) => one.count < best.count)],
    ];
    const shown = new Set<One>();
    const changes = picked.flatMap(([which, one]): Change[] => {
      if (!one || shown.has(one)) return [];
      shown.add(one);
      return [{ which, from: one.from, to: nameOf(one.to) }];
    });
    const changed = all.reduce((sum, { count }) => sum + count, 0);
    return { column, conversion, values: this.values, changed, changes };
  }
}

const compared = (a: string, b: string): number => Number(a) - Number(b) || (a < b ? -1 : a > b ? 1 : 0);
