import {
  bookingForm,
  bookingFormField,
  key,
  organization,
  partner,
  reservedEntryGroup,
  ticket,
} from '#libs/testing';
import { ApiKey, newId, type ReservedEntryGroup } from '#platform/database';
import { signedIn } from '../console/console';
import { eventually, sharedApi, type TestApi } from '../harness';
import { importRows } from '../imports/import';

let api: TestApi;
let phone: { id: string };
let size: { id: string };
const mine = <T extends object>(given: T) => ({ organizationId: api.organizationId, ...given });
const question = (given: object) => bookingFormField(api.dataSource, mine(given));
beforeAll(async () => {
  api = await sharedApi();
  for (const name of ['firstName', 'lastName']) await question({ key: name });
  await question({ key: 'email', type: 'EMAIL' });
  await question({ key: 'dateOfBirth', type: 'DATE' });
  await question({ key: 'gender' });
  phone = await question({ key: 'emergencyPhone', type: 'PHONE' });
  const options = ['S', 'M'].map((value) => ({ value, label: value }));
  size = await question({ key: 'sizes', type: 'MULTI_SELECT', options });
});
afterAll(() => api.close());

let serial = 0;
const email = (domain = 'example.com') => `grace-${++serial}@${domain}`;
const query = (sql: string, ...values: unknown[]) => api.dataSource.query(sql, values);

/** A partner with a group whose ticket asks two questions, and what its key adds to a participant that it has assigned. */
async function charity({
  parentPartnerId,
  ...given
}: { parentPartnerId?: string } & Partial<ReservedEntryGroup> = {}) {
  const { id } = await partner(api.dataSource, mine({ parentPartnerId }));
  const sold = await ticket(api.dataSource, mine({}));
  await bookingForm(api.dataSource, mine({ ticketIds: [sold.id], fieldIds: [phone.id, size.id] }));
  const group = await reservedEntryGroup(
    api.dataSource,
    mine({ partnerId: id, ticketId: sold.id, maxCapacity: 50, ...given }),
  );
  const { token } = await key(api.dataSource, mine({ partnerId: id }));
  const assign = async (more: object = {}): Promise<string> => {
    const participant = { firstName: 'Grace', lastName: 'Hopper', email: email(), ...more };
    const place = { reservedEntryGroupId: group.id, ticketSlug: sold.slug, participant };
    const job: any = await importRows(
      api,
      'reserved-entries/participants/import',
      { assignments: [{ externalAssignmentId: `place-${++serial}`, ...place }] },
      { token },
    );
    expect(job.errors).toEqual([]);
    return job.results[0].participantId;
  };
  return { id, group, token, assign };
}

const correct = (id: string, body: object, token?: string) =>
  api.send('PATCH', `/v0/participants/${id}`, body, token);
const read = async (id: string) => (await api.get(`/v0/participants/${id}?extendMetadata=true`)).body as any;
const answersOf = ({ fields }: any): Record<string, unknown> =>
  Object.fromEntries(fields.map(({ key: of, value }: any) => [of, value]));
const refusalOf = ({ status, body }: { status: number; body: any }) => [
  status,
  ...(body.problems ?? []).map(({ path, code }: any) => `${path} ${code}`),
];

const ALL = {
  ...{ lastName: 'Hopper', email: 'grace@example.com', dateOfBirth: '1990-04-12', gender: 'FEMALE' },
  fields: [
    { key: 'emergencyPhone', value: '+44 1' },
    { key: 'sizes', value: ['M'] },
  ],
};
/** The organizer can remove what an assignment needs. */
const EMPTY = { lastName: null, email: null };

describe('what is missing', () => {
  it('is added by a key and by a member of the partner, once, as any correction', async () => {
    const { id: partnerId, token, assign } = await charity();
    const id = await assign();
    expect((await correct(id, EMPTY)).status).toBe(200);
    const before = await read(id);
    const added = await correct(id, ALL, token);
    expect([added.status, answersOf(added.body)]).toEqual([
      200,
      {
        ...{ firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' },
        ...{ dateOfBirth: '1990-04-12', gender: 'FEMALE', emergencyPhone: '+44 1', sizes: ['M'] },
      },
    ]);
    const after = await read(id);
    expect(added.body.updatedAt > before.updatedAt).toBe(true);
    const { fields: _, updatedAt: __, ...others } = after;
    expect(before).toMatchObject(others);
    // As it is stored, it is no change.
    const again = await correct(id, ALL, token);
    expect([again.status, again.body]).toEqual([200, added.body]);
    const same = await correct(id, { fields: [{ id: size.id, value: ['M'] }], firstName: 'Grace' }, token);
    expect([same.status, same.body]).toEqual([200, added.body]);

    const other = await assign();
    const { browser, memberId } = await signedIn(api, 'PARTNER', undefined, undefined, partnerId);
    const fields = [{ id: phone.id, value: '+44 2' }];
    const { status, body } = await browser.ask('PATCH', `/v0/participants/${other}`, { fields });
    expect([status, answersOf(body)]).toMatchObject([200, { emergencyPhone: '+44 2' }]);
    const [{ id: keyId }] = await query('SELECT id FROM api_keys WHERE partner_id = $1', partnerId);
    const records = await query(
      `SELECT action, actor_type, actor_id, changes FROM audit_log WHERE object_id = ANY ($1) AND actor_id = ANY ($2) ORDER BY id`,
      [id, other],
      [keyId, memberId],
    );
    expect(records).toMatchObject([
      { action: 'participant.update', actor_type: 'KEY', actor_id: keyId },
      { action: 'participant.update', actor_type: 'STAFF', actor_id: memberId },
    ]);
    expect(JSON.stringify(records[1].changes)).toContain('emergencyPhone');
  });

  it('can be what was answered with nothing', async () => {
    const { token, assign } = await charity();
    const fields = [
      { key: 'emergencyPhone', value: '' },
      { key: 'sizes', value: [] },
    ];
    const id = await assign({ fields });
    expect((await correct(id, { fields: ALL.fields }, token)).status).toBe(200);
    expect(answersOf(await read(id))).toMatchObject({ emergencyPhone: '+44 1', sizes: ['M'] });
  });

  it('is added by a parent to its sub-partners’ participants, and not by others', async () => {
    const parent = await charity();
    const [sub, sibling, stranger] = [
      await charity({ parentPartnerId: parent.id }),
      await charity({ parentPartnerId: parent.id }),
      await charity(),
    ];
    const { id: organizationId } = await organization(api.dataSource);
    const foreign = await key(api.dataSource, { organizationId });
    const [id, ofParent] = [await sub.assign(), await parent.assign()];
    const before = await read(id);
    const added = { fields: [{ key: 'emergencyPhone', value: '+44 1' }] };
    for (const [of, token] of [
      [id, sibling.token],
      [id, stranger.token],
      [id, foreign.token],
      [ofParent, sub.token],
      [newId(), sub.token],
    ] as const) {
      const { status, text } = await correct(of, added, token);
      expect([status, text]).toEqual([404, (await correct(newId(), added, token)).text]);
    }
    expect(await read(id)).toEqual(before);
    expect((await correct(id, added, parent.token)).status).toBe(200);
  });

  it('goes to the first of members who add it at once', async () => {
    const { id: partnerId, token, assign } = await charity();
    const id = await assign();
    const members = await Promise.all(
      [1, 2, 3].map(() => signedIn(api, 'PARTNER', undefined, undefined, partnerId)),
    );
    const answers = await Promise.all(
      Array.from({ length: 12 }, async (_, i) => {
        const fields = [{ key: 'emergencyPhone', value: `+44 ${i}` }];
        const { browser } = members[i % 3] as (typeof members)[0];
        return i % 4 === 3
          ? correct(id, { fields }, token)
          : browser.ask('PATCH', `/v0/participants/${id}`, { fields });
      }),
    );
    const first = answers.findIndex(({ status }) => status === 200);
    expect(answers.map(refusalOf)).toEqual(
      answers.map((_, i) => (i === first ? [200] : [400, 'fields[0] NOT_CORRECTABLE'])),
    );
    expect(answersOf(await read(id)).emergencyPhone).toBe(`+44 ${first}`);
  });
});

describe('what is stored', () => {
  const STORED = ['firstName', 'lastName', 'email', 'dateOfBirth', 'gender'] as const;
  const given = (name: string, value: unknown) => ({ [name]: value });
  const ofPhone = (value: unknown) => [
    [{ key: 'emergencyPhone', value }],
    [{ id: phone.id, value }],
    [
      { key: 'sizes', value: ['S'] },
      { id: phone.id, value },
    ],
  ];
  it('does not change: neither by another value nor by null, and nothing beside it is written', async () => {
    const { token, assign } = await charity();
    const stored = { firstName: 'Grace', ...ALL, email: email(), fields: [ALL.fields[0]] };
    const id = await assign(stored);
    const before = await read(id);
    const added = { fields: [{ key: 'sizes', value: ['S'] }] };
    const values: Record<string, unknown> = {
      ...{ firstName: 'Alan', lastName: 'Turing', email: email(), dateOfBirth: '1991-01-01', gender: 'MALE' },
    };
    for (const name of STORED)
      for (const value of [values[name], null])
        expect(refusalOf(await correct(id, { ...added, ...given(name, value) }, token))).toEqual([
          400,
          `${name} NOT_CORRECTABLE`,
        ]);
    for (const value of ['+44 9', null])
      for (const fields of ofPhone(value))
        expect(refusalOf(await correct(id, { fields }, token))).toEqual([
          400,
          `fields[${fields.length - 1}] NOT_CORRECTABLE`,
        ]);
    const spelled = await correct(id, { email: stored.email.toUpperCase() }, token);
    expect(refusalOf(spelled)).toEqual([400, 'email NOT_CORRECTABLE']);
    expect(await read(id)).toEqual(before);
    const records = await query('SELECT 1 FROM audit_log WHERE object_id = $1', id);
    expect(records).toEqual([]);
  });

  it('is no change as it is, and null where nothing is stored', async () => {
    const { token, assign } = await charity();
    const id = await assign();
    const before = await read(id);
    const body = { firstName: 'Grace', gender: null, fields: [{ key: 'emergencyPhone', value: null }] };
    const { status, body: after } = await correct(id, body, token);
    expect([status, after.updatedAt]).toEqual([200, before.updatedAt]);
    expect(await read(id)).toEqual(before);
  });

  it.each<[string, unknown]>([
    ['bibNumber', '1'],
    ['bibNumber', null],
    ['waveId', newId()],
    ['team', { name: 'Analysts' }],
    ['tags', []],
    ['notes', ['seen']],
    ['metadata', {}],
  ])('of the organizer is not the partner’s: %s %j', async (name, value) => {
    const { token, assign } = await charity();
    const id = await assign();
    const before = await read(id);
    const refused = [400, `${name} NOT_CORRECTABLE`];
    const body = { [name]: value, fields: [{ key: 'emergencyPhone', value: '+44 1' }] };
    expect(refusalOf(await correct(id, body, token))).toEqual(refused);
    // Also of one that it does not see, so that it learns nothing.
    expect(refusalOf(await correct(newId(), body, token))).toEqual(refused);
    expect(refusalOf(await correct(id, { externalParticipantId: 'x' }, token))).toEqual([
      400,
      'externalParticipantId UNKNOWN_PROPERTY',
    ]);
    expect(await read(id)).toEqual(before);
  });

  it('does not show in refusals: a question that the ticket does not ask is as unknown', async () => {
    const { token, assign } = await charity();
    const id = await assign();
    const hidden = { key: `salary-${++serial}` };
    const { id: hiddenId } = await question(hidden);
    // The ticket asked it once.
    await query(
      `UPDATE start_list_entries SET fields = (fields::jsonb || $2)::json WHERE participant_id = $1`,
      id,
      JSON.stringify([{ id: hiddenId, key: hidden.key, label: 'Salary', type: 'TEXT', value: '1' }]),
    );
    const textOf = async (answer: object) => {
      const { status, body } = await correct(id, { fields: [answer] }, token);
      expect(status).toBe(400);
      return body.message;
    };
    const value = '2';
    expect(await textOf({ key: hidden.key, value })).toBe(await textOf({ key: 'nothing', value }));
    expect(await textOf({ id: hiddenId, value })).toBe(await textOf({ id: newId(), value }));
    const twice = [
      { key: 'emergencyPhone', value },
      { id: phone.id, value: '3' },
    ];
    expect(refusalOf(await correct(id, { fields: twice }, token))).toEqual([400, 'fields[1] INVALID_ANSWER']);
  });
});

describe('an email that is missing', () => {
  it('is one that the group accepts', async () => {
    const { token, assign } = await charity({ type: 'SINGLE_USE', domainRestriction: 'acme.example' });
    const [id, used] = [await assign({ email: email('acme.example') }), email('acme.example')];
    await assign({ email: used });
    expect((await correct(id, { email: null })).status).toBe(200);
    const add = async (address: string) => refusalOf(await correct(id, { email: address }, token));
    expect(await add(email())).toEqual([400, 'email DOMAIN_NOT_ALLOWED']);
    expect(await add(used.toUpperCase())).toEqual([400, 'email ALREADY_USED']);
    expect(answersOf(await read(id)).email).toBeNull();
    const own = email('acme.example');
    expect([await add(own), await add(own)]).toEqual([[200], [200]]);
  });
});

describe('who may not', () => {
  const added = { fields: [{ key: 'emergencyPhone', value: '+44 1' }] };
  it('is refused, as for a transfer', async () => {
    const { id: partnerId, group, token, assign } = await charity();
    const id = await assign();
    const before = await read(id);
    const permissions = ['participants:read', 'bookings:write'];
    const reading = await key(api.dataSource, mine({ partnerId, permissions }));
    const only = await key(api.dataSource, mine({ partnerId, readOnly: true }));
    for (const whose of [reading.token, only.token])
      expect((await correct(id, added, whose)).status).toBe(403);
    await query("UPDATE reserved_entry_groups SET deadline = '2026-01-01' WHERE id = $1", group.id);
    const late = await correct(id, added, token);
    expect([late.status, late.body.message]).toEqual([403, expect.stringContaining('deadline')]);
    expect((await correct(id, { firstName: 'Grace' }, token)).status).toBe(403);
    expect(await read(id)).toEqual(before);
    expect((await correct(id, added)).status).toBe(200);
    await query('UPDATE reserved_entry_groups SET deadline = NULL WHERE id = $1', group.id);
    expect((await correct(id, { gender: 'FEMALE' }, token)).status).toBe(200);
    await api.dataSource.getRepository(ApiKey).update({ partnerId }, { revokedAt: new Date() });
    await eventually(async () => (await correct(id, { dateOfBirth: '1990-04-12' }, token)).status === 401);
  });

  it('adds nothing to a cancelled or redacted participant', async () => {
    const { token, assign } = await charity();
    const [cancelled, redacted] = [await assign(), await assign()];
    expect((await api.send('DELETE', `/v0/participants/${cancelled}`, undefined)).status).toBe(200);
    const after = await correct(cancelled, added, token);
    expect(refusalOf(after)).toEqual([400, ' PARTICIPANT_CANCELLED']);
    const { browser } = await signedIn(api, 'OWNER');
    await browser.ask('POST', `/console/v1/participants/${redacted}/redact`, {});
    await eventually(async () => (await read(redacted)).gdprRedacted);
    const { status, body } = await correct(redacted, added, token);
    expect([status, body.message]).toEqual([400, expect.stringContaining('redacted')]);
  });
});
