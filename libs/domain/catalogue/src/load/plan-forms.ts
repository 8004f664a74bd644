import { statement } from '#platform/database';
import { IDENTITY_KEYS, MAXIMA } from '#platform/validation';
import { type Draft, draftsOf, type Planning } from './draft';
import { Identities } from './identities';

const FIELDS = statement({
  parameters: ['uuid', 'text[]', 'uuid[]'],
  columns: { id: 'uuid', name: 'text' },
  sql: `
    SELECT id, key AS name FROM booking_form_fields
    WHERE organization_id = $1 AND (key = ANY($2) OR id = ANY($3::uuid[])) ORDER BY id
  `,
});

const COUNT_FIELDS = statement({
  parameters: ['uuid'],
  columns: { count: 'int' },
  sql: 'SELECT count(*)::int AS count FROM booking_form_fields WHERE organization_id = $1',
});

export async function planFields(
  drafts: Draft[],
  { manager, organizationId, known }: Planning,
): Promise<void> {
  const fields = draftsOf(drafts, 'bookingFormField');
  if (fields.length === 0) return;
  const identities = new Identities(
    'booking form field',
    await FIELDS.rows(manager, [
      organizationId,
      fields.map(({ record }) => record.key),
      fields.flatMap(({ record }) => record.id ?? []),
    ]),
    true,
  );
  known.counted('fields', (await COUNT_FIELDS.one(manager, [organizationId])).count);
  for (const draft of fields) {
    const { key, label, type, options, required, helpText } = draft.record;
    const identity = draft.identify(identities, known, 'bookingFormField', { property: 'key', name: key });
    if (!identity) continue;
    const before = identity.stored?.name;
    if (before && before !== key && (IDENTITY_KEYS as readonly string[]).includes(before))
      draft.refuse('key', `must stay "${before}": names, emails and dates of birth are found by it`);
    if (!identity.stored && !known.hasRoom('fields', MAXIMA.fields)) {
      draft.refuse('', `is one too many: an organization has at most ${MAXIMA.fields} booking form fields`);
      continue;
    }
    draft.rows.add('bookingFormFields', {
      id: identity.id,
      key,
      label,
      type,
      options: (options ?? []).map(({ value, label }) => ({ value, label })),
      required: required ?? false,
      help_text: helpText,
    });
  }
}

const FORMS = statement({
  parameters: ['uuid', 'text[]', 'uuid[]'],
  columns: { id: 'uuid', name: 'text' },
  sql: `
    SELECT id, title AS name FROM booking_forms
    WHERE organization_id = $1 AND (title = ANY($2) OR id = ANY($3::uuid[])) ORDER BY id
  `,
});

export async function planForms(
  drafts: Draft[],
  { manager, organizationId, known }: Planning,
): Promise<void> {
  const forms = draftsOf(drafts, 'bookingForm');
  if (forms.length === 0) return;
  const identities = new Identities(
    'booking form',
    await FORMS.rows(manager, [
      organizationId,
      forms.map(({ record }) => record.title),
      forms.flatMap(({ record }) => record.id ?? []),
    ]),
  );
  const fieldIds = await known.idsOf(
    'bookingFormField',
    forms.flatMap(({ record }) => record.fields ?? []),
  );
  for (const draft of forms) {
    const { title, fields } = draft.record;
    const identity = draft.identify(identities, known, 'bookingForm', { property: 'title', name: title });
    if (!identity) continue;
    draft.rows.add('bookingForms', { id: identity.id, title });
    const asked = new Set<string>();
    draft.rows.link(
      'formFields',
      identity.id,
      (fields ?? []).flatMap((key, position) => {
        const fieldId = fieldIds.get(key);
        if (!fieldId) draft.refuse(`fields[${position}]`, `is not a booking form field: "${key}"`);
        else draft.once(asked, fieldId, `fields[${position}]`, key);
        return fieldId ? [{ booking_form_id: identity.id, field_id: fieldId, position }] : [];
      }),
    );
  }
}
