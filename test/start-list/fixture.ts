import { key, occurrence, race, ticket, wave } from '#libs/testing';
import type { Items } from '../answer';
import type { CommandLine, Outcome } from '../cli/startline';
import type { TestApi } from '../harness';

let organizations = 0;

/** A separate organization with an instant, a ballot and a manual ticket of one race, and rows for them. */
export async function startLists(api: TestApi, cli: CommandLine) {
  const { dataSource } = api;
  const slug = `lists-${++organizations}`;
  const { answer: made } = await cli.run('organization', 'create', '--slug', slug, '--name', slug);
  const organizationId: string = made.id;
  const { token } = await key(dataSource, { organizationId });
  const { id: eventOccurrenceId, eventId } = await occurrence(dataSource, { organizationId });
  const { id: raceId } = await race(dataSource, { organizationId, eventOccurrenceId });
  const onRace = { organizationId, raceId };
  const instant = await ticket(dataSource, onRace);
  const ballot = await ticket(dataSource, { ...onRace, approval: 'BALLOT' });
  const manual = await ticket(dataSource, { ...onRace, approval: 'MANUAL' });
  const { id: waveId } = await wave(dataSource, onRace);
  let files = 0;
  const load = (rows: unknown[] | string, ...options: string[]): Promise<Outcome> => {
    const text = typeof rows === 'string' ? rows : rows.map((row) => JSON.stringify(row)).join('\n');
    return loadFile(`rows-${++files}.jsonl`, text, ...options);
  };
  const loadFile = (name: string, content: string | Buffer, ...options: string[]): Promise<Outcome> =>
    cli.run('start-list', 'load', cli.file(name, content), '--organization', slug, ...options);
  const participant = (given: object = {}) => ({
    ticketId: instant.id,
    firstName: 'Ada',
    lastName: 'Lovelace',
    ...given,
  });
  return {
    ...{ organizationId, slug, token, eventOccurrenceId, eventId, raceId, waveId, instant, ballot, manual },
    load,
    loadFile,
    participant,
    row: (id: string, given: object = {}) => ({
      externalBookingId: id,
      eventOccurrenceId,
      booker: { email: `${id}@example.com`, firstName: 'Ada', lastName: 'Lovelace' },
      participants: [participant()],
      ...given,
    }),
    get: async <Path extends string>(path: Path) => (await api.get(path, token)).body,
    /** The latest booking under an external id, with its entries. */
    read: async (id: string) => {
      const { body } = await api.get(`/v0/bookings/external/${id}`, token);
      const { body: booking } = await api.get(
        `/v0/bookings/${body.data.at(-1).id}?extendMetadata=true`,
        token,
      );
      const all = async <T>(asked: Promise<T>[]) => (await Promise.all(asked)) as Items<T>;
      const one = async <Path extends string>(path: Path) => (await api.get(path, token)).body;
      return {
        booking,
        applications: await all(
          booking.applicationIds.map((each) => one(`/v0/applications/${each}?extendMetadata=true`)),
        ),
        participants: await all(booking.participantIds.map((each) => one(`/v0/participants/${each}`))),
      };
    },
    /** Everything that a load writes, without ids and write times. */
    state: () =>
      dataSource.query(
        `SELECT b.external_booking_id, b.source, b.status, b.booker_email, b.total_value, b.referral_codes, e.approval_status,
           e.application_resolution_type, e.fields, e.tags, e.bib_number, e.email_normalized, e.external_participant_id,
           (SELECT json_agg(json_build_array(l.item_type, l.amount_value) ORDER BY l.item_type, l.amount_value) FROM line_items l
             WHERE l.organization_id = b.organization_id AND l.booking_id = b.id) AS items
         FROM bookings b JOIN start_list_entries e ON e.organization_id = b.organization_id AND e.booking_id = b.id
         WHERE b.organization_id = $1 ORDER BY 1, e.participant_index`,
        [organizationId],
      ),
  };
}

export type StartLists = Awaited<ReturnType<typeof startLists>>;
