import { bookingForm, bookingFormField, key, organization, race, ticket } from '#libs/testing';
import { newId } from '#platform/database';
import { type Answer, sharedApi, type TestApi } from '../harness';

let api: TestApi;
let organizationId: string;
beforeAll(async () => {
  api = await sharedApi();
  organizationId = api.organizationId;
});
afterAll(() => api.close());

const ids = ({ body }: Answer<{ data: { id: string }[] }>) => body.data.map(({ id }) => id);
const instant = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/);
const newTicket = (given: object = {}) => ticket(api.dataSource, { organizationId, ...given });
const newForm = (given: object = {}) => bookingForm(api.dataSource, { organizationId, ...given });
const newField = (given: object = {}) => bookingFormField(api.dataSource, { organizationId, ...given });

describe('booking forms', () => {
  describe('returns', () => {
    it('a form', async () => {
      const { id } = await newForm({ title: 'Marathon entry' });
      const { status, body } = await api.get(`/v0/booking-forms/${id}`);
      expect(status).toBe(200);
      expect(body).toEqual({ id, title: 'Marathon entry', createdAt: instant, updatedAt: instant });
    });

    it('the forms of a ticket in order of creation', async () => {
      const { id } = await newTicket();
      expect((await api.get(`/v0/tickets/${id}/booking-forms`)).body).toEqual({
        data: [],
        page: { totalResults: 0, first: '', last: '', prev: '', next: '' },
      });
      const forms = [await newForm({ ticketIds: [id] }), await newForm({ ticketIds: [id] })];
      await newForm();
      const answer = await api.get(`/v0/tickets/${id}/booking-forms`);
      expect(ids(answer)).toEqual(forms.map((form) => form.id));
      expect(answer.body.page.totalResults).toBe(2);
    });

    it('the forms of a deleted ticket', async () => {
      const { id } = await newTicket({ deletedAt: new Date() });
      const form = await newForm({ ticketIds: [id] });
      expect(ids(await api.get(`/v0/tickets/${id}/booking-forms`))).toEqual([form.id]);
    });

    it('the tickets that use a form, with their availability', async () => {
      const hour = 3_600_000;
      const { id: raceId } = await race(api.dataSource, { organizationId });
      const { id: fullRaceId } = await race(api.dataSource, { organizationId, maxCapacity: 0 });
      const of = (position: number, title: string, given: object = {}) =>
        newTicket({ raceId, position, title, ...given });
      const tickets = [
        await of(1, 'open'),
        await of(2, 'in sale', {
          saleStart: new Date(Date.now() - hour),
          saleEnd: new Date(Date.now() + hour),
        }),
        await of(3, 'early', { saleStart: new Date(Date.now() + hour), maxCapacity: 0 }),
        await of(4, 'late', { saleEnd: new Date(Date.now() - hour), maxCapacity: 0 }),
        await of(5, 'sold out', { maxCapacity: 0 }),
        await of(6, 'race full', { raceId: fullRaceId }),
        await of(7, 'deleted', { deletedAt: new Date() }),
      ];
      const { id } = await newForm({ ticketIds: tickets.map((each) => each.id) });
      const { body } = await api.get(`/v0/booking-forms/${id}/tickets`);
      expect(body.data).toEqual(
        [
          ['open', 'AVAILABLE'],
          ['in sale', 'AVAILABLE'],
          ['early', 'NOT_YET_ON_SALE'],
          ['late', 'CLOSED'],
          ['sold out', 'SOLD_OUT'],
          ['race full', 'SOLD_OUT'],
        ].map(([title, availability], n) => ({ id: tickets[n]?.id, title, availability })),
      );
      expect(body.page.totalResults).toBe(6);
    });

    it('the tickets of a form in pages', async () => {
      const tickets = [await newTicket(), await newTicket(), await newTicket()];
      const { id } = await newForm({ ticketIds: tickets.map((each) => each.id) });
      const first = await api.get(`/v0/booking-forms/${id}/tickets?page[size]=2`);
      expect(ids(first)).toEqual([tickets[0]?.id, tickets[1]?.id]);
      const second = await api.get(
        `/v0/booking-forms/${id}/tickets?page[size]=2&page[after]=${first.body.page.next}`,
      );
      expect(ids(second)).toEqual([tickets[2]?.id]);
      expect(second.body.page.next).toBe('');
    });

    it('all fields of a form in the order of the form', async () => {
      const fields = await Promise.all(Array.from({ length: 120 }, () => newField()));
      const fieldIds = fields.map((field) => field.id).reverse();
      const { id } = await newForm({ fieldIds });
      const answer = await api.get(`/v0/booking-forms/${id}/fields`);
      expect(ids(answer)).toEqual(fieldIds);
      expect(answer.body.page).toMatchObject({ totalResults: 120, next: '', prev: '' });
      const page = await api.get(`/v0/booking-forms/${id}/fields?page[size]=7`);
      expect(ids(page)).toEqual(fieldIds.slice(0, 7));
      expect(page.body.page.next).toBe(page.body.page.last);
    });

    it('the forms that contain a field', async () => {
      const field = await newField();
      const forms = [await newForm({ fieldIds: [field.id] }), await newForm({ fieldIds: [field.id] })];
      await newForm({ fieldIds: [(await newField()).id] });
      const answer = await api.get(`/v0/booking-form-fields/${field.id}/booking-forms`);
      expect(ids(answer)).toEqual(forms.map((form) => form.id));
    });

    it('a field', async () => {
      const options = [
        { value: 's', label: 'Small' },
        { value: 'm', label: 'Medium' },
      ];
      const { id } = await newField({
        key: 'shirt',
        label: 'Shirt',
        type: 'SELECT',
        options,
        required: true,
        helpText: 'They run small.',
      });
      expect((await api.get(`/v0/booking-form-fields/${id}`)).body).toEqual({
        id,
        key: 'shirt',
        label: 'Shirt',
        type: 'SELECT',
        options,
        required: true,
        helpText: 'They run small.',
      });
    });

    it('a field without options or help', async () => {
      const { id } = await newField();
      const { body } = await api.get(`/v0/booking-form-fields/${id}`);
      expect(body).toMatchObject({ options: [], required: false, helpText: null });
    });

    it('all fields of the organization in order of creation', async () => {
      const { id: other } = await organization(api.dataSource);
      const { token } = await key(api.dataSource, { organizationId: other });
      const made: string[] = [];
      for (let n = 0; n < 105; n += 1) {
        made.push((await bookingFormField(api.dataSource, { organizationId: other })).id);
      }
      const answer = await api.get('/v0/booking-form-fields', token);
      expect(ids(answer)).toEqual(made);
      expect(answer.body.page.totalResults).toBe(105);
    });
  });

  describe('invalid input', () => {
    it.each([
      '/v0/booking-forms/1',
      '/v0/booking-forms/1/fields',
      '/v0/booking-forms/1/tickets',
      '/v0/booking-form-fields/1',
      '/v0/booking-form-fields/1/booking-forms',
      '/v0/tickets/1/booking-forms',
    ])('returns 404 for a malformed id: %s', async (path) => {
      expect((await api.get(path)).status).toBe(404);
    });

    it.each(['page[size]=0', 'page[size]=501', 'sort[createdAt]=1', 'search=x'])(
      'returns 400 for %s',
      async (query) => {
        expect((await api.get(`/v0/booking-form-fields?${query}`)).status).toBe(400);
      },
    );
  });

  describe('other organizations', () => {
    it('get the same response as for a missing record', async () => {
      const [{ id: ticketId }, { id: fieldId }] = [await newTicket(), await newField()];
      const { id: formId } = await newForm({ ticketIds: [ticketId], fieldIds: [fieldId] });
      const { id: other } = await organization(api.dataSource);
      const { token } = await key(api.dataSource, { organizationId: other });
      for (const path of [
        (id: string) => `/v0/booking-forms/${id || formId}`,
        (id: string) => `/v0/booking-forms/${id || formId}/fields`,
        (id: string) => `/v0/booking-forms/${id || formId}/tickets`,
        (id: string) => `/v0/booking-form-fields/${id || fieldId}`,
        (id: string) => `/v0/booking-form-fields/${id || fieldId}/booking-forms`,
        (id: string) => `/v0/tickets/${id || ticketId}/booking-forms`,
      ]) {
        expect((await api.get(path(''))).status).toBe(200);
        const foreign = await api.get(path(''), token);
        expect(foreign.status).toBe(404);
        expect(foreign.body).toEqual((await api.get(path(newId()), token)).body);
      }
      expect(ids(await api.get('/v0/booking-form-fields', token))).toEqual([]);
    });
  });
});
