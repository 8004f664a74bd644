import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '#libs/access';
import { Database, isId, newId, Partner, statement } from '#libs/database';
import { errors } from '#libs/errors';
import { type JsonText, Reads } from '#libs/resources';
import { lockExternalIds, writeExternalIds } from './external-ids';
import type { ExternalIdType, PartnerContact, PartnerCreate, PartnerUpdate } from './partners.dto';
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

  /** @throws ApiError 400 if an external id is already used, or an event is not of the organization */
  async create(caller: Caller, { externalIds = {}, ...fields }: PartnerCreate): Promise<JsonText> {
    const { organizationId } = caller;
    const id = newId();
    return this.database.of(organizationId).transaction(async (manager, reader) => {
      await lockExternalIds(manager, organizationId);
      await requireEvents(manager, organizationId, fields);
      await manager.insert(Partner, { organizationId, id, ...stored(fields) });
      await writeExternalIds(manager, { organizationId, id }, externalIds);
      return this.reads.one(PARTNER, caller, id, {}, reader);
    });
  }

  /**
   * Changes the given properties atomically.
   *
   * @throws ApiError 404; 400 if an external id is already used, or an event is not of the organization
   */
  async update(
    caller: Caller,
    name: PartnerName,
    { externalIds, ...fields }: PartnerUpdate,
  ): Promise<JsonText> {
    const { organizationId } = caller;
    return this.database.of(organizationId).transaction(async (manager, reader) => {
      if (externalIds) await lockExternalIds(manager, organizationId);
      const id = await lockPartner(manager, organizationId, name);
      await requireEvents(manager, organizationId, fields);
      const changes = stored(fields);
      if (Object.values(changes).some((value) => value !== undefined)) {
        await manager.update(Partner, { organizationId, id }, changes);
      }
      if (externalIds) await writeExternalIds(manager, { organizationId, id }, externalIds);
      return this.reads.one(PARTNER, caller, id, {}, reader);
    });
  }
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
  ...(fields.contacts && { contacts: fields.contacts.map(contactOf) }),
  ...(fields.defaultMarketing && { defaultMarketing: withoutNulls(fields.defaultMarketing) }),
  ...(fields.specificMarketings && { specificMarketings: fields.specificMarketings.map(withoutNulls) }),
});

const contactOf = (contact: PartnerContact): PartnerContact => ({
  ...withoutNulls(contact),
  email: contact.email.trim(),
});

const withoutNulls = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)) as T;
