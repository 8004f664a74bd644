import { equals, id, type ListDeclaration, someOf } from '#platform/queries';
import { ChangeEvent } from './change-event.dto';
import { readableBy } from './event-permissions';
import { CHANGE_EVENT_TYPE_NAMES } from './types';

const types = someOf('Only these types, comma separated.', CHANGE_EVENT_TYPE_NAMES);

export const CHANGE_EVENTS: ListDeclaration = {
  name: 'changeEvents',
  schemaName: 'PagedChangeEvents',
  of: {
    schema: ChangeEvent,
    from: 'change_events t',
    limits: readableBy,
    json: 'change_event_body(t.id, t.type, t.occurred_at, t.data)',
  },
  // No new events appear below the watermark, so a client that continues from the end of a page misses nothing.
  order: { sql: 't.occurred_at', type: 'timestamptz', moves: true },
  moment: 'timestamp',
  counter: 'changeEvents',
  filters: {
    type: {
      parameter: { ...types, read: (text) => [...types.read(text)] },
      where: (value) => `t.type = ANY (${value}::text[])`,
    },
    eventOccurrenceId: equals('event_occurrence_id', id('Only events that belong to this event occurrence.')),
  },
};
