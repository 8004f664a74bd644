import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import {
  type FileMapping,
  type ImportKind,
  namesIn,
  type Plan,
  planOf,
  type Sheet,
} from '../../../sheets/src';
import { type Ask, lookUp } from '../rows/look-up';
import { askOpenQuestions, type SkippedTexts } from './ask';
import { counted } from './counted';
import { describePlan, openQuestions } from './describe-plan';
import { keepMapping, today } from './mapping';
import { SendRefused } from './refused';
import type { Terminal } from './terminal';

export interface Deciding<P extends Plan> {
  /** @param asks whether records are needed that a person can choose for every row */
  planWith(mapping: FileMapping, asks: boolean): Promise<P>;
  file: string;
  map?: string;
  note?: (line: string) => void;
  terminal?: Terminal;
}

/**
 * The plan of a table, and the mapping with what a person answered.
 *
 * @throws SendRefused if something stays open
 */
export async function decided<P extends Plan>(
  kind: ImportKind,
  sheet: Sheet,
  given: FileMapping,
  { planWith, file, map, note = () => {}, terminal }: Deciding<P>,
): Promise<{ plan: P; mapping: FileMapping }> {
  const skipped: SkippedTexts = new Set();
  let mapping = given;
  for (;;) {
    const plan = await planWith(mapping, Boolean(terminal));
    const open = openQuestions(kind, mapping, plan, skipped);
    if (mapping === given || open.length === 0) note(describePlan(sheet, kind, mapping, plan));
    if (open.length === 0) {
      if (terminal && mapping !== given) await keep(terminal, { file, map }, mapping, note);
      return { plan, mapping };
    }
    const next = terminal && (await askOpenQuestions(terminal, mapping, plan, skipped, prefixOf(file)));
    if (!next) {
      const isIncomplete = !terminal && plan.questions.some((each) => each.kind === 'field');
      throw new SendRefused(isIncomplete ? 'INVALID_FILE' : 'UNDECIDED', open.join('\n'));
    }
    mapping = next;
  }
}

/** The plan with the records that texts of the file can name. */
export async function planWithRecords(
  ask: Ask,
  kind: ImportKind,
  sheet: Sheet,
  mapping: FileMapping,
  asks: boolean,
): Promise<Plan> {
  const asked = asks ? planOf(sheet, kind, mapping, { today: today() }).questions : [];
  const lacking = asked.flatMap((each) =>
    each.kind === 'field' ? (each.field.path.split('.').at(-1) ?? []) : [],
  );
  const names = [...new Set([...namesIn(kind, mapping), ...lacking])];
  const known = await lookUp(ask, { names, occurrences: [] });
  const { occurrences } = planOf(sheet, kind, mapping, { lookups: known, today: today() });
  const within = [...new Set([...(mapping.occurrence ? [mapping.occurrence] : []), ...occurrences])];
  const others = names.filter((name) => !known[name]);
  const lookups = { ...known, ...(await lookUp(ask, { names: others, occurrences: within })) };
  return planOf(sheet, kind, mapping, { lookups, today: today() });
}

/** What the booking numbers of a file begin with. */
export const prefixOf = (file: string): string => basename(file).replace(/\..*$/, '');

async function keep(
  terminal: Terminal,
  { file, map }: { file: string; map?: string },
  mapping: FileMapping,
  note: (line: string) => void,
): Promise<void> {
  const path = map ?? `${file}.map.json`;
  const question = `${existsSync(path) ? 'Replace' : 'Write'} ${path} with these answers, for --map?`;
  if (!(await terminal.confirm(question))) return;
  keepMapping(path, mapping, map !== undefined);
  note(`Wrote ${path}.`);
}

/**
 * Bookings that join strangers are sent only if a person agrees; on a terminal, so is everything else.
 *
 * @param plan undefined if there is nothing to send
 */
export async function agreed(
  question: string,
  plan: Plan | undefined,
  { yes, dryRun, terminal }: { yes?: boolean; dryRun?: boolean; terminal?: Terminal },
): Promise<void> {
  const strangers = plan?.joined.strangers ?? [];
  if (yes || dryRun || !plan) return;
  const joins = `${counted(strangers.length, 'booking joins', 'bookings join')} people with different addresses or names (the first: rows ${strangers[0]?.join(', ')}).`;
  if (terminal) {
    if (await terminal.confirm(`${strangers.length ? `${joins} ` : ''}${question}`)) return;
    throw new SendRefused('UNDECIDED', 'Nothing was sent.');
  }
  if (strangers.length === 0) return;
  throw new SendRefused(
    'UNDECIDED',
    `${joins} If they belong together, send the file with --yes; otherwise map another column to externalBookingId.`,
  );
}
