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

  /** Writes the rows with problems beside the file. @returns the path, if there are any */
  async writeFailed(problems: readonly Problem[]): Promise<string | null> {
    const failed = new FailedFile(this.path, this.source, this.plan);
    const { sheet } = this.source;
    const byLine = new Map(sheet.rows.map((row) => [row.line, row]));
    const written = new Set<number>();
    for (const { row, code = 'INVALID_VALUE' } of problems) {
      const cells = byLine.get(row);
      if (!cells || written.has(row)) continue;
      written.add(row);
      const own = problems.filter((each) => each.row === row);
      const message = own
        .map(({ field, message: text }) => [field, text].filter(Boolean).join(' '))
        .join('. ');
      await failed.add(rowOf(sheet, cells), { code, message });
    }
    await failed.end();
    return failed.count > 0 ? this.path : null;
  }
}
