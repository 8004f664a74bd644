import { type Browser, signedIn } from '../../console/console';
import { operation, pathOf } from '../document';
import type { Organization } from '../walk/organization';
import { gbp } from '../walk/rows';
import { documentedSpellings, isShown, openIn, type Sent, sentIn, shownAt, spellingsOf } from './spellings';
import { UNREADABLE } from './unreadable';

type Body = Record<string, any>;

const TICKET_PRICE = 4500;

const answerOf = (participant: Body, { id, key }: Body) =>
  participant.fields.find((field: Body) => (id ? field.id === id : field.key === key))?.value;

const withoutStartline = ({ startline: _, ...metadata }: Body) => metadata;

/** What is shown of a person, in the form of what was sent. */
const personOf = (sent: Body, participant: Body): Body => ({
  ...Object.fromEntries(
    ['firstName', 'lastName', 'email', 'dateOfBirth', 'gender'].map((key) => [
      key,
      answerOf(participant, { key }),
    ]),
  ),
  // The answers name their questions.
  fields: sent.fields?.map((field: Body) => ({ ...field, value: answerOf(participant, field) })),
});

const unlessOfTicket = (sent: unknown, shown: Body | undefined) =>
  sent === null && shown?.value === TICKET_PRICE ? null : shown;

/** What is shown of a participant of a row, and of its line items. */
const participantOf = (sent: Body, participant: Body, lineItems: Body[]): Body => ({
  ...personOf(sent, participant),
  ticketId: participant.ticketId,
  externalParticipantId: participant.externalParticipantId,
  bibNumber: participant.bibNumber,
  waveId: participant.waves[0]?.id,
  // Without a price, the entry has that of its ticket.
  price: unlessOfTicket(
    sent.price,
    lineItems.find((item) => item.itemType === 'TICKET' && item.participantId === participant.id)?.amount,
  ),
  originalPrice: unlessOfTicket(sent.originalPrice, participant.originalTicketPrice),
  tags: participant.tags,
  notes: participant.notes,
  team: participant.team && { name: participant.team.name, role: participant.team.roles[0] },
  metadata: withoutStartline(participant.metadata),
});

/**
 * Sends every property of every write in every documented spelling, and reads it back. What is written again changes nothing: no time,
 * no event.
 */
export class Writes {
  /** What is not shown as it was sent, and what moved without a change. */
  readonly problems: string[] = [];
  private readonly sent = new Map<string, Set<string>>();

  private constructor(
    readonly walk: Organization,
    readonly browser: Browser,
    readonly ids: Record<string, string>,
  ) {}

  static async of(walk: Organization): Promise<Writes> {
    const { organiserId } = await walk.ask('GET', '/identity');
    const { browser } = await signedIn(walk.api, 'OWNER', undefined, organiserId);
    return new Writes(walk, browser, await catalogueOfWrites(walk));
  }

  /** The spellings that no write has had. */
  missingOf(name: string): string[] {
    const { body } = operation(name);
    const spelled = this.sent.get(name) ?? new Set();
    return [...new Set(documentedSpellings(body ?? {}))].filter(
      (each) =>
        ![each, inMessage(each)].some((spelling) => spelled.has(spelling)) &&
        !isUnreadable(name, each.slice(0, each.indexOf(': '))) &&
        !isUnreadable(name, each),
    );
  }

  /** Compares what was sent with what is shown of it. */
  compare(name: string, body: unknown, shown: unknown): void {
    const open = openIn(documentedSpellings(operation(name).body ?? {}));
    const spelled = this.sent.get(name) ?? new Set();
    this.sent.set(name, spelled);
    for (const each of sentIn(body, open)) {
      for (const spelling of spellingsOf(each)) spelled.add(inMessage(spelling));
      const found = shownAt(shown, each.at);
      if (!isUnreadable(name, each.name) && !isShown(each.value, found))
        this.problems.push(
          `${name} ${each.at.join('.')}: ${said(each.value)} was sent, ${said(found)} is shown`,
        );
    }
  }

  /** Sends a body to an operation of a key, or of the console, and compares it with what is shown afterwards. */
  async write(
    name: string,
    body: Body,
    shown: (answer: any) => unknown,
    ids: Record<string, string> = {},
  ): Promise<any> {
    const answer = await this.send(name, body, ids);
    this.compare(name, body, await shown(answer));
    return answer;
  }

  async send(name: string, body: unknown, ids: Record<string, string> = {}): Promise<any> {
    const of = operation(name);
    const path = pathOf(of, ids);
    if (of.access.keys.length > 0)
      return this.walk.ask(of.method, path, body, of.access.keys[0]?.toLowerCase());
    const { status, text, body: answer } = await this.browser.ask(of.method, path, body);
    if (status !== 200) throw new Error(`${of.method} ${path}: ${text}`);
    return answer;
  }

  /** Sends a body that is refused with the path of a property. */
  async refuse(name: string, body: Body, path: string): Promise<void> {
    const of = operation(name);
    const { status, body: answer } = await this.browser.ask(of.method, of.path, body);
    const paths = (answer.problems ?? []).map((each: Body) => each.path);
    if (status !== 400 || !paths.includes(path))
      this.problems.push(`${name} ${path} was neither stored nor refused: ${said(answer)}`);
    this.compare(name, body, body);
  }

  /** Repeats a write that changes nothing: no time moves, and no event is written. */
  async repeat(what: string, paths: string[], write: () => Promise<unknown>): Promise<void> {
    const before = await this.states(paths);
    const events = await this.countEvents();
    await write();
    const after = await this.states(paths);
    if (JSON.stringify(after) !== JSON.stringify(before))
      this.problems.push(`${what}, repeated, changed something`);
    if ((await this.countEvents()) !== events) this.problems.push(`${what}, repeated, wrote an event`);
  }

  /** Changes something: what shows it has another time, and nothing else has. */
  async change(what: string, paths: string[], write: () => Promise<unknown>): Promise<void> {
    const before = await this.states(paths);
    await write();
    const after = await this.states(paths);
    for (const [i, path] of paths.entries()) {
      const [{ updatedAt: was, ...former }, { updatedAt: is, ...now }] = [
        before[i] as Body,
        after[i] as Body,
      ];
      const isChanged = JSON.stringify(former) !== JSON.stringify(now);
      if (isChanged !== is > was)
        this.problems.push(`${what}: ${path} ${isChanged ? 'changed without' : 'moved'} its time`);
    }
  }

  private states(paths: string[]): Promise<Body[]> {
    return Promise.all(paths.map((path) => this.walk.ask('GET', path)));
  }

  private async countEvents(): Promise<number> {
    const [{ count }] = await this.walk.api.dataSource.query('SELECT count(*)::int FROM change_events');
    return count;
  }

  /** A participant with everything that lists of it have. */
  async participant(id: string): Promise<Body> {
    const [{ externalBookingId, bookingId }] = [await this.walk.ask('GET', `/v0/participants/${id}`)];
    const filter = externalBookingId ? `&externalBookingId=${externalBookingId}` : '';
    const list = `/v0/participants?features=teams,waves&extendMetadata=true&page[size]=500${filter}`;
    const found = (await this.walk.items(list)).find((each) => each.id === id);
    return { ...found, bookingId };
  }

  /** What is shown of a participant, in the form of what was sent. */
  async participantShown(sent: Body, id: string): Promise<Body> {
    const participant = await this.participant(id);
    const lineItems = await this.walk.items(`/v0/bookings/${participant.bookingId}/line-items`);
    return participantOf(sent, participant, lineItems);
  }

  /** The paths that an import reports are those of what was sent that differs from what was shown before. */
  compareDiffers(what: string, row: Body, before: unknown, differs: string[] = []): void {
    const open = openIn(
      documentedSpellings(operation('correctBookings').body ?? {}).map((each) =>
        each.replace('bookings[].', ''),
      ),
    );
    const sent = sentIn(row, open).filter(({ name }) => !isUnreadable('correctBookings', name));
    const expected = differingPaths(sent, before);
    const covers = (path: string, of: string) =>
      of === path || of.startsWith(`${path}.`) || of.startsWith(`${path}[`);
    const missing = expected.filter((path) => !differs.some((each) => covers(each, path)));
    const wrong = differs.filter((each) => !expected.some((path) => covers(each, path)));
    if (missing.length > 0) this.problems.push(`${what}: differs lacks ${missing.join(', ')}`);
    if (wrong.length > 0) this.problems.push(`${what}: differs has ${wrong.join(', ')}`);
  }

  /** What is shown of a row of a booking. */
  async booking(sent: Body): Promise<Body> {
    const [{ id }] = await this.walk.items(`/v0/bookings/external/${sent.externalBookingId}`);
    const booking = await this.walk.ask('GET', `/v0/bookings/${id}?extendMetadata=true`);
    const lineItems = await this.walk.items(`/v0/bookings/${id}/line-items`);
    const participants = await Promise.all(
      booking.participantIds.map((each: string) => this.participant(each)),
    );
    return {
      ...booking,
      sourcePlatform: booking.metadata.startline.source,
      metadata: withoutStartline(booking.metadata),
      participants: sent.participants.map((each: Body, i: number) =>
        participantOf(each, participants[i] as Body, lineItems),
      ),
    };
  }

  /** Imports rows, and compares each with what is shown of it. */
  async import(
    name: string,
    collection: string,
    rows: Body[],
    shown: (row: Body, result: Body) => Promise<unknown>,
  ): Promise<Body[]> {
    const { method, path } = operation(name);
    const { results } = await this.walk.import(path.slice('/v0/'.length), collection, rows, method);
    const all = await Promise.all(rows.map((row, i) => shown(row, results[i])));
    this.compare(name, { [collection]: rows }, { [collection]: all });
    return results;
  }
}

const said = (value: unknown) => JSON.stringify(value) ?? 'nothing';

/** Messages and batches of them are written in the same way. */
const inMessage = (property: string) => property.replace(/^\[\]\./, '');

/** @param property with `: null`, whether `null` is */
function isUnreadable(operationName: string, property: string): boolean {
  const given = `.${inMessage(property).replace(': null', ':null')}`;
  return [operationName, '*']
    .flatMap((of) => Object.keys(UNREADABLE[of] ?? {}))
    .flatMap((names) => names.split(' '))
    .some((name) => given.endsWith(`.${name}`) || new RegExp(`\\.${name}(\\.|\\[)`).test(given));
}

/** Paths of a row that differ from what was shown before, as an import reports them. */
export function differingPaths(sent: Sent[], before: unknown): string[] {
  return sent
    .filter(({ at, value }) => !isShown(value, shownAt(before, at)))
    .map(({ at }) =>
      at.reduce(
        (path: string, part) =>
          typeof part === 'number' ? `${path}[${part}]` : path ? `${path}.${part}` : part,
        '',
      ),
    );
}

/** An event with what the writes are about, apart from that of the other tests. */
async function catalogueOfWrites(walk: Organization): Promise<Record<string, string>> {
  const ticket = (ticketSlug: string, more: object = {}) => ({
    ...{ ticketSlug, title: ticketSlug, price: gbp(TICKET_PRICE), bookingForms: ['Written'] },
    ...more,
  });
  const options = ['MEAT', 'FISH'].map((value) => ({ value, label: value }));
  const [form] = [['writtenSize', 'writtenClub', 'writtenAge', 'writtenFirst', 'writtenMeals']];
  await walk.ask('PUT', '/v0/catalogue', {
    records: [
      { ...{ record: 'bookingFormField', key: 'writtenSize', label: 'Size', type: 'SELECT' }, options },
      { record: 'bookingFormField', key: 'writtenClub', label: 'Club', type: 'TEXT' },
      { record: 'bookingFormField', key: 'writtenAge', label: 'Age', type: 'NUMBER' },
      { record: 'bookingFormField', key: 'writtenFirst', label: 'First race', type: 'BOOLEAN' },
      {
        ...{ record: 'bookingFormField', key: 'writtenMeals', label: 'Meals', type: 'MULTI_SELECT' },
        options,
      },
      { record: 'bookingForm', title: 'Written', fields: form },
      { record: 'event', slug: 'written', title: 'Written' },
      {
        ...{ record: 'partner', name: 'Written partner', type: 'CHARITY' },
        contacts: [{ firstName: 'A', lastName: 'B', email: 'a@b.example' }],
      },
      {
        ...{ record: 'occurrence', event: 'written', slug: 'written-2090', title: 'Written' },
        ...{ startDate: '2090-06-01', timeZone: 'Europe/London' },
        location: { address: { city: 'London', countryCode: 'GB' } },
        races: [
          {
            ...{ title: 'Written race', distance: { value: 10, unit: 'KM' } },
            waves: [{ title: 'First' }, { title: 'Second' }],
            tickets: [
              ticket('written'),
              ticket('written-other', { price: gbp(5000) }),
              ticket('written-manual', { approval: 'MANUAL' }),
              ticket('written-ballot', { approval: 'BALLOT' }),
            ],
          },
        ],
        addOns: [{ title: 'Cap', price: gbp(1500), variants: [{ title: 'Red' }, { title: 'Blue' }] }],
        referralPrograms: [{ title: 'Written program' }],
        reservedEntryGroups: [
          {
            ...{ code: 'WRITTEN', name: 'Written group', maxCapacity: 50, partner: 'Written partner' },
            tickets: [{ ticketSlug: 'written' }],
          },
        ],
      },
    ],
  });
  const records: any[] = await walk.command('catalogue', 'export', '--organization', walk.slug);
  const occurrence = records.find(({ slug }) => slug === 'written-2090');
  const [race] = occurrence.races;
  return {
    event: records.find(({ slug }) => slug === 'written').id,
    partner: records.find(({ name }) => name === 'Written partner').id,
    occurrence: occurrence.id,
    race: race.id,
    wave: race.waves[0].id,
    otherWave: race.waves[1].id,
    ...Object.fromEntries(race.tickets.map((each: any) => [each.ticketSlug, each.id])),
    ...Object.fromEntries(
      records.filter(({ key }) => (form as string[]).includes(key)).map(({ key, id }) => [key, id]),
    ),
    addOn: occurrence.addOns[0].id,
    red: occurrence.addOns[0].variants[0].id,
    blue: occurrence.addOns[0].variants[1].id,
    program: occurrence.referralPrograms[0].id,
    group: occurrence.reservedEntryGroups[0].id,
  };
}
