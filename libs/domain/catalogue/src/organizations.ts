import type { EntityManager } from 'typeorm';
import { type Actor, audit } from '#platform/access';
import { BookingFormField, insertNew, newId, Organization, updateGiven } from '#platform/database';
import { isSlug } from './slug';

export interface NewOrganization {
  slug: string;
  name: string;
  website?: string | null;
  logoUrl?: string | null;
  /** For tries: outside the marketplace, and marked in keys and webhooks. Never changes. */
  sandbox?: boolean;
}

/**
 * Changes of an organization. `null` removes a value; absent properties do not change. The slug cannot change,
 * because links contain it; nor whether it is a sandbox, because test data must not be sold, and other data not be emptied.
 */
export type OrganizationChange = Partial<Omit<NewOrganization, 'slug' | 'sandbox'>>;

/** The requested change is not possible. The message gives the reason and is shown to the user. */
export class OrganizationRefused extends Error {}

/** The identity fields of participants, which every organization has from the start. */
export const IDENTITY_FIELDS: Pick<BookingFormField, 'key' | 'label' | 'type' | 'options' | 'required'>[] = [
  { key: 'firstName', label: 'First name', type: 'TEXT', options: [], required: true },
  { key: 'lastName', label: 'Last name', type: 'TEXT', options: [], required: true },
  { key: 'email', label: 'Email', type: 'EMAIL', options: [], required: true },
  { key: 'dateOfBirth', label: 'Date of birth', type: 'DATE', options: [], required: false },
  {
    key: 'gender',
    label: 'Gender',
    type: 'SELECT',
    options: [
      { value: 'FEMALE', label: 'Female' },
      { value: 'MALE', label: 'Male' },
      { value: 'NON_BINARY', label: 'Non-binary' },
      { value: 'UNDISCLOSED', label: 'Prefer not to say' },
    ],
    required: false,
  },
];

const isUrl = (text: string) => URL.canParse(text) && /^https?:/.test(text);

/**
 * Creates an organization with its identity fields and without restricted surfaces, and records who created it.
 *
 * @throws OrganizationRefused if the slug is taken or invalid, or a URL is invalid
 */
export async function createOrganization(
  manager: EntityManager,
  asked: NewOrganization,
  by: Actor,
): Promise<Organization> {
  const { slug, website = null, logoUrl = null, sandbox = false } = asked;
  const name = asked.name.trim();
  if (!isSlug(slug) || slug !== slug.toLowerCase()) {
    throw new OrganizationRefused(
      `"${slug}" is not a slug. Use lower-case letters, digits and single hyphens.`,
    );
  }
  check({ name, website, logoUrl });
  const id = newId();
  if ((await insertNew(manager, Organization, [{ id, slug, name, website, logoUrl, sandbox }])) === 0)
    throw new OrganizationRefused(`The slug "${slug}" is already used.`);
  await addIdentityFields(manager, id);
  await audit(manager, by, {
    ...{ organizationId: id, action: 'organization.create', objectType: 'organization', objectId: id },
    details: { slug, ...(sandbox && { sandbox }) },
  });
  return manager.findOneByOrFail(Organization, { id });
}

export const addIdentityFields = (manager: EntityManager, organizationId: string) =>
  manager.insert(
    BookingFormField,
    IDENTITY_FIELDS.map((field) => ({ ...field, organizationId, id: newId() })),
  );

/**
 * Changes an organization, and records who changed which properties.
 *
 * @throws OrganizationRefused if the name is empty, or a URL is invalid
 */
export async function updateOrganization(
  manager: EntityManager,
  id: string,
  asked: OrganizationChange,
  by: Actor,
): Promise<Organization> {
  const change = { ...asked, ...(asked.name !== undefined && { name: asked.name.trim() }) };
  check(change);
  await updateGiven(manager, Organization, { id }, change);
  await audit(manager, by, {
    ...{ organizationId: id, action: 'organization.update', objectType: 'organization', objectId: id },
    details: { changed: Object.keys(change) },
  });
  return manager.findOneByOrFail(Organization, { id });
}

/** Its keys and staff then get 401, and its events are not in the marketplace. All of its data stays. */
export const closeOrganization = (manager: EntityManager, id: string, by: Actor): Promise<void> =>
  setDeleted(manager, id, new Date(), by);

export const reopenOrganization = (manager: EntityManager, id: string, by: Actor): Promise<void> =>
  setDeleted(manager, id, null, by);

async function setDeleted(
  manager: EntityManager,
  id: string,
  deletedAt: Date | null,
  by: Actor,
): Promise<void> {
  await updateGiven(manager, Organization, { id }, { deletedAt });
  const action = deletedAt ? 'organization.close' : 'organization.reopen';
  await audit(manager, by, { organizationId: id, action, objectType: 'organization', objectId: id });
}

function check({ name, website, logoUrl }: OrganizationChange): void {
  if (name === '') throw new OrganizationRefused('The name must not be empty.');
  for (const url of [website, logoUrl]) {
    if (url && !isUrl(url)) throw new OrganizationRefused(`"${url}" is not an http or https URL.`);
  }
}
