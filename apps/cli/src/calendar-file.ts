import type { EntityManager } from 'typeorm';
import { CALENDAR, type CalendarPlan, type Problem, planCalendar, type WaveDay } from '#domain/catalogue';
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
import { statement } from '#platform/database';

export interface CalendarFlags extends OpenOptions, Given {
  waveDay?: WaveDay;
  dryRun?: true;
  note?: (line: string) => void;
}

const OCCURRENCES = statement({
  parameters: ['uuid'],
  columns: { slug: 'text', event: 'text', city: 'text?', startDate: 'text?', isUpcoming: 'boolean' },
  sql: `
    SELECT o.slug, e.slug AS event, o.address ->> 'city' AS city, o.start_date::text AS "startDate",
      coalesce(o.last_start_date, o.start_date) >= current_date AND o.called_off IS NULL AS "isUpcoming"
    FROM event_occurrences o JOIN events e ON e.organization_id = o.organization_id AND e.id = o.event_id
    WHERE o.organization_id = $1
  `,
});

/** Values that are stored, as texts of the same form as those of a plan. */
const VALUES = statement({
  parameters: ['uuid'],
  columns: { path: 'text', value: 'text' },
  sql: `
    SELECT DISTINCT 'race.startDate' AS path, start_date::text AS value FROM races
    WHERE organization_id = $1 AND start_date IS NOT NULL
    UNION SELECT 'race.distance.value', trim_scale(distance_value)::text || ' ' || distance_unit FROM races
    WHERE organization_id = $1 AND distance_value IS NOT NULL
    UNION SELECT 'ticket.price', round(price_value / 100.0, 2)::text FROM tickets WHERE organization_id = $1
  `,
});

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
    const occurrences = await OCCURRENCES.rows(manager, [organizationId]);
    const values: Record<string, Set<string>> = {};
    for (const { path: of, value } of await VALUES.rows(manager, [organizationId])) {
      values[of] ??= new Set();
      values[of].add(value);
    }
    const today = new Date().toISOString().slice(0, 10);
    const { waveDay } = options;
    const given = mappingOf(CALENDAR, source, options);
    const { plan } = await decided(CALENDAR, source.sheet, given, {
      ...options,
      file: path,
      planWith: async (mapping) =>
        planCalendar(source.sheet, mapping, { today, values, occurrences, ...(waveDay && { waveDay }) }),
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
