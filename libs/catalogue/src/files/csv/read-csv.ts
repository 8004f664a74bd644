import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { Problem } from '../../problems';
import { readJsonLines } from '../json-lines';
import type { Advance, Source, SourceProblem } from '../source';
import { readMapping } from './columns';
import { occurrencesOf } from './occurrences';
import { RowReader, type RowRecord } from './row-records';
import { rowsOf } from './rows';

/** Bytes of CSV whose rows are held in memory at once. */
const HELD = 16 * 1024 * 1024;

/**
 * A race calendar: a row a race. Rows of one event may lie anywhere in the file, so a file that is too large to be
 * held is first cut into parts, in temporary files, by event.
 *
 * @param columns the file that says what the columns are
 */
export async function* readCsv(path: string, advance: Advance, columns?: string): Source {
  const { size } = await stat(path);
  const parts = Math.ceil(size / HELD);
  const calendar = new Calendar(path, columns, advance);
  if (parts <= 1) {
    const rows: RowRecord[] = [];
    for await (const item of calendar.read()) {
      if ('problem' in item) yield item;
      else rows.push(item);
    }
    yield* occurrencesOf(rows, calendar.reader);
  } else yield* inParts(calendar, parts);
  yield* calendar.taken();
}

class Calendar {
  private rowReader: RowReader | undefined;
  private readonly several = new Map<string, { problem: Problem; rows: number }>();

  constructor(
    private readonly path: string,
    private readonly mapping: string | undefined,
    private readonly advance: Advance,
  ) {}

  get reader(): RowReader {
    if (!this.rowReader) throw new Error('The header comes first.');
    return this.rowReader;
  }

  async *read(): AsyncGenerator<RowRecord | SourceProblem> {
    for await (const item of rowsOf(this.path, readMapping(this.mapping), this.advance)) {
      if ('columns' in item) this.rowReader = new RowReader(item.columns);
      else if ('problem' in item) yield item;
      else {
        const { record, problems, warnings, takenFor } = this.reader.read(item);
        for (const problem of problems) yield { problem };
        for (const problem of warnings) yield { problem, warning: true };
        for (const problem of takenFor) this.count(problem);
        if (record) yield record;
      }
    }
  }

  /** What was taken for something, once for all rows of which it is true. */
  *taken(): Generator<SourceProblem> {
    for (const { problem, rows } of this.several.values()) {
      const message = rows === 1 ? problem.message : `${problem.message}, here and in ${rows - 1} more`;
      yield { warning: true, problem: { ...problem, message } };
    }
  }

  private count(problem: Problem): void {
    const name = `${problem.field} ${problem.message}`;
    const before = this.several.get(name);
    if (before) before.rows += 1;
    else this.several.set(name, { problem, rows: 1 });
  }
}

async function* inParts(calendar: Calendar, parts: number): Source {
  const folder = await mkdtemp(join(tmpdir(), 'startline-calendar-'));
  try {
    const files = Array.from({ length: parts }, (_, at) => createWriteStream(join(folder, `${at}.jsonl`)));
    for await (const item of calendar.read()) {
      if ('problem' in item) {
        yield item;
        continue;
      }
      const file = files[partOf(item.eventSlug, parts)];
      if (file && !file.write(`${JSON.stringify(item)}\n`)) await once(file, 'drain');
    }
    await Promise.all(files.map((file) => finished(file.end())));
    for (const { path } of files) {
      const rows: RowRecord[] = [];
      for await (const item of readJsonLines(String(path), () => {})) {
        if ('value' in item) rows.push(item.value as RowRecord);
      }
      yield* occurrencesOf(rows, calendar.reader);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const partOf = (eventSlug: string, parts: number): number =>
  createHash('sha1').update(eventSlug).digest().readUInt32BE() % parts;
