import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { Ticket } from '#libs/database';
import { organization, ticket } from '#libs/testing';
import { type Asking, asking } from './stage';

/** An organization of its own that sells one ticket, and imports what was sold elsewhere. */
export interface Sale extends Asking {
  ticket: Ticket;
}

export async function sale(dataSource: DataSource): Promise<Sale> {
  const { id: organizationId } = await organization(dataSource);
  return {
    ...(await asking(dataSource, 'ORGANIZER', organizationId)),
    ticket: await ticket(dataSource, { organizationId }),
  };
}

/** The body of an import. @param bytes how long it is to be at least: each booking then carries padding */
export function bookingsBody(
  { ticket: { id: ticketId, eventOccurrenceId } }: Sale,
  rows: number,
  bytes = 0,
): string {
  const body = (padding: string) =>
    JSON.stringify({
      bookings: Array.from({ length: rows }, (_, i) => ({
        externalBookingId: `order-${i}`,
        eventOccurrenceId,
        booker: { email: `runner-${i}@example.com`, firstName: 'Ada', lastName: `Lovelace ${i}` },
        participants: [
          {
            ticketId,
            firstName: 'Ada',
            lastName: `Lovelace ${i}`,
            email: `runner-${i}@example.com`,
            gender: 'FEMALE',
          },
        ],
        ...(padding && { metadata: { padding } }),
      })),
    });
  const plain = body('');
  return bytes > plain.length ? body('x'.repeat(Math.floor((bytes - plain.length) / rows) - 30)) : plain;
}

export const discountCodesBody = (rows: number): string =>
  JSON.stringify({
    discountCodes: Array.from({ length: rows }, (_, i) => ({
      code: `SPRING-${i}`,
      discount: { type: 'PERCENTAGE', amount: 15, isAppliedToBookingFee: false },
    })),
  });

export interface Imported {
  /** From the post to the answer, and to the job's end. */
  acceptedMs: number;
  finishedMs: number;
}

/**
 * @param what `bookings` or `discount-codes`
 * @throws Error unless every row was imported
 */
export async function imported(
  url: string,
  { headers }: Asking,
  what: string,
  body: string,
  rows: number,
): Promise<Imported> {
  const began = performance.now();
  const answer = await fetch(`${url}/v0/${what}/import`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
  const { jobId, message } = (await answer.json()) as { jobId: string; message?: string };
  if (!answer.ok) throw new Error(message);
  const acceptedMs = performance.now() - began;
  for (;;) {
    const response = await fetch(`${url}/v0/${what}/import/${jobId}`, { headers });
    const job = (await response.json()) as { finishedAt: string | null; succeededRows: number };
    if (job.finishedAt) {
      if (job.succeededRows !== rows) throw new Error(`Only ${job.succeededRows} rows were imported`);
      return { acceptedMs, finishedMs: performance.now() - began };
    }
    await sleep(20);
  }
}

/** Takes an organization out again, so that a data set stays as it was made. */
export async function wipe(dataSource: DataSource, organizationId: string): Promise<void> {
  const tables: { name: string }[] = await dataSource.query(
    `SELECT c.table_name AS name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = 'public' AND c.column_name = 'organization_id' AND t.table_type = 'BASE TABLE'`,
  );
  await dataSource.transaction(async (manager) => {
    await manager.query('SET LOCAL session_replication_role = replica');
    for (const { name } of tables)
      await manager.query(`DELETE FROM "${name}" WHERE organization_id = $1`, [organizationId]);
    await manager.query('DELETE FROM organizations WHERE id = $1', [organizationId]);
  });
}
