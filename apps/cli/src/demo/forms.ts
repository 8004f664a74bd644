import { IDENTITY_FIELDS } from '#domain/catalogue';
import type { BookingForm, BookingFormEntry, BookingFormField } from '#platform/database';
import { ANSWERS } from './answers';
import type { FormName } from './content/shapes';
import type { RowMaker } from './day';

type Question = Pick<BookingFormField, 'key' | 'label' | 'type'> &
  Partial<Pick<BookingFormField, 'options' | 'required' | 'helpText'>>;

const options = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

/** The fields of the demo's forms, in addition to the identity fields. */
const QUESTIONS: Question[] = [
  { key: 'phone', label: 'Mobile number', type: 'PHONE', helpText: 'Used on race day only.' },
  { key: 'nationality', label: 'Nationality', type: 'COUNTRY' },
  {
    key: 'shirtSize',
    label: 'Shirt size',
    type: 'SELECT',
    options: options({ XS: 'Extra small', S: 'Small', M: 'Medium', L: 'Large', XL: 'Extra large' }),
    required: true,
  },
  {
    key: 'dietary',
    label: 'Dietary needs',
    type: 'MULTI_SELECT',
    options: options({
      VEGETARIAN: 'Vegetarian',
      VEGAN: 'Vegan',
      GLUTEN_FREE: 'Gluten free',
      HALAL: 'Halal',
    }),
    helpText: 'For the finish line meal.',
  },
  {
    key: 'expectedMinutes',
    label: 'Expected finish time (minutes)',
    type: 'NUMBER',
    helpText: 'Puts you in a wave with others of your pace.',
  },
  { key: 'club', label: 'Club', type: 'TEXT' },
  { key: 'firstTimer', label: 'Is this your first race?', type: 'BOOLEAN' },
  { key: 'emergencyName', label: 'Emergency contact', type: 'TEXT', required: true },
  { key: 'emergencyPhone', label: 'Emergency contact’s number', type: 'PHONE', required: true },
  { key: 'medical', label: 'Anything the medics should know?', type: 'TEXT' },
  { key: 'licenceUntil', label: 'Licence valid until', type: 'DATE' },
  { key: 'guardianEmail', label: 'Parent or guardian’s email', type: 'EMAIL', required: true },
  { key: 'waiver', label: 'I race at my own risk', type: 'WAIVER', required: true },
  { key: 'packCollected', label: 'Race pack collected', type: 'BOOLEAN', helpText: 'Set on race day.' },
];

const FORMS: Record<FormName, { title: string; asks: string[] }> = {
  running: {
    title: 'Running entry',
    asks: [
      'phone',
      'nationality',
      'shirtSize',
      'expectedMinutes',
      'club',
      'emergencyName',
      'emergencyPhone',
      'waiver',
    ],
  },
  trail: {
    title: 'Trail entry with medical questions',
    asks: ['phone', 'emergencyName', 'emergencyPhone', 'medical', 'dietary', 'waiver'],
  },
  multisport: {
    title: 'Multisport and open-water entry',
    asks: ['phone', 'nationality', 'licenceUntil', 'firstTimer', 'emergencyName', 'emergencyPhone', 'waiver'],
  },
  cycling: { title: 'Cycling entry', asks: ['phone', 'licenceUntil', 'shirtSize', 'dietary', 'waiver'] },
  relay: { title: 'Team and relay entry', asks: ['phone', 'shirtSize', 'firstTimer', 'waiver'] },
  junior: { title: 'Junior entry', asks: ['guardianEmail', 'emergencyPhone', 'waiver'] },
};

export interface DemoForms {
  fields: Omit<BookingFormField, 'updatedAt'>[];
  forms: Omit<BookingForm, 'updatedAt'>[];
  entries: BookingFormEntry[];
  formId(name: FormName): string;
  fieldId(key: string): string;
  /** For PostgreSQL's format(): an entry's `fields`, of which only the answers are missing. */
  template(name: FormName | undefined): string;
}

export function demoForms(organizationId: string, maker: RowMaker): DemoForms {
  const fields = [...IDENTITY_FIELDS, ...QUESTIONS].map((question) => ({
    organizationId,
    ...maker.row(420),
    options: [],
    required: false,
    helpText: null,
    ...question,
  }));
  const names = Object.keys(FORMS) as FormName[];
  const forms = names.map((name) => ({ organizationId, ...maker.row(420), title: FORMS[name].title }));
  const field = new Map(fields.map((each) => [each.key, each]));
  const asked = (name: FormName | undefined) =>
    [...IDENTITY_FIELDS.map(({ key }) => key), ...(name ? FORMS[name].asks : [])].map((key) => {
      const known = field.get(key);
      if (!known) throw new Error(`no form field ${key}`);
      return known;
    });
  const formId = (name: FormName) => forms[names.indexOf(name)]?.id ?? '';
  return {
    fields,
    forms,
    entries: names.flatMap((name) =>
      asked(name).map(({ id }, position) => ({
        organizationId,
        bookingFormId: formId(name),
        fieldId: id,
        position,
      })),
    ),
    formId,
    fieldId: (key) => field.get(key)?.id ?? '',
    template: (name) =>
      `[${asked(name)
        .map(({ id, key, label, type }) => {
          const question = JSON.stringify({ id, key, label, type }).slice(0, -1).replaceAll('%', '%%');
          return `${question},"value":%${Object.keys(ANSWERS).indexOf(key) + 1}$s}`;
        })
        .join(',')}]`,
  };
}
