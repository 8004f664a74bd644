import type { DataSource } from 'typeorm';
import { inviteMember } from '#domain/staff';
import { discountCode, key, organization, partner, ticket } from '#libs/testing';
import type { Fleet } from './fleet';
import { until } from './until';

/** Staff cancel bookings whose external id begins with this, the last name of their participants. */
export const CANCELLABLE = 'Lovelace';
const PARTICIPANTS = 6;
export const DISCOUNT_USES = 60;
export const EVENT_TYPES = ['partner.created', 'booking.created', 'booking.cancelled', 'import.finished'];
const ACTOR = { type: 'COMMAND_LINE', id: null, origin: null } as const;

/** The organization that clients write to. */
export interface Target {
  organizationId: string;
  token: string;
  timingToken: string;
  eventOccurrenceId: string;
  ticketId: string;
  participantIds: string[];
  staff: { cookie: string; organizationId: string };
  /** A partner that only one client renames. */
  partnerId: string;
  /** A code with `DISCOUNT_USES` uses. */
  discountCode: string;
  /** The key of another organization. */
  strangersToken: string;
  /** With the owner's role, over a network that does not fail. */
  dataSource: DataSource;
}

export async function targetOn(fleet: Fleet, dataSource: DataSource): Promise<Target> {
  const { id: organizationId, slug } = await organization(dataSource);
  const of = { organizationId };
  const { token } = await key(dataSource, of);
  const { token: timingToken } = await key(dataSource, { ...of, kind: 'TIMING' });
  const { id: ticketId, eventOccurrenceId } = await ticket(dataSource, of);
  const [url = ''] = fleet.urls;
  const asKey = { authorization: `Bearer ${token}` };
  const send = async (
    method: string,
    path: string,
    body: object,
    headers: Record<string, string> = asKey,
  ) => {
    const response = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return { headers: response.headers, body: (await response.json()) as any };
  };
  const endpoint = { url: `${fleet.receiver.url}/start`, types: EVENT_TYPES };
  const { body } = await send('POST', '/v0/webhook-endpoints', endpoint);
  const signed = `${fleet.receiver.url}/asked?secret=${encodeURIComponent(body.secret)}`;
  await send('PATCH', `/v0/webhook-endpoints/${body.id}`, { url: signed });

  const person = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
  await send('POST', '/v0/bookings/import', {
    bookings: Array.from({ length: PARTICIPANTS }, (_, i) => ({
      externalBookingId: `first-${i}`,
      eventOccurrenceId,
      booker: person,
      participants: [{ ticketId, ...person }],
    })),
  });
  const participantIds = await until('the first bookings are imported', async () => {
    const rows: { id: string }[] = await dataSource.query(
      'SELECT participant_id AS id FROM start_list_entries WHERE organization_id = $1',
      [organizationId],
    );
    return rows.length === PARTICIPANTS && rows.map(({ id }) => id);
  });

  const email = 'staff@example.com';
  const invited = await inviteMember(dataSource.manager, { ...of, email, role: 'OWNER' }, ACTOR);
  const session = await send(
    'POST',
    '/console/v1/session/redeem',
    { organization: slug, token: invited.token },
    { 'sec-fetch-site': 'same-origin' },
  );
  const cookie = session.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const { id: partnerId } = await partner(dataSource, of);
  const { code } = await discountCode(dataSource, { ...of, limitUsage: DISCOUNT_USES });
  const stranger = await organization(dataSource);
  return {
    ...of,
    token,
    timingToken,
    eventOccurrenceId,
    ticketId,
    participantIds,
    staff: { cookie, ...of },
    partnerId,
    discountCode: code,
    strangersToken: (await key(dataSource, { organizationId: stranger.id })).token,
    dataSource,
  };
}
