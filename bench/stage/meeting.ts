import type { DataSource } from 'typeorm';
import { newId, StartListEntry } from '#libs/database';
import { booking, organization, ticket } from '#libs/testing';
import { type Asking, asking } from './stage';

const ROWS_PER_INSERT = 500;

/** A race day: an organization with participants, and the timing company's key. */
export interface Meeting {
  organizationId: string;
  timing: Asking;
  organizer: Asking;
  participantIds: string[];
}

export async function meeting(dataSource: DataSource, participants = 10_000): Promise<Meeting> {
  const { id: organizationId } = await organization(dataSource);
  const { id: ticketId } = await ticket(dataSource, { organizationId });
  const { entries } = await booking(dataSource, { organizationId, ticketId, entries: 1 });
  const { createdAt: _, updatedAt: __, ...like } = entries[0] as StartListEntry;
  const participantIds = Array.from({ length: participants }, () => newId());
  for (let from = 0; from < participants; from += ROWS_PER_INSERT) {
    const some = participantIds.slice(from, from + ROWS_PER_INSERT);
    const rows = some.map((participantId) => ({ ...like, id: newId(), participantId }));
    await dataSource.getRepository(StartListEntry).insert(rows as never);
  }
  await dataSource.query('ANALYZE start_list_entries');
  return {
    organizationId,
    timing: await asking(dataSource, 'TIMING', organizationId),
    organizer: await asking(dataSource, 'ORGANIZER', organizationId),
    participantIds,
  };
}

let clock = Date.parse('2026-05-04T06:00:00Z');

/** One in two says a bib, the other shipping news. */
export const message = (participantId: string, n: number) => ({
  schemaVersion: '1.0',
  data:
    n % 2
      ? { participantId, bibNumber: String(n) }
      : {
          participantId,
          shipping: { shippedAt: '2026-05-04T08:00:00Z', carrier: 'Post', trackingNumber: `RM${n}` },
        },
  changedAt: new Date(clock++).toISOString(),
});

/** Messages about the participants, the first few spared. */
export const someMessages = ({ participantIds }: Meeting, count: number, from = 0, spared = 0) =>
  Array.from({ length: count }, (_, n) =>
    message(
      participantIds[spared + (((from + n) * 7_919) % (participantIds.length - spared))] as string,
      from + n,
    ),
  );

export async function postMessages(url: string, { timing }: Meeting, messages: unknown[]): Promise<void> {
  const answer = await fetch(`${url}/timing-inbound/v1`, {
    method: 'POST',
    headers: { ...timing.headers, 'content-type': 'application/json' },
    body: JSON.stringify(messages),
  });
  if (!answer.ok) throw new Error(await answer.text());
  await answer.arrayBuffer();
}
