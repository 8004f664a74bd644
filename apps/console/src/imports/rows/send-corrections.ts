import type { Body, BrowserClient, ImportPath, StaffImportJobDetail } from '../../api';
import { sendParts } from '../../upload/send-parts';
import type { OpenRow } from './row-cells';

/** A row that can be sent, with what is sent. */
export interface Ready {
  row: OpenRow;
  body: Body;
}

interface Sending {
  api: BrowserClient;
  job: StaffImportJobDetail;
  path: ImportPath;
  collection: string;
  given: Ready[];
  dryRun: boolean;
}

/** Sends rows as corrections of a job, in the way in which the job was sent. The line of each item is that of its row. */
export const sendCorrections = ({ api, job, path, collection, given, dryRun }: Sending) =>
  sendParts({
    api,
    path,
    method: job.mode === 'CREATE' ? 'post' : 'put',
    query: {
      ...(job.mode === 'UPSERT' && collection === 'bookings' && { create: true }),
      ...(job.skipsCancelled && { cancelled: 'skip' }),
      ...(job.name && { name: job.name }),
    },
    collection,
    items: given.map(({ row, body }) => ({ rows: [{ line: row.row + 1, cells: [] }], body })),
    dryRun,
    more: (items) => ({
      corrects: { jobId: job.jobId, rows: items.map(({ rows: [line] }) => (line?.line ?? 1) - 1) },
    }),
    // The same rows can be sent again after a remedy.
    attempt: job.corrections,
  });
