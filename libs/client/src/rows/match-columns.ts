import type { ImportField } from './shapes';

/** Maps fields to columns: the path of the field by the name of the column. */
export type Mapping = Record<string, string>;

const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Other names of fields, in several languages. */
const ALIASES: Record<string, string[]> = {
  firstName: ['forename', 'givenname', 'vorname', 'prenom', 'first'],
  lastName: ['surname', 'familyname', 'nachname', 'name', 'nom', 'last'],
  email: ['mail', 'emailaddress', 'epost', 'emailadresse'],
  dateOfBirth: ['birthdate', 'dob', 'geburtsdatum', 'birthday', 'datedenaissance'],
  gender: ['sex', 'geschlecht', 'sexe'],
  bibNumber: ['bib', 'startnummer', 'startnumber', 'bibno', 'dossard', 'number'],
  phone: ['telephone', 'telefon', 'mobile'],
  externalBookingId: ['bookingid', 'orderid', 'order', 'booking', 'buchung', 'bookingnumber'],
  externalParticipantId: ['participantid', 'runnerid', 'teilnehmerid'],
  ticketId: ['ticket', 'tickettitle', 'tickettype', 'race', 'competition', 'wettbewerb', 'distance'],
  bookedAt: ['bookingdate', 'orderdate', 'buchungsdatum', 'date'],
  'team.name': ['team', 'teamname', 'club', 'verein', 'mannschaft'],
  code: ['discountcode', 'coupon', 'voucher', 'gutschein'],
  'amount.value': ['amount', 'betrag'],
  'amount.currencyCode': ['currency', 'waehrung', 'währung'],
};

/** Too vague to match without the name of the object. */
const VAGUE = ['name', 'value', 'type', 'role'];

const nameOf = (path: string) => path.replace(/^participants\[0\]\./, '');
const lastOf = (path: string) => path.split('.').at(-1) ?? path;

/** How well the name of a column matches a field; 0 if it does not. */
function fit(column: string, { path }: ImportField): number {
  const given = plain(column);
  if (given === plain(path)) return 4;
  if (given === plain(nameOf(path))) return path === nameOf(path) ? 4 : 3;
  const aliases = ALIASES[nameOf(path)] ?? ALIASES[lastOf(path)] ?? [];
  // A column such as `email` describes the participant rather than the booker.
  const own = path.startsWith('booker.') ? 0 : 1;
  if (given === plain(lastOf(path)) && !VAGUE.includes(given)) return 1 + own;
  return aliases.includes(given) ? 0.5 + own : 0;
}

/** Matches columns to fields by name, each field once, the best fits first. */
export function matchColumns(columns: string[], fields: ImportField[]): Mapping {
  const fits = columns
    .flatMap((column) => fields.map((field) => ({ column, path: field.path, fit: fit(column, field) })))
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit);
  const mapping: Mapping = {};
  const taken = new Set<string>();
  for (const { column, path } of fits) {
    if (mapping[column] || taken.has(path)) continue;
    mapping[column] = path;
    taken.add(path);
  }
  return mapping;
}
