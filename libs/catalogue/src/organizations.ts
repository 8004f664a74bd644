import type { EntityManager } from 'typeorm';
import { BookingFormField, newId, Organization } from '#libs/database';
import { isSlug } from './slug';

export interface NewOrganization {
  slug: string;
  name: string;
  website?: string | null;
  logoUrl?: string | null;
}

/** The organization can't be as asked; the message says why, to the person who asked. */
export class OrganizationRefused extends Error {}

/** Who a participant is: fields like any other, which every organization has from the start. */
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
 * Creates an organization with its identity fields, and all surfaces off.
 *
 * @throws OrganizationRefused where the slug is taken or not a slug, or a URL is none
 */
export async function createOrganization(
  manager: EntityManager,
  asked: NewOrganization,
): Promise<Organization> {
  const { slug, website = null, logoUrl = null } = asked;
  const name = asked.name.trim();
  if (!isSlug(slug) || slug !== slug.toLowerCase()) {
    throw new OrganizationRefused(`"${slug}" is not a slug: lower-case letters, digits and single hyphens.`);
  }
  if (!name) throw new OrganizationRefused('The name must not be empty.');
  for (const url of [website, logoUrl]) {
    if (url !== null && !isUrl(url)) throw new OrganizationRefused(`"${url}" is not a web address.`);
  }
  return manager.transaction(async (transaction) => {
    const id = newId();
    const { raw } = await transaction
      .createQueryBuilder()
      .insert()
      .into(Organization)
      .values({ id, slug, name, website, logoUrl })
      .orIgnore()
      .returning('id')
      .execute();
    if (raw.length === 0) throw new OrganizationRefused(`The slug "${slug}" is taken.`);
    await transaction.insert(
      BookingFormField,
      IDENTITY_FIELDS.map((field) => ({ ...field, organizationId: id, id: newId() })),
    );
    return transaction.findOneByOrFail(Organization, { id });
  });
}
