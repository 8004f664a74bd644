import type { StartlineClient } from '../client';
import { StartlineError } from '../error';
import { bodyOf, type JobName, MOST_BYTES, MOST_ROWS } from '../imports';
import type { BodyProblem } from '../openapi';
import type { Item } from './prepare';
import type { RunState } from './run-state';
import type { Surface } from './surfaces';

export interface Target {
  startline: StartlineClient;
  surface: Surface;
  /** `continues`: the dry run of an earlier part, whose takings count. */
  /** Whether existing records are corrected. */
  correct: boolean;
  query: {
    name: string;
    keepInvalid: true;
    dryRun?: boolean;
    continues?: string;
    cancelled?: 'import' | 'skip';
    create?: boolean;
  };
  state: RunState;
  batchRows?: number;
  signal?: AbortSignal;
}

/** An import row as JSON. */
export interface Row {
  item: Item;
  text: string;
}

/** A batch that is accepted. */
export interface Sent {
  job: JobName;
  rows: Row[];
}

/** Problems of one import row. The row is not sent. */
export interface Refused {
  item: Item;
  problems: BodyProblem[];
}

/** The API reports up to 100 problems of a body. */
const MOST_PROBLEMS = 100;
/** The minimum rows of a part of a rejected batch, because of the rate limit of the API. */
const FEWEST_ROWS = 1_000;

/** Collects rows up to the limits of a request. */
export class Batch {
  rows: Row[] = [];
  private bytes = 0;

  constructor(private readonly most: number = MOST_ROWS) {}

  /** @returns the rows to send before this one, if it does not fit */
  add(item: Item): Row[] {
    const text = item.rows[0]?.json ?? JSON.stringify(item.body);
    const size = Buffer.byteLength(text) + 1;
    const isFull = this.rows.length >= this.most || (this.rows.length > 0 && this.bytes + size > MOST_BYTES);
    const before = isFull ? this.take() : [];
    this.rows.push({ item, text });
    this.bytes += size;
    return before;
  }

  take(): Row[] {
    const { rows } = this;
    this.rows = [];
    this.bytes = 0;
    return rows;
  }
}

/**
 * Sends rows. Rows that the API rejects are removed, and the others are sent again. If the API stopped at 100
 * problems, they are sent in parts about as long as the checked part, so that a row is sent a few times at most.
 */
export async function* sendRows(target: Target, batch: Row[]): AsyncGenerator<Sent | Refused> {
  const waiting = batch.length ? [batch] : [];
  for (let rows = waiting.shift(); rows; rows = waiting.shift()) {
    const answer = await sendOnce(target, rows);
    if ('job' in answer) {
      yield { job: answer.job, rows };
      continue;
    }
    const byRow = new Map<number, BodyProblem[]>();
    for (const problem of answer.problems) {
      if (problem.row != null) byRow.set(problem.row, [...(byRow.get(problem.row) ?? []), problem]);
    }
    for (const [index, problems] of byRow) yield { item: (rows[index] as Row).item, problems };
    const checked = answer.problems.length < MOST_PROBLEMS ? rows.length : Math.max(...byRow.keys()) + 1;
    const size = Math.max(checked, FEWEST_ROWS);
    const parts = [rows.slice(0, checked).filter((_, index) => !byRow.has(index))];
    for (let start = checked; start < rows.length; start += size) parts.push(rows.slice(start, start + size));
    waiting.unshift(...parts.filter((part) => part.length > 0));
  }
}

async function sendOnce({ startline, surface, correct, query, state, signal }: Target, rows: Row[]) {
  const { path } = surface;
  const body = bodyOf(
    path,
    rows.map(({ text }) => text),
  );
  const key = state.keyOf(body);
  const known = state.answerTo(key);
  if (known) return known;
  const send = (correct ? startline.put : startline.post) as StartlineClient['post'];
  const answer = await send(path, {
    headers: { 'idempotency-key': key },
    params: { query },
    body,
    bodySerializer: (text: string) => text,
    signal,
  } as never).then(
    (job) => {
      const { jobId, surface: name } = job as JobName;
      return { job: { jobId, surface: name } };
    },
    (error: unknown) => {
      const problems = error instanceof StartlineError && error.status === 400 ? error.problems : [];
      if (!problems.some(({ row }) => row != null)) throw error;
      return { problems };
    },
  );
  state.keep(key, answer);
  return answer;
}
