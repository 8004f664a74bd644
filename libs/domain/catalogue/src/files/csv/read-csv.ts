import { createHash } from 'node:crypto';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Problem } from '../../problems';
import { readJsonLines } from '../json-lines';
import type { Advance, Source, SourceProblem } from '../source';
import { type Columns, readMapping } from './columns';
import { occurrencesOf } from './occurrences';
import { RowReader, type RowRecord } from './row-records';
import { type Cells, rowsOf, type TableOptions, type WaveDay } from './rows';

/** Characters of rows whose records are held in memory at once. */
const HELD = 4 * 1024 * 1024;
/** Characters written to a part at once. */
const WRITTEN = 64 * 1024;

/**
 * Reads a race calendar with one race per row. Rows of an event can be anywhere in the file, so a file with too many records
 * for the memory is first partitioned by event into temporary files.
 *
 * @param columns the path of the columns file
 */
export async function* readCsv(
  path: string,
  advance: Advance,
  columns?: string,
  options?: TableOptions,
): Source {
  const mapping = readMapping(columns);
  const { columns: inOrder, items } = await rowsOf(path, mapping, advance, options);
  const calendar = new Calendar(inOrder, items, options?.waveDay ?? mapping?.waveDay);
  const parts = Math.ceil(calendar.size / HELD);
  if (parts <= 1) {
    const rows: RowRecord[] = [];
    for (const item of calendar.read()) {
      if ('problem' in item) yield item;
      else rows.push(item.record);
    }
    yield* occurrencesOf(rows, calendar);
  } else yield* inParts(calendar, parts);
  yield* calendar.taken();
}

class Calendar {
  readonly reader: RowReader;
  private readonly several = new Map<string, { problem: Problem; rows: number }>();

  constructor(
    columns: Columns,
    private readonly items: (Cells | SourceProblem)[],
    readonly waveDay: WaveDay | undefined,
  ) {
    this.reader = new RowReader(columns);
  }

  /** The characters of all rows. */
  get size(): number {
    return this.items.reduce((sum, item) => sum + ('cells' in item ? item.cells.join().length : 0), 0);
  }

  *read(): Generator<{ record: RowRecord; row: Cells } | SourceProblem> {
    for (const item of this.items) {
      if ('problem' in item) yield item;
      else {
        const { record, problems, warnings, takenFor } = this.reader.read(item);
        for (const problem of problems) yield { problem };
        for (const problem of warnings) yield { problem, warning: true };
        for (const problem of takenFor) this.count(problem);
        if (record) yield { record, row: item };
      }
    }
  }

  /** A warning, once for all rows that it applies to. */
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

async function* inParts(calendar: Calendar, count: number): Source {
  const folder = await mkdtemp(join(tmpdir(), 'startline-calendar-'));
  const parts = Array.from({ length: count }, (_, at) => new Part(join(folder, `${at}.jsonl`)));
  try {
    for (const item of calendar.read()) {
      if ('problem' in item) yield item;
      else await parts[partOf(item.record.eventSlug, count)]?.add(item.row);
    }
    for (const part of parts) {
      const rows: RowRecord[] = [];
      for await (const cells of part.rows()) {
        const { record } = calendar.reader.read(cells);
        if (record) rows.push(record);
      }
      yield* occurrencesOf(rows, calendar);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Rows that are stored in a temporary file. */
class Part {
  private unwritten = '';

  constructor(private readonly path: string) {}

  async add(row: Cells): Promise<void> {
    this.unwritten += `${JSON.stringify(row)}\n`;
    if (this.unwritten.length < WRITTEN) return;
    await appendFile(this.path, this.unwritten);
    this.unwritten = '';
  }

  async *rows(): AsyncGenerator<Cells> {
    await appendFile(this.path, this.unwritten);
    for await (const item of readJsonLines(this.path, () => {}))
      if ('value' in item) yield item.value as Cells;
  }
}

const partOf = (eventSlug: string, parts: number): number =>
  createHash('sha1').update(eventSlug).digest().readUInt32BE() % parts;
