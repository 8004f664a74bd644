import { occurrence, race, wave } from '#libs/testing';
import { newId } from '#platform/database';
import { sharedApi, type TestApi } from '../harness';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());
const mine = <T extends object>(given: T) => ({ organizationId: api.organizationId, ...given });

describe('GET /v0/event-occurrences/{id}/races', () => {
  it('returns every race at once, in catalogue order, without unknown properties', async () => {
    const { id: eventOccurrenceId } = await occurrence(api.dataSource, mine({}));
    const ids: string[] = [];
    for (let position = 0; position < 105; position++) {
      ids.push((await race(api.dataSource, mine({ eventOccurrenceId, position }))).id);
    }
    const unsure = await race(
      api.dataSource,
      mine({
        eventOccurrenceId,
        position: 200,
        startDate: null,
        startTime: null,
        discipline: null,
        distanceValue: null,
        distanceUnit: null,
      }),
    );
    const { body } = await api.get(`/v0/event-occurrences/${eventOccurrenceId}/races`);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([...ids, unsure.id]);
    expect(body.data[0]).toMatchObject({ distance: { value: 10, unit: 'KM' }, startTime: '09:00:00' });
    expect(body.data.at(-1)).toEqual({
      id: unsure.id,
      title: unsure.title,
      titleByLocale: { 'en-GB': unsure.title },
      distance: {},
      priceRange: {},
    });
    const paged = await api.get(`/v0/event-occurrences/${eventOccurrenceId}/races?page[size]=10`);
    expect(paged.body.data).toHaveLength(10);
    expect(paged.body.page).toMatchObject({ totalResults: 106, next: paged.body.page.last });
  });
});

describe('GET /v0/races/{id}', () => {
  it('returns occurrence, event, course, waves and capacity', async () => {
    const courseId = newId();
    const made = await race(api.dataSource, mine({ maxCapacity: 500, courseId, courseTitle: 'Two laps' }));
    const later = await wave(
      api.dataSource,
      mine({ raceId: made.id, startDateTime: new Date('2030-05-04T09:10:00Z') }),
    );
    const first = await wave(
      api.dataSource,
      mine({ raceId: made.id, startDateTime: new Date('2030-05-04T09:00:00Z'), capacity: 100 }),
    );
    const { body } = await api.get(`/v0/races/${made.id}`);
    expect(body).toMatchObject({
      id: made.id,
      eventOccurrenceId: made.eventOccurrenceId,
      eventId: made.eventId,
      course: { id: courseId, title: 'Two laps', distance: { value: 10, unit: 'KM' } },
      waves: [
        { id: first.id, title: first.title, startDateTime: '2030-05-04T09:00:00.000000Z', capacity: 100 },
        { id: later.id, title: later.title, startDateTime: '2030-05-04T09:10:00.000000Z', capacity: null },
      ],
      maxCapacity: 500,
      usedCapacity: 0,
    });
  });

  it('returns every field, with null if there is no value', async () => {
    const { id } = await race(api.dataSource, mine({ discipline: null, startDate: null, startTime: null }));
    expect((await api.get(`/v0/races/${id}`)).body).toMatchObject({
      discipline: null,
      startDate: null,
      startTime: null,
      course: null,
      waves: [],
      maxCapacity: null,
    });
  });
});
