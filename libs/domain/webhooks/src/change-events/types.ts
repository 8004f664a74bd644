/** All types of change events, with descriptions. */
export const CHANGE_EVENT_TYPES = {
  'participant.created': 'A participant was added: an entry was imported, or an application was approved.',
  'participant.updated': 'A participant changed.',
  'participant.race_day_updated': 'A participant’s bib number, shipping or race-day fields changed.',
  'participant.cancelled': 'A participant’s booking was cancelled.',
  'participant.redacted': 'A participant’s personal data was removed. Remove it from your copy as well.',
  'application.created': 'An application was created. Every participant begins as an application.',
  'application.updated': 'An application that is not approved changed.',
  'application.decided': 'An application was approved, rejected or withdrawn.',
  'application.cancelled': 'The booking of an application that is not approved was cancelled.',
  'application.redacted':
    'The personal data of an application that is not approved was removed. Remove it from your copy as well.',
  'booking.created': 'A booking was created or imported.',
  'booking.updated': 'A booking changed.',
  'booking.cancelled': 'A booking was cancelled.',
  'import.finished': 'An import job ended: every row has its outcome, or the job failed as a whole.',
  'import.needs_attention':
    'An import ended with failed rows, or waits unusually long. `reason` is `FAILED_ROWS` or `WAITING`.',
  'event_occurrence.created': 'An event occurrence was added.',
  'event_occurrence.updated': 'An event occurrence, or one of its races, waves or tickets, changed.',
  'partner.created': 'A partner was added.',
  'partner.updated': 'A partner changed.',
  'key.revoked': 'An API key was revoked.',
  'webhook_endpoint.disabled': 'A webhook endpoint was disabled, by you or because its deliveries failed.',
  'webhook_endpoint.ping': 'A test event that you requested. It is delivered to one endpoint only.',
} as const;

export type ChangeEventTypeName = keyof typeof CHANGE_EVENT_TYPES;

export const CHANGE_EVENT_TYPE_NAMES = Object.keys(CHANGE_EVENT_TYPES) as ChangeEventTypeName[];
