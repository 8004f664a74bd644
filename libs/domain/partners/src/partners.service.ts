import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Actor, audit, type Caller, changesBetween } from '#platform/access';
import {
  asOrganization,
  Database,
  isId,
  lockExternalIds,
  newId,
  Partner as PartnerRow,
  statement,
  updateGiven,
} from '#platform/database';
import { type JsonText, Reads } from '#platform/queries';
import { errors, jsonBytes, MAXIMA, MOST_BYTES } from '#platform/validation';
import { writeExternalIds } from './external-ids';
import type { ExternalIdType, Partner, PartnerCreate, PartnerUpdate } from './partners.dto';
import { partnerErrors } from './partners.errors';
import { PARTNER } from './partners.resource';

/** The reference to a partner in a path: an id, or an external id with its type. */
export interface PartnerName {
  id: string;
  externalIdType?: ExternalIdType;
}

const ID_OF_EXTERNAL_ID = statement({
  parameters: ['uuid', 'text', 'text'],
  columns: { id: 'uuid' },
  sql: `
    SELECT partner_id AS id FROM partner_external_ids WHERE organization_id = $1 AND type = $2 AND external_id = $3
  `,
});

@Injectable()
export class PartnersService {
  constructor(
    private readonly database: Database,
    private readonly reads: Reads,
  ) {}

  /** @throws ApiError 404 */
  async get(caller: Caller, { id, externalIdType }: PartnerName): Promise<JsonText> {
    if (!externalIdType) return this.reads.one(PARTNER, caller, id);
    const found = await this.reads.find(
      PARTNER,
      caller,
      (bind) => `t.id = (SELECT partner_id FROM partner_external_ids
        WHERE organization_id = ${bind(caller.organizationId)}
          AND type = ${bind(externalIdType)} AND external_id = ${bind(id)})`,
    );
    if (!found) throw errors.notFound();
    return found;
  }

  /**
   * @throws ApiError 400 if an external id is already used, an event or the parent is not of the organization, or the partner is too large;
   * 403 if the caller's partner may not create sub-partners
   */
  async create(caller: Caller, { externalIds = {}, ...fields }: PartnerCreate, by: Actor): Promise<JsonText> {
    const { organizationId, partner } = caller;
    const id = newId();
    return this.database.of(caller).transaction(async (manager, reader) => {
      const parentPartnerId = partner
        ? await parentOf(manager, caller, { externalIds, ...fields })
        : (fields.parentPartnerId ?? null);
      await requireEvents(manager, organizationId, fields);
      await requireParent(manager, organizationId, { ...fields, parentPartnerId });
      await asOrganization(manager, caller, async () => {
        await lockExternalIds(manager, organizationId);
        await requireRoom(manager, organizationId, parentPartnerId);
        await manager.insert(PartnerRow, { organizationId, id, ...stored(fields), parentPartnerId });
        await writeExternalIds(manager, { organizationId, id }, externalIds);
        await audit(manager, by, {
          ...{ organizationId, action: 'partner.create', objectType: 'partner', objectId: id },
        });
      });
      const created = await this.reads.one(PARTNER, caller, id, {}, reader);
      limitBytes(created);
      return created;
    });
  }

  /**
   * Changes the given properties atomically.
   *
   * @throws ApiError 404; 400 if an external id is already used, an event is not of the organization, a sub-partner would create others, or the
   * partner is too large
   */
  async update(
    caller: Caller,
    name: PartnerName,
    { externalIds, ...fields }: PartnerUpdate,
    by: Actor,
  ): Promise<JsonText> {
    const { organizationId } = caller;
    return this.database.of(organizationId).transaction(async (manager, reader) => {
      if (externalIds) await lockExternalIds(manager, organizationId);
      const id = await lockPartner(manager, organizationId, name);
      await requireEvents(manager, organizationId, fields);
      const before = await this.reads.one(PARTNER, caller, id, {}, reader);
      if (fields.canCreateSubPartners && partnerOf(before).parentPartnerId) throw partnerErrors.oneLevel();
      await updateGiven(manager, PartnerRow, { organizationId, id }, stored(fields));
      if (externalIds) await writeExternalIds(manager, { organizationId, id }, externalIds);
      const after = await this.reads.one(PARTNER, caller, id, {}, reader);
      limitBytes(after, before);
      await recordUpdate(manager, by, { organizationId, id }, before, after);
      return after;
    });
  }
}

/** A page contains 500 partners, and entries show their names and external ids. What was larger before may stay so. */
function limitBytes(partner: JsonText, before?: JsonText): void {
  const sizes = sizesOf(partner);
  const former = before && sizesOf(before);
  for (const [part, most] of LIMITS) {
    if (sizes[part] > Math.max(most, former?.[part] ?? 0))
      throw partnerErrors.tooLarge(part, sizes[part], most);
  }
}

const LIMITS = [
  ['name', MOST_BYTES.title + 2],
  ['externalIds', MOST_BYTES.externalIds],
  ['partner', MOST_BYTES.partner],
] as const;

async function recordUpdate(
  manager: EntityManager,
  by: Actor,
  { organizationId, id }: { organizationId: string; id: string },
  ...read: [before: JsonText, after: JsonText]
): Promise<void> {
  const [before, after] = read.map(partnerOf) as [Partner, Partner];
  const { updatedAt: _, ...fields } = after;
  const changes = changesBetween(before, fields);
  if (changes.length === 0) return;
  const object = { objectType: 'partner', objectId: id };
  await audit(manager, by, { organizationId, action: 'partner.update', ...object, changes });
}

const textOf = ({ pieces }: JsonText): string => pieces.map(String).join('');
const partnerOf = (read: JsonText): Partner => JSON.parse(textOf(read));

function sizesOf(read: JsonText) {
  const text = textOf(read);
  const { name, externalIds } = partnerOf(read);
  const partner = Buffer.byteLength(text) + COUNTS_BYTES;
  return { name: jsonBytes(name), externalIds: jsonBytes(externalIds), partner };
}

/** Of the counts that a partner's key reads, at their largest. */
const COUNTS_BYTES = jsonBytes({ codeUses: 2 ** 31, referralCount: 2 ** 31 });

const MAY_CREATE = statement({
  parameters: ['uuid', 'uuid'],
  sql: 'SELECT FROM partners WHERE organization_id = $1 AND id = $2 AND can_create_sub_partners',
});

/** The parent of what a partner's key creates. External ids would tell which ones other partners have. */
async function parentOf(
  manager: EntityManager,
  { organizationId, partner }: Caller,
  { parentPartnerId, externalIds }: PartnerCreate,
): Promise<string | null> {
  if (!partner) return null;
  const isPermitted =
    partner.parentId === null && (await MAY_CREATE.run(manager, [organizationId, partner.id]));
  if (!isPermitted) throw partnerErrors.noSubPartners();
  if (parentPartnerId != null && parentPartnerId !== partner.id) throw partnerErrors.otherParent();
  if (Object.keys(externalIds ?? {}).length > 0) throw partnerErrors.noExternalIds();
  return partner.id;
}

const IS_PARENT = statement({
  parameters: ['uuid', 'uuid'],
  columns: { parentPartnerId: 'uuid?' },
  sql: 'SELECT parent_partner_id AS "parentPartnerId" FROM partners WHERE organization_id = $1 AND id = $2',
});

async function requireParent(
  manager: EntityManager,
  organizationId: string,
  { parentPartnerId, canCreateSubPartners }: PartnerCreate,
): Promise<void> {
  if (parentPartnerId == null) return;
  if (canCreateSubPartners) throw partnerErrors.oneLevel();
  const parent = isId(parentPartnerId)
    ? await IS_PARENT.first(manager, [organizationId, parentPartnerId])
    : undefined;
  if (!parent) throw partnerErrors.noSuchParent();
  if (parent.parentPartnerId !== null) throw partnerErrors.parentHasParent();
}

const SUB_PARTNERS = statement({
  parameters: ['uuid', 'uuid'],
  columns: { count: 'int' },
  sql: 'SELECT count(*)::int AS count FROM partners WHERE organization_id = $1 AND parent_partner_id = $2',
});

/** Call it under the lock of external ids, so that concurrent requests do not exceed the maximum together. */
async function requireRoom(
  manager: EntityManager,
  organizationId: string,
  parentPartnerId: string | null,
): Promise<void> {
  if (!parentPartnerId) return;
  const { count } = await SUB_PARTNERS.one(manager, [organizationId, parentPartnerId]);
  if (count >= MAXIMA.subPartners) throw partnerErrors.tooManySubPartners();
}

const LOCK_PARTNER = statement({
  parameters: ['uuid', 'uuid'],
  columns: { id: 'uuid' },
  sql: 'SELECT id FROM partners WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE',
});

/** Locks the partner and returns its id. */
async function lockPartner(
  manager: EntityManager,
  organizationId: string,
  { id, externalIdType }: PartnerName,
): Promise<string> {
  const [named]: { id: string }[] = externalIdType
    ? await ID_OF_EXTERNAL_ID.rows(manager, [organizationId, externalIdType, id])
    : [{ id }];
  const [partner]: { id: string }[] = named
    ? await LOCK_PARTNER.rows(manager, [organizationId, named.id])
    : [];
  if (!partner) throw errors.notFound();
  return partner.id;
}

/** The events, and the occurrences that were taken for them. */
const FIND_EVENTS = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { id: 'uuid!', occurrenceOf: 'uuid?' },
  sql: `
    SELECT id, NULL::uuid AS "occurrenceOf" FROM events WHERE organization_id = $1 AND id = ANY($2::uuid[])
    UNION ALL
    SELECT id, event_id FROM event_occurrences WHERE organization_id = $1 AND id = ANY($2::uuid[])
  `,
});

async function requireEvents(
  manager: EntityManager,
  organizationId: string,
  { specificMarketings = [] }: Pick<PartnerUpdate, 'specificMarketings'>,
): Promise<void> {
  const ids = specificMarketings.map(({ eventId }) => eventId);
  const found = ids.length ? await FIND_EVENTS.rows(manager, [organizationId, ids.filter(isId)]) : [];
  const eventOf = new Map(found.map(({ id, occurrenceOf }) => [id, occurrenceOf ?? id]));
  const wrong = ids.findIndex((id) => eventOf.get(id) !== id);
  const id = ids[wrong];
  if (id === undefined) return;
  const meant = eventOf.get(id);
  throw meant ? partnerErrors.occurrenceForEvent(wrong, meant) : partnerErrors.noSuchEvent(wrong, id);
}

/** Removes optional properties that are `null`. */
const stored = <Fields extends Partial<PartnerCreate>>(fields: Fields): Fields => ({
  ...fields,
  ...(fields.contacts && { contacts: fields.contacts.map(withoutNulls) }),
  ...(fields.defaultMarketing && { defaultMarketing: withoutNulls(fields.defaultMarketing) }),
  ...(fields.specificMarketings && { specificMarketings: fields.specificMarketings.map(withoutNulls) }),
});

const withoutNulls = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)) as T;
