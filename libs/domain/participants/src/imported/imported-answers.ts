import countries from 'i18n-iso-countries/index';
import { type BookingFormField, type FieldAnswer, statement, typed } from '#platform/database';
import type { ImportContext } from '#platform/import-rows';
import { type Problem, problem, within } from '#platform/import-rows';
import { IDENTITY_KEYS, isEmail, isLongerJson, isPlainDate, trimmed } from '#platform/validation';
import type { ImportedAnswer } from './imported-answer.dto';

export type Identity = { [Key in (typeof IDENTITY_KEYS)[number]]?: string | null };

type Type = BookingFormField['type'];
type Field = Omit<FieldAnswer, 'value'> & { type: Type; options: { value: string }[] };

const FIELDS = statement({
  parameters: ['uuid'],
  columns: {
    id: 'uuid',
    key: 'text',
    label: 'text',
    type: typed<Type>('text'),
    options: typed<{ value: string }[]>('jsonb'),
  },
  sql: 'SELECT id, key, label, type, options FROM booking_form_fields WHERE organization_id = $1',
});

/** The form fields of the organization, and the stored format of answers. */
export class Questions {
  private constructor(
    private readonly byId: Map<string, Field>,
    private readonly byKey: Map<string, Field>,
    private readonly ofForms: boolean,
  ) {}

  static async of({
    manager,
    organizationId,
    partnerId,
  }: Pick<ImportContext, 'manager' | 'organizationId' | 'partnerId'>): Promise<Questions> {
    const fields = await FIELDS.rows(manager, [organizationId]);
    return new Questions(
      new Map(fields.map((field) => [field.id, field])),
      new Map(fields.map((field) => [field.key, field])),
      // A partner sees no fields but those of forms.
      partnerId !== null,
    );
  }

  /**
   * @param formFieldIds the fields of the ticket's forms
   * @param path of the participant
   */
  problemOf(
    { gender, fields }: { gender?: string | null; fields?: ImportedAnswer[] },
    formFieldIds: string[],
    path: string,
  ): Problem | undefined {
    const asked = this.byKey.get('gender');
    if (
      gender != null &&
      asked?.type === 'SELECT' &&
      formFieldIds.includes(asked.id) &&
      !asked.options.some(({ value }) => value === gender)
    )
      return problem(within(path, 'gender'), 'INVALID_ANSWER', 'must be one of the options of the field');
    const long = problemOfLength(fields ?? [], within(path, 'fields'));
    if (long) return long;
    const answered = new Set<Field>();
    for (const [i, answer] of (fields ?? []).entries()) {
      const field = this.fieldOf(answer);
      const name = answer.id == null ? 'key' : 'id';
      const at = within(path, `fields[${i}]`);
      if (!field || (this.ofForms && !formFieldIds.includes(field.id)))
        return problem(`${at}.${name}`, 'FIELD_NOT_FOUND', 'is not a booking form field');
      const wrong = wrongWith(field, name, answer.value, formFieldIds);
      if (wrong) return problem(`${at}.${wrong.at}`, 'INVALID_ANSWER', wrong.rule);
      if (answered.has(field))
        return problem(at, 'INVALID_ANSWER', 'answers a question that is answered before');
      answered.add(field);
    }
    return undefined;
  }

  private fieldOf({ id, key }: ImportedAnswer): Field | undefined {
    return id == null ? this.byKey.get(key ?? '') : this.byId.get(id);
  }

  /** The answers, each with the id of its question; without one if there is no such question. */
  byIds(answers: ImportedAnswer[]): ImportedAnswer[] {
    return answers.map((answer) => ({ ...answer, id: this.fieldOf(answer)?.id }));
  }

  /** In form order, followed by names, email, date of birth and gender, if the form does not contain them. */
  answers(formFieldIds: string[], identity: Identity, given: ImportedAnswer[] = []): FieldAnswer[] {
    const values = new Map(given.map((answer) => [this.fieldOf(answer)?.id, answer.value]));
    const identityIds = IDENTITY_KEYS.flatMap((key) => this.byKey.get(key)?.id ?? []);
    return [...new Set([...formFieldIds, ...identityIds])].flatMap((id) => {
      const field = this.byId.get(id);
      if (!field) return [];
      const { key, label, type } = field;
      const own = IDENTITY_KEYS.find((each) => each === key);
      const known = own && identity[own];
      return [{ id, key, label, type, value: known ?? values.get(id) ?? null }];
    });
  }
}

/** In characters of JSON, together, because a list returns the answers of many entries. */
const LONGEST_ANSWERS = 20_000;

export const problemOfLength = (answers: { value: unknown }[], path: string): Problem | undefined =>
  isLongerJson(
    answers.map(({ value }) => value),
    LONGEST_ANSWERS,
  )
    ? problem(path, 'INVALID_ANSWER', `must not have more than ${LONGEST_ANSWERS} characters together`)
    : undefined;

function wrongWith(
  { id, key, type, options }: Field,
  name: 'id' | 'key',
  value: unknown,
  formFieldIds: string[],
) {
  if ((IDENTITY_KEYS as readonly string[]).includes(key))
    return { at: name, rule: `is the field ${key}; set the property of the participant instead` };
  if (!formFieldIds.includes(id))
    return { at: name, rule: 'is a field that no booking form of the ticket has' };
  if (value === null) return undefined;
  const choices = new Set(options.map((option) => option.value));
  const [fits, rule] = RULES[type];
  return fits(value, choices) ? undefined : { at: 'value', rule: `must be ${rule}` };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isFlag = (value: unknown): boolean => typeof value === 'boolean';

/** The validation of answers, by type of the field. */
const RULES: { [T in Type]: [fits: (value: unknown, choices: Set<string>) => boolean, rule: string] } = {
  TEXT: [isText, 'text'],
  PHONE: [isText, 'text'],
  EMAIL: [(value) => isText(value) && isEmail(trimmed(value)), 'an email address'],
  DATE: [(value) => isText(value) && isPlainDate(value), 'a date that exists, as YYYY-MM-DD'],
  NUMBER: [(value) => typeof value === 'number', 'a number'],
  SELECT: [(value, choices) => isText(value) && choices.has(value), 'one of the options of the field'],
  MULTI_SELECT: [
    (value, choices) => Array.isArray(value) && value.every((each) => choices.has(each)),
    'a list of options of the field',
  ],
  BOOLEAN: [isFlag, 'true or false'],
  WAIVER: [isFlag, 'true or false'],
  COUNTRY: [
    (value) => isText(value) && /^[A-Za-z]{2}$/.test(value) && countries.isValid(value),
    'a country as two letters of ISO 3166',
  ],
};
