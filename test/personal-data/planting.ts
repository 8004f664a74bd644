import { DOCUMENT, type Schema } from '../contract/document';

/** The person. The address fits into a bib. */
export const EMAIL = 'olga@planted.eu';
export const FIRST_NAME = 'Olga';
export const LAST_NAME = 'Plantedova';

/** How a text names the person: by the address or name alone, or in a longer text or id. */
export type Manner = 'ALONE' | 'LONGER';

/** Properties that accept an address and are not planted, with the reason. */
export const UNPLANTED: Readonly<Record<string, string>> = {
  'fields[].key': 'names a question of the form',
  generatedReferralCode: 'names a code that the platform made',
  referralCode: 'names a code that the platform made',
  reservedEntryGroupId: 'names a group, which the organizer made',
  ticketSlug: 'names a ticket, which the organizer made',
  'charityOptIn[]': 'names a partner',
  'endpoints[]': 'names operations',
  'redeemStaffLink organization': 'of a staff member',
  'redeemStaffLink token': 'of a staff member',
  'signIn organization': 'of a staff member',
  'signIn email': 'of a staff member',
  'signIn password': 'of a staff member',
  'mailSignInLink organization': 'of a staff member',
  'mailSignInLink email': 'of a staff member',
  'setPassword currentPassword': 'of a staff member',
  'setPassword password': 'of a staff member',
  'inviteStaff email': 'of a staff member',
  'invitePartnerMember email': 'of a staff member',
  'writeCatalogue records':
    'the catalogue, which the organizer publishes; contacts of partners as in createPartner',
  'writeCatalogue versions': 'ids and versions of records of the catalogue',
  'writeCatalogueAsStaff records': 'as writeCatalogue',
  'writeCatalogueAsStaff versions': 'as writeCatalogue',
  'writeCatalogueAsStaff columns[]': 'names of properties',
  'readCatalogueFile mapping': 'of a file that is read and not kept',
  'readCatalogueFile corrections[].column': 'of a file that is read and not kept',
  'readCatalogueFile corrections[].text': 'of a file that is read and not kept',
  'countApplicationsByTicket search': 'finds applications',
  'readCatalogueFile name': 'of a file that is read and not kept',
  'readCatalogueFile content': 'of a file that is read and not kept',
  'readCatalogueFile sheet': 'the name of a sheet of a file that is read and not kept',
  'saveFileMapping name': 'the name of a mapping, which the organizer chooses',
  'saveFileMapping mapping': 'names of columns and of records, which the organizer chooses',
  'createKey name': 'the name of a key, which the organizer chooses',
  'createKey reads[]': 'words, or the key of a form field',
  'addParticipant requestId': 'a random text that the client makes',
  'changeParticipants matching.tag': 'finds participants',
  'planBibs ranges[].tags[]': 'finds participants',
  'decideApplications matching.search': 'finds applications',
  'erasePerson email': 'names who is erased',
  'exportPerson email': 'names whose data is read',
  'drawBallot seed': 'of the draw, which the organizer publishes',
  'restrictKey reads[]': 'words, or the key of a form field',
};

const schemaOf = (schema: Schema): Schema =>
  schema.$ref ? schemaOf((DOCUMENT.components as Schema).schemas[schema.$ref.split('/').pop()]) : schema;

const REFUSING = new Set(['uuid', 'date', 'date-time', 'time']);
const isText = (schema: Schema): boolean =>
  [schema.type].flat().includes('string') &&
  !('enum' in schema || 'const' in schema || REFUSING.has(schema.format)) &&
  (schema.maxLength ?? EMAIL.length) >= EMAIL.length;
const isJson = (schema: Schema): boolean => 'x-mostJsonCharacters' in schema;
const branchesOf = (schema: Schema): Schema[] =>
  (schema.oneOf ?? []).map(schemaOf).filter((branch: Schema) => branch.type !== 'null');
const namesOf = (schema: Schema): string[] => schemaOf(schema.propertyNames ?? {}).enum ?? [];

/** The paths, such as `bookings[].booker.email`, where a schema accepts an address. A batch has those of one message. */
export function placesOf(given: Schema, path = ''): string[] {
  const schema = schemaOf(given);
  const within = (part: string) => (path ? `${path}.${part}` : part);
  if (isJson(schema)) return [path];
  return [
    ...(isText(schema) ? [path] : []),
    ...branchesOf(schema).flatMap((branch) => placesOf(branch, path)),
    ...(schema.items ? placesOf(schema.items, path && `${path}[]`) : []),
    ...Object.entries((schema.properties ?? {}) as Schema).flatMap(([name, property]) =>
      placesOf(property, within(name)),
    ),
    ...(typeof schema.additionalProperties === 'object'
      ? placesOf(schema.additionalProperties, within('*'))
      : []),
  ];
}

/** The reason why a place is not planted, if so. */
export const reasonOf = (operation: string, path: string): string | undefined =>
  UNPLANTED[`${operation} ${path}`] ??
  Object.entries(UNPLANTED).find(([end]) => path === end || path.endsWith(`.${end}`))?.[1];

/** Makes bodies with the person. */
export class Planter {
  private bibs = 0;
  /** `<operation> <path>`, of what was planted. */
  readonly planted = new Set<string>();

  constructor(private readonly manner: Manner) {}

  get said(): string {
    return `call ${FIRST_NAME} ${LAST_NAME} (${EMAIL.toUpperCase()}), or ${LAST_NAME}, ${FIRST_NAME}`;
  }

  id(name: string): string {
    return this.manner === 'ALONE' ? EMAIL : `${name}-${EMAIL}-1`;
  }

  /** A free bib. */
  bib(): string {
    return this.manner === 'ALONE' && this.bibs++ === 0 ? EMAIL : `${++this.bibs}${this.manner[0]} ${EMAIL}`;
  }

  /**
   * A body with the person in every text of the schema that accepts an address. Other properties are as in `base`.
   *
   * @param given what `base` has at the path
   */
  body(operation: string, given: Schema, base: unknown, path = ''): unknown {
    const schema = schemaOf(given);
    const name = path
      .replace(/(\[\]|\.\*)+$/, '')
      .split('.')
      .pop() as string;
    if ((isText(schema) || isJson(schema)) && !reasonOf(operation, path)) {
      this.planted.add(`${operation} ${path}`);
      return isJson(schema) ? this.json(name, schema) : this.text(operation, name, schema);
    }
    const branches = branchesOf(schema);
    if (branches.length > 0) {
      const fits = (branch: Schema) =>
        base === undefined || (branch.type === 'array') === Array.isArray(base);
      const branch = branches.find(fits);
      return branch ? this.body(operation, branch, base, path) : base;
    }
    if (schema.items) {
      const [first] = (base as unknown[] | undefined) ?? [];
      if (first === undefined && placesOf(schema.items, 'x').length === 0) return base;
      return [this.body(operation, schema.items, first, path && `${path}[]`)];
    }
    if (schema.properties) return this.object(operation, schema, base as Schema | undefined, path);
    const [type] = namesOf(schema);
    if (type && typeof schema.additionalProperties === 'object')
      return { [type]: this.body(operation, schema.additionalProperties, undefined, `${path}.*`) };
    return base ?? sampleOf(schema);
  }

  private object(operation: string, schema: Schema, base: Schema = {}, path: string): Schema {
    const made: Schema = {};
    for (const [name, property] of Object.entries(schema.properties as Schema)) {
      const inner = path ? `${path}.${name}` : name;
      const isPlanted = placesOf(property, inner).some((place) => !reasonOf(operation, place));
      if (!isPlanted && !(name in base) && !schema.required?.includes(name)) continue;
      if (base[name] === null) continue;
      made[name] = isPlanted
        ? this.body(operation, property, base[name], inner)
        : (base[name] ?? sampleOf(schemaOf(property)));
    }
    return made;
  }

  private text(operation: string, name: string, schema: Schema): string {
    if (name === 'firstName') return FIRST_NAME;
    if (name === 'lastName') return LAST_NAME;
    if (schema.format === 'email') return this.manner === 'ALONE' ? EMAIL : EMAIL.toUpperCase();
    if (name === 'bibNumber') return this.bib();
    if (schema.format === 'uri' || name === 'url')
      return `https://planted.example/?who=${this.manner === 'ALONE' ? EMAIL : encodeURIComponent(EMAIL)}`;
    // A credit that is spent, and a code that is used, are named.
    if (name === 'itemId') return this.id('externalCreditId');
    if (name === 'discountCode' || name === 'code') return this.id('code');
    if (name === 'referredExternalBookingId') return this.id('externalBookingId');
    if (/^external\w*Id$/.test(name)) return this.id(name);
    if (name === 'externalIds') return this.manner === 'ALONE' ? `${operation} ${EMAIL}` : this.id(operation);
    const most = schema.maxLength ?? Number.POSITIVE_INFINITY;
    if (this.manner === 'ALONE' || this.said.length > most) return EMAIL;
    return this.said;
  }

  private json(name: string, schema: Schema): unknown {
    if (name === 'customFields')
      return [
        { id: 'note', value: this.said },
        { id: EMAIL, value: { deep: [EMAIL] } },
      ];
    if (name === 'value') return this.manner === 'ALONE' ? EMAIL : this.said;
    if (schema.type === 'object') return { note: this.said, [EMAIL]: { deep: [EMAIL] } };
    throw new Error(`The test does not know how to plant a person in ${name}`);
  }
}

const SAMPLES: Record<string, string> = { 'date-time': '2026-01-01T00:00:00Z', date: '1990-01-01' };
const sampleOf = (schema: Schema): unknown => schema.const ?? schema.enum?.[0] ?? SAMPLES[schema.format];
