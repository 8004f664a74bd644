/** An SQL expression that chooses one of the texts for person `p`, the same each time. */
const choice = (salt: number, texts: string[]): string =>
  `(ARRAY[${texts.map((text) => `'${text.replaceAll("'", "''")}'`).join(', ')}])` +
  `[1 + pg_temp.demo_pick(p.n, ${salt}, ${texts.length})]`;

/** JSON text of a text column, or of null. */
const json = (text: string): string => `coalesce(to_json(${text})::text, 'null')`;

const phone = (salt: number) =>
  `'"+44 7700 900' || lpad(pg_temp.demo_pick(p.n, ${salt}, 1000)::text, 3, '0') || '"'`;

/**
 * How person `p` of the cohort `c` answers each question: SQL expressions of JSON text, by the field's key.
 */
export const ANSWERS: Record<string, string> = {
  firstName: json('p.first_name'),
  lastName: json('p.last_name'),
  email: json('p.email'),
  dateOfBirth: json('p.date_of_birth'),
  gender: json('p.gender'),
  phone: phone(20),
  nationality: choice(21, [
    '"GB"',
    '"GB"',
    '"IE"',
    '"FR"',
    '"DE"',
    '"ES"',
    '"US"',
    '"IN"',
    '"DK"',
    '"PL"',
    'null',
  ]),
  shirtSize: choice(22, ['"XS"', '"S"', '"S"', '"M"', '"M"', '"M"', '"L"', '"L"', '"XL"']),
  dietary: choice(23, [
    '[]',
    '[]',
    '[]',
    '["VEGETARIAN"]',
    '["VEGAN"]',
    '["VEGAN","GLUTEN_FREE"]',
    '["HALAL"]',
  ]),
  expectedMinutes: '(150 + pg_temp.demo_pick(p.n, 24, 150))::text',
  club: choice(25, [
    'null',
    'null',
    'null',
    '"Harbour Harriers"',
    '"Kelham Striders"',
    '"LG Nord Berlin"',
    '"Nantes Métropole Athlé"',
    '"Tri’umph"',
  ]),
  firstTimer: choice(26, ['true', 'false', 'false', 'false']),
  emergencyName: choice(27, [
    '"Sam Walker"',
    '"Alex Moreau"',
    '"Robin Doyle"',
    '"Kim Sørensen"',
    '"Jo Fischer"',
    '"Pat Iyer"',
  ]),
  emergencyPhone: phone(28),
  medical: choice(29, [
    'null',
    'null',
    'null',
    'null',
    'null',
    '"Asthma, carries an inhaler"',
    '"Allergic to bee stings"',
    '"Type 1 diabetes"',
  ]),
  licenceUntil: json("(p.created_at + interval '1 year')::date"),
  guardianEmail: `'"guardian' || p.n || '@example.com"'`,
  waiver: "'true'",
  packCollected: "'null'",
};

/** An SQL expression of the JSON text of the entry's `fields`. */
export const FIELDS = `CASE WHEN c.redacted THEN '[]'
    ELSE format(c.fields_template, VARIADIC ARRAY[${Object.values(ANSWERS).join(',\n      ')}]) END`;
