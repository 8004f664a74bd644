import { type DataSource, type DeepPartial, type EntityTarget, In, type ObjectLiteral } from 'typeorm';
import { Event, EventOccurrence, newId, Race, Ticket, Wave } from '#platform/database';
import { next } from './organizations';

type Stored = ObjectLiteral & { organizationId: string; id: string };

/** Inserts one row and returns it as stored. */
export async function insert<Row extends Stored>(
  dataSource: DataSource,
  entity: EntityTarget<Row>,
  row: DeepPartial<Row>,
): Promise<Row> {
  const [stored] = await insertAll(dataSource, entity, [row]);
  return stored as Row;
}

/** Inserts rows of one organization with one statement, and returns them as stored, in their order. */
export async function insertAll<Row extends Stored>(
  dataSource: DataSource,
  entity: EntityTarget<Row>,
  rows: DeepPartial<Row>[],
): Promise<Row[]> {
  const [first] = rows;
  if (!first) return [];
  const repository = dataSource.getRepository(entity);
  const whole = rows.map((row) => ({ id: newId(), ...row }));
  await repository.insert(whole as never);
  const ids = whole.map(({ id }) => id as string);
  const stored = await repository.findBy({ organizationId: first.organizationId, id: In(ids) } as never);
  const byId = new Map(stored.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id) as Row);
}

/** A row of an organization; the rest is filled in. */
export type Given<Row> = Partial<Row> & { organizationId: string };

export const event = (dataSource: DataSource, given: Given<Event>) => {
  const n = next();
  return insert(dataSource, Event, { slug: `event-${n}`, title: `Event ${n}`, ...given });
};

export const occurrence = async (dataSource: DataSource, given: Given<EventOccurrence>) => {
  const n = next();
  const { organizationId } = given;
  const eventId = given.eventId ?? (await event(dataSource, { organizationId })).id;
  return insert(dataSource, EventOccurrence, {
    slug: `occurrence-${n}`,
    title: `Occurrence ${n}`,
    startDate: '2030-05-04',
    timeZone: 'Europe/London',
    ...given,
    eventId,
  } as DeepPartial<EventOccurrence>);
};

export const race = async (dataSource: DataSource, given: Given<Race>) => {
  const n = next();
  const { organizationId } = given;
  const of = given.eventOccurrenceId
    ? await dataSource
        .getRepository(EventOccurrence)
        .findOneByOrFail({ organizationId, id: given.eventOccurrenceId })
    : await occurrence(dataSource, { organizationId });
  return insert(dataSource, Race, {
    title: `Race ${n}`,
    position: n,
    distanceValue: '10',
    distanceUnit: 'KM',
    discipline: 'RUNNING',
    startDate: of.startDate,
    startTime: '09:00:00',
    ...given,
    eventOccurrenceId: of.id,
    eventId: of.eventId,
  } as DeepPartial<Race>);
};

export const ticket = async (dataSource: DataSource, given: Given<Ticket>) => {
  const n = next();
  const { organizationId } = given;
  const of = given.raceId
    ? await dataSource.getRepository(Race).findOneByOrFail({ organizationId, id: given.raceId })
    : await race(dataSource, {
        organizationId,
        ...(given.eventOccurrenceId && { eventOccurrenceId: given.eventOccurrenceId }),
      });
  return insert(dataSource, Ticket, {
    slug: `ticket-${n}`,
    title: `Ticket ${n}`,
    position: n,
    priceValue: '4500',
    currencyCode: 'GBP',
    ...given,
    raceId: of.id,
    eventOccurrenceId: of.eventOccurrenceId,
    eventId: of.eventId,
  } as DeepPartial<Ticket>);
};

export const wave = (dataSource: DataSource, given: Given<Wave> & { raceId: string }) => {
  const n = next();
  return insert(dataSource, Wave, { title: `Wave ${n}`, position: n, ...given });
};
