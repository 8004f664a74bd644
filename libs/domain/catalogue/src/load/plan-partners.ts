import { statement } from '#platform/database';
import { MAXIMA } from '#platform/validation';
import { type Draft, draftsOf, type Planning } from './draft';
import { Identities } from './identities';

export const PARTNERS = statement({
  parameters: ['uuid', 'text[]', 'uuid[]'],
  columns: { id: 'uuid', name: 'text', parentId: 'uuid?' },
  sql: `
    SELECT id, name, parent_partner_id AS "parentId" FROM partners
    WHERE organization_id = $1 AND (name = ANY($2) OR id = ANY($3::uuid[])) ORDER BY id
  `,
});

const SUB_PARTNERS = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { id: 'uuid!', count: 'int' },
  sql: `
    SELECT parent_partner_id AS id, count(*)::int AS count FROM partners
    WHERE organization_id = $1 AND parent_partner_id = ANY ($2) GROUP BY 1
  `,
});

export async function planPartners(drafts: Draft[], planning: Planning): Promise<void> {
  const partners = draftsOf(drafts, 'partner');
  if (partners.length === 0) return;
  const { manager, organizationId, known } = planning;
  const parents = await known.idsOf(
    'partner',
    partners.flatMap(({ record }) => record.parentPartner ?? []),
  );
  const stored = await PARTNERS.rows(manager, [
    organizationId,
    partners.map(({ record }) => record.name),
    [...partners.flatMap(({ record }) => record.id ?? []), ...parents.values()],
  ]);
  const counts = await SUB_PARTNERS.rows(manager, [organizationId, [...parents.values()]]);
  for (const { id, count } of counts) known.counted(id, count);
  const ownerOf = new Map(
    stored.flatMap(({ id, parentId }) => (parentId ? [[id, { owner: parentId }]] : [])),
  );
  const identities = new Identities(
    'partner',
    stored.map(({ id, name }) => ({ id, name, ...ownerOf.get(id) })),
  );
  const eventIds = await known.idsOf(
    'event',
    partners.flatMap(({ record }) => (record.specificMarketings ?? []).map(({ event }) => event)),
  );
  const owners = await ownersOfExternalIds(partners, planning);
  for (const draft of partners) {
    const { record } = draft;
    let parentId = ownerOf.get(record.id ?? '')?.owner;
    if (record.parentPartner) {
      const { parentPartner } = record;
      const found = (await known.idsOf('partner', [parentPartner])).get(parentPartner);
      if (!found) draft.refuse('parentPartner', `is not a partner: "${parentPartner}"`);
      else if (ownerOf.has(found)) draft.refuse('parentPartner', 'is a sub-partner itself');
      else if (record.id && parentId !== found) draft.refuse('parentPartner', 'never changes');
      if (draft.bad) continue;
      parentId = found;
    }
    if (parentId && record.canCreateSubPartners)
      draft.refuse('canCreateSubPartners', 'must be false for a sub-partner');
    const identity = draft.identify(identities, known, 'partner', {
      property: 'name',
      name: record.name,
      ...(parentId && { owner: parentId }),
    });
    if (!identity) continue;
    if (parentId && !identity.stored && !known.hasRoom(parentId, MAXIMA.subPartners))
      draft.refuse('', `is one too many: a partner has at most ${MAXIMA.subPartners} sub-partners`);
    const named = new Set<string>();
    draft.rows.add('partners', {
      id: identity.id,
      name: record.name,
      description: record.description,
      type: record.type,
      contacts: (record.contacts ?? []).map(present),
      default_marketing: record.defaultMarketing && present(record.defaultMarketing),
      specific_marketings: (record.specificMarketings ?? []).map(({ event, ...marketing }, at) => {
        const eventId = eventIds.get(event);
        if (!eventId) draft.refuse(`specificMarketings[${at}].event`, `is not an event: "${event}"`);
        else draft.once(named, eventId, `specificMarketings[${at}].event`, event);
        return { eventId, ...present(marketing) };
      }),
      can_create_sub_partners: record.canCreateSubPartners ?? false,
      parent_partner_id: parentId ?? null,
    });
    const externalIds = Object.entries(record.externalIds ?? {});
    for (const [type, externalId] of externalIds) {
      const owner = owners.get(`${type} ${externalId}`) ?? identity.id;
      owners.set(`${type} ${externalId}`, owner);
      if (owner !== identity.id) draft.refuse(`externalIds.${type}`, `is already used by partner ${owner}`);
    }
    draft.rows.link(
      'partnerExternalIds',
      identity.id,
      externalIds.map(([type, externalId]) => ({ partner_id: identity.id, type, external_id: externalId })),
    );
  }
}

const EXTERNAL_IDS = statement({
  parameters: ['uuid', 'jsonb'],
  columns: { type: 'text', externalId: 'text', partnerId: 'uuid' },
  sql: `
    SELECT type, external_id AS "externalId", partner_id AS "partnerId" FROM partner_external_ids
    JOIN jsonb_to_recordset($2::jsonb) AS asked (type text, external_id text) USING (type, external_id)
    WHERE organization_id = $1
  `,
});

async function ownersOfExternalIds(
  partners: ReturnType<typeof draftsOf<'partner'>>,
  { manager, organizationId }: Planning,
): Promise<Map<string, string>> {
  const asked = partners.flatMap(({ record }) =>
    Object.entries(record.externalIds ?? {}).map(([type, externalId]) => ({ type, external_id: externalId })),
  );
  const stored = await EXTERNAL_IDS.rows(manager, [organizationId, JSON.stringify(asked)]);
  return new Map(stored.map(({ type, externalId, partnerId }) => [`${type} ${externalId}`, partnerId]));
}

/** Omits properties that are `null`. */
export const present = (given: object): object =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
