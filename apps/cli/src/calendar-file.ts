import type { EntityManager } from 'typeorm';
import {
  CALENDAR,
  type CalendarPlan,
  type Problem,
  planCalendar,
  storedCalendar,
  type WaveDay,
} from '#domain/catalogue';
import {
  decided,
  FailedFile,
  failedFileOf,
  type Given,
  mappingOf,
  type OpenOptions,
  openSource,
  rowOf,
  type SourceFile,
} from '#libs/client';

export interface CalendarFlags extends OpenOptions, Given {
  waveDay?: WaveDay;
  dryRun?: true;
  note?: (line: string) => void;
}

/** A race calendar, after everything that it leaves open was said. */
export class CalendarFile {
  private readonly problems = new Map<number, Problem[]>();

  private constructor(
    readonly plan: CalendarPlan,
    private readonly source: Required<SourceFile>,
    private readonly path: string,
  ) {}

  /** @throws SendRefused if it can't be read, or something stays open */
  static async open(
    manager: EntityManager,
    organizationId: string,
    path: string,
    options: CalendarFlags,
  ): Promise<CalendarFile> {
    const source = (await openSource(path, options)) as Required<SourceFile>;
    const stored = await storedCalendar(manager, organizationId);
    const today = new Date().toISOString().slice(0, 10);
    const { waveDay } = options;
    const given = mappingOf(CALENDAR, source, options);
    const { plan } = await decided(CALENDAR, source.sheet, given, {
      ...options,
      file: path,
      planWith: async (mapping) =>
        planCalendar(source.sheet, mapping, { today, ...stored, ...(waveDay && { waveDay }) }),
    });
    return new CalendarFile(plan, source, failedFileOf(path, options.dryRun));
  }

  /** Keeps a problem for the file of failed rows. */
  readonly keep = (problem: Problem): void => {
    const { row } = problem;
    this.problems.set(row, [...(this.problems.get(row) ?? []), problem]);
  };

  /** Writes the rows with problems beside the file. @returns the path, if there are any */
  async writeFailed(): Promise<string | null> {
    const { sheet } = this.source;
    const failed = new FailedFile(this.path, this.source, this.plan);
    for (const cells of sheet.rows) {
      const found = this.problems.get(cells.line);
      if (!found) continue;
      const message = found.map(({ field, message: text }) => [field, text].filter(Boolean).join(' '));
      const { code = 'INVALID_VALUE' } = found[0] as Problem;
      await failed.add(rowOf(sheet, cells), { code, message: message.join('. ') });
    }
    await failed.end();
    return failed.count > 0 ? this.path : null;
  }
}
