/* Values of columns that catalogue files name. The process that reads a file loads no TypeORM (docs/decisions/catalogue-and-files.md). */

/** Why an occurrence does not take place on its date. */
export const CALLED_OFF = ['POSTPONED', 'CANCELLED'] as const;

/** How applications are decided. */
export const RESOLUTION_TYPES = ['INSTANT', 'BALLOT', 'MANUAL'] as const;

export const PARTNER_TYPES = [
  'CHARITY',
  'CORPORATE',
  'FRIENDS_AND_FAMILY',
  'MERCH_PARTNER',
  'SPONSOR',
] as const;

export const EXTERNAL_ID_TYPES = [
  'ENTHUSE',
  'JUSTGIVING',
  'GIVENGAIN',
  'FUNRAISIN',
  'RAISELY',
  'RACE_ROSTER',
  'RUNSIGNUP',
  'SALESFORCE',
] as const;

export const FIELD_TYPES = [
  'TEXT',
  'EMAIL',
  'PHONE',
  'DATE',
  'NUMBER',
  'SELECT',
  'MULTI_SELECT',
  'BOOLEAN',
  'COUNTRY',
  'WAIVER',
] as const;

/** The keys of the questions about identity, which every organization has: entries are searched, ordered and exported by them. */
export const IDENTITY_KEYS = ['firstName', 'lastName', 'email', 'dateOfBirth', 'gender'] as const;

export const CURRENCY_CODES = [
  'AUD',
  'CAD',
  'DKK',
  'EUR',
  'GBP',
  'INR',
  'MXN',
  'PHP',
  'USD',
  'ZERO',
] as const;
