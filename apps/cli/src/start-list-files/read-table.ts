import type { EntityManager } from 'typeorm';
import {
  agreed,
  decided,
  FailedFile,
  type Failure,
  failedFileOf,
  type Given,
  mappingOf,
  mistakesOf,
  type OpenOptions,
  openSource,
  planWithRecords,
  questionsOf,
  type RowOfFile,
  rowOf,
  SendRefused,
  type SourceFile,
} from '#libs/client';
import {
  type Conversion,
  columnFor,
  type FileMapping,
  type ImportKind,
  type Item,
  type Plan,
  type Sheet,
  similarTo,
  textOf,
  withAnswers,
} from '#libs/sheets';
import type { FileRow, FileWarning } from './read-rows';
import type { RowProblem } from './row-problems';
import { storedRecords } from './stored-records';
import { START_LIST } from './targets';

export interface TableOptions extends OpenOptions, Given {
  yes?: true;
  dryRun?: true;
  note?: (line: string) => void;
}

/** A start list with the questions of the organization. */
export const startListKind = async (manager: EntityManager, organizationId: string): Promise<ImportKind> =>
  withAnswers(START_LIST, await questionsOf(storedRecords(manager, organizationId)));

/**
 * A start list with one participant per row, after everything that it leaves open was said.
 *
 * @throws SendRefused if it can't be read, or something stays open
 */
export async function openStartList(
  manager: EntityManager,
  organizationId: string,
  path: string,
  options: TableOptions,
): Promise<StartListTable> {
  const kind = await startListKind(manager, organizationId);
  const source = (await openSource(path, options)) as Required<SourceFile>;
  const { sheet } = source;
  const ofCalendar = sheet.columns.filter((name) => /^(?:event|occurrence|race|ticket)\./.test(name));
  if (ofCalendar.length > 0) {
    const named = ofCalendar.map((name) => `"${name}"`).join(', ');
    const message = `The file looks like a race calendar, with one race per row: it has the columns ${named}. Load a race calendar with "catalogue load" (docs/catalogue-files.md).`;
    throw new SendRefused('INVALID_FILE', message);
  }
  const given = mappingOf(kind, source, options);
  // In an export of participants it is that of each participant.
  if (sheet.ours && sheet.columns.includes('participantId')) delete given.columns.createdAt;
  const { plan, mapping } = await decided(kind, sheet, given, {
    ...options,
    file: path,
    planWith: (each, asks) =>
      planWithRecords(storedRecords(manager, organizationId), kind, sheet, each, asks),
  });
  // Under its own name, the column says who shares a booking.
  if (columnFor(mapping, 'externalBookingId') !== 'externalBookingId')
    await agreed(`Load ${plan.items.length} bookings?`, plan, options);
  return new StartListTable(
    sheet,
    kind,
    mapping,
    plan,
    new FailedFile(failedFileOf(path, options.dryRun), source, plan),
  );
}

export class StartListTable {
  readonly conversions: Conversion[];
  readonly duplicateRows: number;
  readonly warnings: FileWarning[];

  constructor(
    private readonly sheet: Sheet,
    kind: ImportKind,
    private readonly mapping: FileMapping,
    private readonly plan: Plan,
    private readonly failed: FailedFile,
  ) {
    this.conversions = plan.conversions;
    this.duplicateRows = plan.duplicates.length;
    this.warnings = plan.unused.map((name) => ({
      line: sheet.header,
      warning: `The column "${name}" is not loaded: no property has this name${similarTo(name, kind.fields)}`,
    }));
  }

  /** The bookings that can be read. */
  *rows(): Generator<FileRow> {
    for (const item of this.plan.items)
      yield { line: this.rowAt(item, 0).row, value: item.body, problems: [], item };
  }

  /** The problems of the others, and how many bookings these are. */
  async unreadable(): Promise<{ bookings: number; problems: RowProblem[] }> {
    const problems: RowProblem[] = [];
    const ids = new Set<string>();
    for (const { row, mistakes } of this.plan.failed) {
      const own = rowOf(this.sheet, row);
      ids.add(this.idOf(own) ?? `row ${own.row}`);
      const [{ code = '' } = {}] = mistakes;
      const message = mistakes.map((each) => each.message).join(' ');
      problems.push(...(await this.add(own, { code, message })));
    }
    return { bookings: ids.size, problems };
  }

  /** The problems of a booking by row of the file. Each of its rows is written to the file of failed rows. */
  async refused(item: Item, found: readonly Failure[]): Promise<RowProblem[]> {
    const rows = item.rows.map((row) => rowOf(this.sheet, row));
    const problems: RowProblem[] = [];
    for (const [row, mistake] of mistakesOf({ rows, body: item.body }, this.mapping, found))
      problems.push(...(await this.add(row, mistake)));
    return problems;
  }

  /** @returns the path of the file of failed rows, if there are any */
  async end(): Promise<string | null> {
    await this.failed.end();
    return this.failed.count > 0 ? this.failed.path : null;
  }

  abandon(): Promise<void> {
    return this.failed.abandon();
  }

  private async add(row: RowOfFile, { code, message }: Failure): Promise<RowProblem[]> {
    await this.failed.add(row, { code, message });
    // Its own mistake is at another row of the booking.
    return code === 'SAME_BOOKING'
      ? []
      : [{ line: row.row, externalBookingId: this.idOf(row), code, message }];
  }

  private rowAt({ rows }: Item, at: number): RowOfFile {
    return rowOf(this.sheet, rows[at] as Item['rows'][number]);
  }

  private idOf({ cells }: RowOfFile): string | null {
    const at = this.sheet.columns.indexOf(columnFor(this.mapping, 'externalBookingId') ?? '');
    return textOf(cells?.cells[at]).trim() || null;
  }
}
