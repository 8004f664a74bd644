import { randomUUID } from 'node:crypto';
import { StartlineError } from '../error';
import type { Application, Participant, RaceDayConflict } from '../openapi';
import {
  AFTER,
  type Context,
  hasWords,
  ID,
  LIMIT,
  matching,
  READS,
  type Result,
  type Tool,
  WRITES,
} from './tool';

interface Filters {
  eventOccurrenceId?: string;
  raceId?: string;
  ticketId?: string;
  email?: string;
  bibNumber?: string;
  externalBookingId?: string;
  externalParticipantId?: string;
  status?: 'CONFIRMED' | 'CANCELLED';
}

interface FindArgs extends Filters {
  name?: string;
  withoutBib?: boolean;
  limit?: number;
  after?: string;
}

const answer = ({ fields }: Pick<Participant, 'fields'>, key: string) =>
  fields.find((each) => each.key === key)?.value ?? null;

const nameOf = (entry: Pick<Participant, 'fields'>): string =>
  [answer(entry, 'firstName'), answer(entry, 'lastName')].filter(Boolean).join(' ');

export const findParticipants: Tool = {
  name: 'find_participants',
  operations: ['listParticipants'],
  annotations: { title: 'Find participants', ...READS },
  description:
    'Finds approved participants by event, race, name, email, bib or your own ids. `name` and `withoutBib` need an event or a race. ' +
    'Call explain_participant for the reasons of a state.',
  input: {
    type: 'object',
    additionalProperties: false,
    properties: {
      eventOccurrenceId: { ...ID, description: 'As find_events returns it.' },
      raceId: ID,
      ticketId: ID,
      name: {
        type: 'string',
        description: 'Words of the name, in any order and without accents.',
        examples: ['ada love'],
      },
      email: { type: 'string', description: 'The whole address.', examples: ['ada@example.com'] },
      bibNumber: { type: 'string', examples: ['1042'] },
      externalBookingId: { type: 'string', description: 'Your id of the booking.', examples: ['order-1815'] },
      externalParticipantId: { type: 'string', description: 'Your id of the participant.' },
      status: { type: 'string', enum: ['CONFIRMED', 'CANCELLED'] },
      withoutBib: { type: 'boolean', description: 'Only confirmed participants who have no bib.' },
      limit: LIMIT,
      after: AFTER,
    },
  },
  async run({ name, withoutBib, limit, after, ...filters }: FindArgs, { client }): Promise<Result> {
    if ((name || withoutBib) && !filters.eventOccurrenceId && !filters.raceId)
      throw new TypeError('name and withoutBib need eventOccurrenceId or raceId. Call find_events first.');
    const query = {
      ...filters,
      ...(withoutBib && { status: 'CONFIRMED' as const }),
      'page[size]': name || withoutBib ? 500 : (limit ?? LIMIT.default),
    };
    const found = await matching(
      (cursor) => client.get('/v0/participants', { params: { query: { ...query, 'page[after]': cursor } } }),
      {
        ...{ limit, after },
        match: (each) => (!name || hasWords(nameOf(each), name)) && (!withoutBib || each.bibNumber === null),
      },
    );
    const total = name || withoutBib ? '' : ` of ${found.total}`;
    return {
      says: `${found.items.length}${total} participants${found.next ? '; more with `after`' : ''}.`,
      data: { participants: found.items.map(summary), next: found.next },
    };
  },
};

const summary = (entry: Participant) => ({
  ...{ participantId: entry.id, name: nameOf(entry), bibNumber: entry.bibNumber, status: entry.status },
  ...{ raceId: entry.raceId, race: entry.raceName, ticket: entry.ticketTitle, wave: entry.waves[0]?.title },
  ...{ bookingId: entry.bookingId, externalBookingId: entry.externalBookingId },
});

export const explainParticipant: Tool = {
  name: 'explain_participant',
  operations: ['getParticipant'],
  annotations: { title: 'Explain a participant', ...READS },
  description:
    'Explains the state of one participant: why there is no bib, which messages and imports set what, whether the entry was approved, ' +
    'cancelled or redacted, and what to do. Returns the email and other data of the person.',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['participantId'],
    properties: { participantId: { ...ID, description: 'The id of a participant, or of an application.' } },
  },
  async run({ participantId: id }: { participantId: string }, context): Promise<Result> {
    const params = { path: { id }, query: { extendMetadata: true } };
    const { client } = context;
    try {
      const participant = await client.get('/v0/participants/{id}', { params });
      return { says: reasonsOf(participant, context).join('\n'), data: details(participant) };
    } catch (error) {
      if (!(error instanceof StartlineError) || error.status !== 404 || !context.access.may('getApplication'))
        throw error;
    }
    const application = await client.get('/v0/applications/{id}', { params });
    const { approvalStatus, applicationResolutionType } = application;
    return {
      says: `It is an application: ${approvalStatus}, decided by ${applicationResolutionType}. Only an approved application is a participant who can have a bib.`,
      data: { ...details(application), approvalStatus, applicationResolutionType },
    };
  },
};

function details(entry: Participant | Application) {
  const { metadata = {} } = entry;
  const day = 'raceDayDetails' in entry ? entry : undefined;
  return {
    ...{ id: entry.id, name: nameOf(entry), email: answer(entry, 'email') ?? entry.booker.email },
    ...{
      eventOccurrenceId: entry.eventOccurrenceId,
      event: entry.eventName,
      raceId: entry.raceId,
      race: entry.raceName,
    },
    ...{ ticketId: entry.ticketId, ticket: entry.ticketTitle, wave: entry.waves[0]?.title, tags: entry.tags },
    ...{ bookingId: entry.bookingId, externalBookingId: entry.externalBookingId },
    ...{ externalParticipantId: entry.externalParticipantId, statusDetails: entry.statusDetails.slice(-10) },
    ...{ createdAt: entry.createdAt, updatedAt: entry.updatedAt, imported: metadata.startline },
    ...(day && {
      ...{ applicationId: day.applicationId, status: day.status, bibNumber: day.bibNumber },
      ...{ raceDayErrors: day.raceDayErrors, shipping: day.raceDayDetails.shipping },
      ...{ customFields: day.raceDayDetails.customFields.slice(0, 20), notes: day.notes.slice(0, 5) },
    }),
  };
}

function reasonsOf(participant: Participant, { access }: Context): string[] {
  const { status, statusDetails, raceDayErrors, gdprRedacted, metadata } = participant;
  const times = (metadata?.startline ?? {}) as { bibChangedAt?: string; shippingChangedAt?: string };
  const giveBib = access.may('updateRaceDay')
    ? 'race_day_update gives one'
    : 'a key with participants:write can give one';
  const reasons: string[] = [];
  if (status === 'CANCELLED') {
    const at = statusDetails.findLast((each) => each.status === 'CANCELLED')?.at;
    reasons.push(`Cancelled${at ? ` at ${at}` : ''}; a cancelled participant holds no bib.`);
  } else if (participant.bibNumber !== null) {
    reasons.push(`Has a bib, set at ${times.bibChangedAt ?? participant.createdAt}.`);
  } else if (raceDayErrors.includes('BIB_NUMBER_TAKEN')) {
    reasons.push(
      'No bib shows: another participant of the race claimed it earlier (BIB_NUMBER_TAKEN). It shows when the holder gives it up; ' +
        `for another bib, ${giveBib}.`,
    );
  } else if (times.bibChangedAt) {
    reasons.push(`No bib: the newest message, of ${times.bibChangedAt}, removed it; ${giveBib}.`);
  } else {
    reasons.push(`No bib: no import, race-day update or timing message has given one; ${giveBib}.`);
  }
  reasons.push(
    times.shippingChangedAt
      ? `The newest shipping message is of ${times.shippingChangedAt}.`
      : 'No shipping message has arrived.',
  );
  if (gdprRedacted) reasons.push('Redacted: personal data was deleted for good.');
  return reasons;
}

const CONFLICTS: Record<RaceDayConflict, string> = {
  BIB_NUMBER_TAKEN:
    'Another participant of the race holds this bib. The claim is kept: it shows when the holder gives the bib up. Give another bib, or change the holder’s first.',
  BIB_OVERTAKEN:
    'A message with a later `changedAt` applies. Leave out `changedAt` if this value is the newest.',
  PARTICIPANT_CANCELLED: 'The participant is cancelled and holds no bib.',
};

export const raceDayUpdate: Tool = {
  name: 'race_day_update',
  operations: ['updateRaceDay'],
  annotations: { title: 'Update race day', ...WRITES },
  description:
    'Sets the bib or race-day fields of one participant. The newest message applies: this one counts as now unless `changedAt` says otherwise. ' +
    'Give `bibNumber`, `customFields` or both.',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['participantId'],
    anyOf: [{ required: ['bibNumber'] }, { required: ['customFields'] }],
    properties: {
      participantId: ID,
      bibNumber: {
        type: ['string', 'null'],
        maxLength: 20,
        description: '1 to 20 printable characters; null removes the bib.',
        examples: ['1042'],
      },
      customFields: {
        type: 'array',
        minItems: 1,
        maxItems: 100,
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['id', 'value'],
          properties: {
            id: { type: 'string', description: 'A name of yours.' },
            value: { description: 'Any JSON value.' },
          },
        },
        examples: [[{ id: 'kit-collected', value: true }]],
      },
      changedAt: {
        type: 'string',
        description:
          'When it happened, ISO 8601 in UTC, not in the future. Then it never replaces newer data.',
        examples: ['2027-05-14T08:30:00Z'],
      },
    },
  },
  async run(
    { participantId, ...body }: { participantId: string; bibNumber?: string | null },
    { client },
  ): Promise<Result> {
    const { conflicts, participantUrl } = await client.patch('/v0/participants/{id}/race-day', {
      params: { path: { id: participantId }, header: { 'Idempotency-Key': randomUUID() } },
      body,
    });
    return {
      says: [
        'The update is stored, and shows within moments.',
        ...conflicts.map((each) => `${each}: ${CONFLICTS[each]}`),
      ].join('\n'),
      data: { conflicts, participantUrl },
    };
  },
};
