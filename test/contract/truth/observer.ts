import { eventually } from '../../harness';
import type { Organization } from '../walk/organization';
import { LEAVES, leafOf, propertyOf, type RecordName } from './leaves';

/** A record that every step looks at, by the name of its type and its path; in the list for timing, by its id. */
export interface Watched {
  name: RecordName;
  path: string;
}

interface State {
  body: any;
  /** `null` in a list. */
  etag: string | null;
}

interface Event {
  type: string;
  data: Record<string, any>;
}

/** Events that name no properties, because they stand for all of them. */
const WHOLE = /\.(created|decided|cancelled|redacted)$/;

/** The names in events of what is a property of the list for timing only. */
const NAMES: Record<string, string[]> = {
  raceTitle: ['raceName'],
  wave: ['waves'],
  firstName: ['fields'],
  lastName: ['fields'],
  gender: ['fields'],
  yearOfBirth: ['fields'],
  answers: ['fields'],
  ageOnRaceDay: ['ageOnRaceDay', 'fields'],
};

const namesOf = (record: RecordName, property: string): string[] =>
  (record === 'TimingParticipant' && NAMES[property]) || [property];

const BY: Record<RecordName, string> = {
  Participant: 'participantId',
  Application: 'applicationId',
  TimingParticipant: 'participantId',
  Booking: 'bookingId',
  Partner: 'partnerId',
};

/** An event of an approved application is that of its participant. */
const TYPES: Record<RecordName, RegExp> = {
  Participant: /^participant\./,
  Application: /^(participant|application)\./,
  TimingParticipant: /^participant\./,
  Booking: /^booking\./,
  Partner: /^partner\./,
};

const idOf = ({ body }: State): string => body.id ?? body.participantId;

/**
 * Looks at records before and after a change: whichever property differs, `updatedAt` has moved, an event names the
 * property, and the ETag is another one.
 */
export class Observer {
  private cursor = '';
  /** After the last way, and the time of the last change then. */
  private settled: { latest?: string; states: State[] } | undefined;
  /** The ways that changed a property: `Participant.tags`. */
  readonly ways = new Map<string, Set<string>>();

  private constructor(
    private readonly walk: Organization,
    private readonly token: string,
    readonly watched: Watched[],
  ) {}

  static async of(walk: Organization, watched: Watched[]): Promise<Observer> {
    const { token } = await walk.key('organizer');
    return new Observer(walk, token, watched);
  }

  async watch(way: string, change: () => Promise<unknown>): Promise<void> {
    await this.events();
    const isAsSettled = (await this.latestChange()) === this.settled?.latest;
    const before = (isAsSettled && this.settled?.states) || (await this.states());
    await change();
    const announced: Event[] = [];
    let problems = ['nothing changed'];
    const settled = await eventually(async () => {
      const latest = await this.latestChange();
      if (!latest) return false;
      const states = await this.states();
      announced.push(...(await this.events()));
      problems = this.watched.flatMap((record, at) =>
        this.problemsOf(record, before[at] as State, states[at] as State, announced),
      );
      if (!this.hasChanged(before, states)) problems.push('nothing changed');
      return problems.length === 0 && (await this.latestChange()) === latest && { latest, states };
    }).catch(() => undefined);
    if (!settled) throw new Error(`${way}:\n${problems.join('\n')}`);
    this.settled = settled;
    const { states: after } = settled;
    for (const [at, { name }] of this.watched.entries())
      for (const leaf of this.differing(name, before[at] as State, after[at] as State)) {
        const key = `${name}.${leaf}`;
        this.ways.set(key, (this.ways.get(key) ?? new Set()).add(way));
      }
  }

  private differing(name: RecordName, before: State, after: State): string[] {
    return LEAVES[name].filter(
      (leaf) => leaf !== 'updatedAt' && leafOf(before.body, leaf) !== leafOf(after.body, leaf),
    );
  }

  private hasChanged(before: State[], after: State[]): boolean {
    return this.watched.some(
      ({ name }, at) => this.differing(name, before[at] as State, after[at] as State).length > 0,
    );
  }

  private problemsOf({ name, path }: Watched, before: State, after: State, announced: Event[]): string[] {
    const leaves = this.differing(name, before, after);
    if (leaves.length === 0) return [];
    const of = `${path} ${leaves}`;
    const events = announced.filter(
      ({ type, data }) => TYPES[name].test(type) && data[BY[name]] === idOf(before),
    );
    const named = new Set(events.flatMap(({ data }) => data.changed ?? []));
    const isWhole = events.some(({ type }) => WHOLE.test(type));
    const unnamed = isWhole
      ? []
      : leaves.map(propertyOf).filter((property) => !namesOf(name, property).some((each) => named.has(each)));
    return [
      ...(after.body.updatedAt > before.body.updatedAt ? [] : [`${of}: updatedAt has not moved`]),
      ...(unnamed.length === 0 ? [] : [`${of}: no event names ${[...new Set(unnamed)]}`]),
      ...(after.etag === null || after.etag !== before.etag ? [] : [`${of}: the ETag has not changed`]),
    ];
  }

  private async states(): Promise<State[]> {
    // Only lists have the properties of features.
    const list = '/v0/participants?features=waves,teams&extendMetadata=true&page[size]=500';
    const participants: any[] = (await this.walk.api.get(list, this.token)).body.data;
    const timed = `/timing-inbound/v1/participants?page[size]=500`;
    const forTiming = await this.walk.items(timed, 'timing');
    return Promise.all(
      this.watched.map(async ({ name, path }) => {
        if (name === 'TimingParticipant')
          return { body: forTiming.find(({ participantId }) => participantId === path), etag: null };
        // With any tag, so that the version is the current one.
        const { status, body, headers } = await this.walk.api.send('GET', path, undefined, this.token, {
          ...{ 'if-none-match': '"other"', 'accept-encoding': 'identity' },
        });
        expect([path, status]).toEqual([path, 200]);
        const listed = participants.find(
          ({ id, updatedAt }) => id === body.id && updatedAt === body.updatedAt,
        );
        return { body: listed ?? body, etag: headers.get('etag') };
      }),
    );
  }

  /** The events since the last call. */
  private async events(): Promise<Event[]> {
    const found: Event[] = [];
    for (;;) {
      const after = this.cursor ? `&page[after]=${encodeURIComponent(this.cursor)}` : '';
      const { body } = await this.walk.api.get(`/v0/change-events?page[size]=500${after}`, this.token);
      found.push(...body.data);
      this.cursor = body.page.last || this.cursor;
      if (!body.page.next) return found;
    }
  }

  /** The time of the last change of any record, unless the worker has yet to refresh one. */
  private async latestChange(): Promise<string | undefined> {
    const [{ pending, latest }] = await this.walk.api.dataSource.query(
      `SELECT (SELECT count(*)::int FROM pending_refreshes) AS pending, max(at)::text AS latest FROM (
         SELECT max(updated_at) AS at FROM start_list_entries UNION ALL SELECT max(updated_at) FROM bookings
         UNION ALL SELECT max(updated_at) FROM partners) changes`,
    );
    return pending === 0 ? latest : undefined;
  }
}
