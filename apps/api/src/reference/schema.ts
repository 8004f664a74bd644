import type { Parameter, Schema } from './document';

const REF = '#/components/schemas/';
const DEEPEST = 6;

const FORMATS: Record<string, string> = {
  uuid: 'id',
  'date-time': 'date-time',
  date: 'date (YYYY-MM-DD)',
  'time-local': 'time (HH:MM:SS)',
  email: 'email address',
  uri: 'URL',
};

/** A property of a body, or a parameter, as pages show it. Texts are Markdown. */
export interface Property {
  name: string;
  /** Its type and permitted values: `text, at most 20 characters`. */
  kind: string;
  labels: ('required' | 'optional' | 'deprecated')[];
  text: string;
  nested: Shape[];
}

/** The properties of an object; of one of several shapes, with its title. */
export interface Shape {
  /** Of the schema, if it has one. */
  name?: string;
  title?: string;
  properties: Property[];
}

/** Describes schemas in words: the meaning and the permitted values of a property, without its regular expression. */
export class Schemas {
  constructor(private readonly schemas: Record<string, Schema>) {}

  shapes(schema: Schema, open: readonly string[] = []): Shape[] {
    const { name, schema: known } = this.resolved(schema);
    if (open.length > DEEPEST || (name && open.includes(name))) return [];
    const below = name ? [...open, name] : open;
    const choices = choicesOf(known);
    if (choices.length === 1) return this.shapes(choices[0] as Schema, below);
    if (choices.length > 1) return choices.flatMap((choice) => this.choice(choice, below));
    if (known.type === 'array' || known.type?.includes?.('array'))
      return this.shapes(known.items ?? {}, below);
    const properties = Object.entries((known.properties ?? {}) as Record<string, Schema>).map(
      ([key, property]) => this.property(key, property, (known.required ?? []).includes(key), below),
    );
    return properties.length > 0 ? [{ name, properties }] : [];
  }

  parameter({ name, description, required, deprecated, schema, in: place }: Parameter): Property {
    return {
      name,
      kind: this.kind(schema),
      labels: [
        ...(required && place !== 'path' ? (['required'] as const) : []),
        ...(deprecated ? (['deprecated'] as const) : []),
      ],
      text: withDefault(description, schema.default),
      nested: [],
    };
  }

  private property(key: string, property: Schema, required: boolean, open: readonly string[]): Property {
    const { schema: known } = this.resolved(property);
    return {
      name: key,
      kind: this.kind(property),
      labels: [
        ...(required ? [] : (['optional'] as const)),
        ...(property.deprecated ? (['deprecated'] as const) : []),
      ],
      text: withDefault(property.description ?? known.description, property.default),
      nested: this.shapes(property, open),
    };
  }

  private choice(choice: Schema, open: readonly string[]): Shape[] {
    const { name } = this.resolved(choice);
    return this.shapes(choice, open).map((shape) => ({ title: name ?? this.kind(choice), ...shape }));
  }

  private kind(schema: Schema): string {
    const { schema: known } = this.resolved(schema);
    const choices = choicesOf(known);
    if (choices.length === 1) return `${this.kind(choices[0] as Schema)} or null`;
    if (choices.length > 1) return 'one of several shapes';
    const types: string[] = [known.type ?? []].flat();
    const nullable = types.includes('null') ? ' or null' : '';
    if (known.const !== undefined) return `\`${known.const}\``;
    if (known.enum) {
      const values = (known.enum as unknown[]).filter((value) => value !== null);
      return `${values.map((value) => `\`${value}\``).join(' · ')}${nullable}`;
    }
    return `${this.typed(known, types.find((type) => type !== 'null') ?? '')}${nullable}`;
  }

  private typed(known: Schema, type: string): string {
    const { format, minLength, maxLength, minimum, maximum, minItems, maxItems } = known;
    if (type === 'array') {
      const many = bounds(minItems, maxItems, 'items');
      return `list of ${this.kind(known.items ?? {})}${many && `, ${many}`}`;
    }
    if (type === 'string') {
      const length = bounds(minLength, format ? undefined : maxLength, 'characters');
      return `${FORMATS[format] ?? 'text'}${length && `, ${length}`}`;
    }
    const name = { integer: 'whole number', number: 'number', boolean: 'true or false', object: 'object' }[
      type
    ];
    const range = bounds(minimum, maximum, '');
    return `${name ?? 'any JSON value'}${range && `, ${range}`}`;
  }

  private resolved(schema: Schema): { name?: string; schema: Schema } {
    if (typeof schema.$ref !== 'string') return { schema };
    const name = schema.$ref.slice(REF.length);
    return { name, schema: this.schemas[name] ?? {} };
  }
}

const choicesOf = ({ oneOf, anyOf }: Schema): Schema[] =>
  ((oneOf ?? anyOf ?? []) as Schema[]).filter(({ type }) => type !== 'null');

const withDefault = (text = '', value?: unknown): string =>
  [text, ...(value === undefined ? [] : [`Default: \`${JSON.stringify(value)}\``])]
    .filter(Boolean)
    .join(text.includes('\n\n') ? '\n\n' : ' ');

function bounds(least: number | undefined, most: number | undefined, of: string): string {
  const unit = of && ` ${of}`;
  if (least !== undefined && most !== undefined && least > 0)
    return `${least} to ${most.toLocaleString('en')}${unit}`;
  if (most !== undefined) return `at most ${most.toLocaleString('en')}${unit}`;
  return least ? `at least ${least}${unit}` : '';
}
