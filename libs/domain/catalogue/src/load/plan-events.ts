import { statement } from '#platform/database';
import { MAXIMA } from '#platform/validation';
import type { RecordOf } from '../format/records';
import { type Draft, draftsOf, type Planning } from './draft';
import { Identities, type Placed, type Stored } from './identities';
import { keepPlaces } from './write';

const EVENTS = statement({
  parameters: ['uuid', 'text[]', 'uuid[]'],
  columns: { id: 'uuid', name: 'text' },
  sql: `
    SELECT id, slug AS name FROM events
    WHERE organization_id = $1 AND (slug = ANY($2) OR id = ANY($3::uuid[])) ORDER BY id
  `,
});

export async function planEvents(drafts: Draft[], planning: Planning): Promise<void> {
  const events = draftsOf(drafts, 'event');
  if (events.length === 0) return;
  const { manager, organizationId, known } = planning;
  const stored = await EVENTS.rows(manager, [
    organizationId,
    events.map(({ record }) => record.slug),
    events.flatMap(({ record }) => record.id ?? []),
  ]);
  const identities = new Identities('event', stored, true);
  const addOns = await storedAddOns(planning, 'event', stored);
  for (const draft of events) {
    const { slug, title } = draft.record;
    const identity = draft.identify(identities, known, 'event', { property: 'slug', name: slug });
    if (!identity) continue;
    draft.rows.add('events', { id: identity.id, slug, title });
    planAddOns(draft, draft.record.addOns, addOns, { eventId: identity.id, occurrenceId: null });
  }
}

export interface AddOnIdentities {
  addOns: Identities<Stored & { currencyCode: string }>;
  variants: Identities<Placed>;
}

const VARIANTS = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { id: 'uuid', name: 'text', owner: 'uuid', position: 'int' },
  sql: `
    SELECT id, title AS name, add_on_id AS owner, position FROM add_on_variants
    WHERE organization_id = $1 AND add_on_id = ANY($2) ORDER BY id
  `,
});

const ADD_ONS_OF_EVENTS = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { id: 'uuid', name: 'text', owner: 'uuid', currencyCode: 'text' },
  sql: `
    SELECT id, title AS name, event_id AS owner, currency_code AS "currencyCode" FROM add_ons
    WHERE organization_id = $1 AND event_id = ANY($2) AND event_occurrence_id IS NULL ORDER BY id
  `,
});

const ADD_ONS_OF_OCCURRENCES = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { id: 'uuid', name: 'text', owner: 'uuid!', currencyCode: 'text' },
  sql: `
    SELECT id, title AS name, event_occurrence_id AS owner, currency_code AS "currencyCode" FROM add_ons
    WHERE organization_id = $1 AND event_occurrence_id = ANY($2) ORDER BY id
  `,
});

/** The add-ons that are sold at every occurrence of an event, or at one occurrence. */
export async function storedAddOns(
  { manager, organizationId }: Planning,
  soldBy: 'event' | 'occurrence',
  owners: { id: string }[],
): Promise<AddOnIdentities> {
  const ids = owners.map(({ id }) => id);
  const addOns = soldBy === 'event' ? ADD_ONS_OF_EVENTS : ADD_ONS_OF_OCCURRENCES;
  const stored = await addOns.rows(manager, [organizationId, ids]);
  const variants = await VARIANTS.rows(manager, [organizationId, stored.map(({ id }) => id)]);
  return {
    addOns: new Identities('add-on', stored, false, MAXIMA.addOns),
    variants: new Identities('variant', variants, false, MAXIMA.variants),
  };
}

export function planAddOns(
  draft: Draft,
  addOns: RecordOf<'event'>['addOns'],
  stored: AddOnIdentities,
  { eventId, occurrenceId }: { eventId: string; occurrenceId: string | null },
): void {
  for (const [at, addOn] of (addOns ?? []).entries()) {
    const field = `addOns[${at}].`;
    const owner = occurrenceId ?? eventId;
    const identity = draft.resolve(stored.addOns, { id: addOn.id, name: addOn.title, owner }, field, 'title');
    if (!identity) continue;
    draft.rows.add('addOns', {
      id: identity.id,
      event_id: eventId,
      event_occurrence_id: occurrenceId,
      title: addOn.title,
      price_value: addOn.price.value,
      currency_code: addOn.price.currencyCode,
    });
    const places: (number | undefined)[] = [];
    const before = draft.rows.of('addOnVariants').length;
    for (const [position, { id, title }] of (addOn.variants ?? []).entries()) {
      const given = { id, name: title, owner: identity.id };
      const variant = draft.resolve(stored.variants, given, `${field}variants[${position}].`, 'title');
      if (!variant) continue;
      places.push(variant.stored?.position);
      draft.rows.add('addOnVariants', { id: variant.id, add_on_id: identity.id, position, title });
    }
    keepPlaces(draft.rows.of('addOnVariants').slice(before), places, stored.variants.untouched(identity.id));
  }
}
