import type { BibPlanRequest } from '../../api';

export type BibRange = BibPlanRequest['ranges'][number];

/** A range as it is typed. */
export interface RangeDraft {
  key: string;
  from: string;
  to: string;
  prefix: string;
  digits: string;
  ticketIds: string[];
  waveIds: string[];
  tags: string[];
  /** `100, 110-119`. */
  reserved: string;
  /** `NAME`, `WAVE`, `ANSWER:<question>` or `ANSWER:<question>:down`. */
  order: string[];
  teamsTogether: boolean;
}

export const emptyRange = (from = 1): RangeDraft => ({
  ...{ key: crypto.randomUUID(), from: String(from), to: '', prefix: '', digits: '' },
  ...{ ticketIds: [], waveIds: [], tags: [], reserved: '', order: ['NAME'], teamsTogether: false },
});

export type DraftProblem = 'from' | 'to' | 'digits' | 'reserved';

const NUMBER = /^\d{1,9}$/;
const INTERVAL = /^(\d{1,9})(?:\s*[-–]\s*(\d{1,9}))?$/;

const intervalsOf = (text: string) =>
  text
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => INTERVAL.exec(part));

/** What is missing or wrong in a range, before the server looks at it. */
export function problemsOf({ from, to, digits, reserved }: RangeDraft): DraftProblem[] {
  return [
    ...(NUMBER.test(from.trim()) ? [] : (['from'] as const)),
    ...(NUMBER.test(to.trim()) && Number(to) >= Number(from) ? [] : (['to'] as const)),
    ...(/^[1-9]?$/.test(digits.trim()) ? [] : (['digits'] as const)),
    ...(intervalsOf(reserved).every((found) => found && Number(found[2] ?? found[1]) >= Number(found[1]))
      ? []
      : (['reserved'] as const)),
  ];
}

/** The range of a draft without problems. */
export function rangeOf(draft: RangeDraft): BibRange {
  const { prefix, digits, ticketIds, waveIds, tags, order, teamsTogether } = draft;
  const reserved = intervalsOf(draft.reserved).flatMap((found) =>
    found ? [{ from: Number(found[1]), ...(found[2] && { to: Number(found[2]) }) }] : [],
  );
  return {
    from: Number(draft.from),
    to: Number(draft.to),
    ...(prefix.trim() && { prefix: prefix.trimStart() }),
    ...(digits.trim() && { digits: Number(digits) }),
    ...(ticketIds.length > 0 && { ticketIds }),
    ...(waveIds.length > 0 && { waveIds }),
    ...(tags.length > 0 && { tags }),
    ...(reserved.length > 0 && { reserved }),
    order: order.map((each) => {
      const [by, fieldId, down] = each.split(':');
      return by === 'ANSWER'
        ? { by, fieldId, ...(down && { descending: true }) }
        : { by: by as 'NAME' | 'WAVE' };
    }),
    ...(teamsTogether && { teamsTogether }),
  };
}
