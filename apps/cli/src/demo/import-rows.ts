import type { EntityManager } from 'typeorm';
import type { StartListRow } from '#domain/bookings';
import { IMPORTS, type ImportSurface } from '#domain/imports';
import type { ImportHandler } from '#platform/import-rows';
import { loadChunk } from '../start-list-files';

/** Imports rows into an organization, in the transaction of the manager, as import jobs and start list files do. */
export class RowImporter {
  constructor(
    readonly manager: EntityManager,
    readonly organizationId: string,
  ) {}

  /** The results of the rows of an import, in their order. */
  import<Result>(surface: ImportSurface, rows: object[]): Promise<Result[]> {
    return this.run(IMPORTS[surface].handler(), rows);
  }

  startList(rows: StartListRow[]): Promise<{ bookingId: string; participantIds: string[] }[]> {
    return this.run(loadChunk as ImportHandler<unknown>, rows);
  }

  private async run<Result>(handler: ImportHandler<unknown>, rows: object[]): Promise<Result[]> {
    if (rows.length === 0) return [];
    const { manager, organizationId } = this;
    const context = {
      ...{ manager, organizationId, jobId: null, mode: 'CREATE' as const, skipCancelled: true, source: null },
      ...{ partnerId: null, after: { enqueuesRaceDay: false } },
    };
    const outcomes = await handler(
      context,
      rows.map((payload, row) => ({ row, payload })),
    );
    const problem = outcomes.find(({ outcome }) => outcome === 'FAILED');
    if (problem) throw new Error(`${problem.error_message} in ${JSON.stringify(rows[problem.row_number])}`);
    return outcomes.sort((a, b) => a.row_number - b.row_number).map(({ result }) => result as Result);
  }
}
