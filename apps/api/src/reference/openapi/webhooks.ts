import { CHANGE_EVENT_TYPES } from '#domain/webhooks';
import type { Schemas } from './components';
import { exampleId, exampleOf } from './examples';
import { REF, type Schema } from './schema';

/** The ids in the data of an event, by the first word of its type. */
const DATA: Record<string, string[]> = {
  participant: [
    'participantId',
    'applicationId',
    'bookingId',
    'eventId',
    'eventOccurrenceId',
    'raceId',
    'ticketId',
  ],
  application: ['applicationId', 'bookingId', 'eventId', 'eventOccurrenceId', 'raceId', 'ticketId'],
  booking: ['bookingId', 'eventId', 'eventOccurrenceId'],
  import: [
    'importJobId',
    'surface',
    'status',
    'totalRows',
    'succeededRows',
    'alreadyImportedRows',
    'cancelledBeforeRows',
    'failedRows',
  ],
  event_occurrence: ['eventOccurrenceId', 'eventId'],
  partner: ['partnerId'],
  key: ['keyId', 'kind'],
  webhook_endpoint: ['webhookEndpointId'],
};

const HEADERS: [name: string, description: string, example: string][] = [
  [
    'webhook-id',
    'The id of the event. It is the same for each retry, so use it to skip events that you have processed.',
    exampleId('ChangeEvent.id'),
  ],
  ['webhook-timestamp', 'When the request was sent, in seconds since 1970.', '1789560000'],
  [
    'webhook-signature',
    'One or more signatures, separated by spaces: `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
];

/** The `webhooks` of the document: the request for each type of change event. */
export const describeWebhooks = (schemas: Schemas): Schema =>
  Object.fromEntries(
    Object.entries(CHANGE_EVENT_TYPES).map(([type, description]) => [
      type,
      {
        post: {
          operationId: `on.${type}`,
          tags: ['Webhooks'],
          summary: type,
          description,
          security: [],
          parameters: HEADERS.map(([name, description, example]) => ({
            name,
            in: 'header',
            required: true,
            description,
            schema: { type: 'string', examples: [example] },
          })),
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: { $ref: `${REF}ChangeEvent` },
                example: exampleFor(type, schemas),
              },
            },
          },
          responses: {
            '2XX': {
              description: 'Received. Any other status, or no response within 15 seconds, causes a retry.',
            },
            410: { description: 'The endpoint no longer accepts deliveries and is disabled.' },
          },
        },
      },
    ]),
  );

function exampleFor(type: string, schemas: Schemas): Schema {
  const event = exampleOf({ $ref: `${REF}ChangeEvent` }, schemas, new Set()) as { data: Schema };
  const names = [
    ...(DATA[type.split('.')[0] as string] ?? []),
    ...(type.endsWith('updated') ? ['changed'] : []),
    ...(type.endsWith('disabled') ? ['reason'] : []),
  ];
  const data = Object.fromEntries(names.map((name) => [name, event.data[name]]));
  return { ...event, type, data };
}
