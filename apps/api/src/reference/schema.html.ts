import type { Schema } from './document';
import { escaped, inline } from './markdown';

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

/** Describes schemas in words: the meaning and the permitted values of a property, without its regular expression. */
export class Schemas {
  constructor(private readonly schemas: Record<string, Schema>) {}

  /** The properties; those of nested objects are collapsed. */
  properties(schema: Schema, open: readonly string[] = []): string {
    const { name, schema: known } = this.resolved(schema);
    if (open.length > DEEPEST || (name && open.includes(name))) return '';
    const below = name ? [...open, name] : open;
    const choices = (known.oneOf ?? known.anyOf ?? []) as Schema[];
    if (choices.length > 0) return choices.map((choice) => this.choice(choice, below)).join('');
    if (known.type === 'array' || known.type?.includes?.('array'))
      return this.properties(known.items ?? {}, below);
    const properties = Object.entries((known.properties ?? {}) as Record<string, Schema>);
    if (properties.length === 0) return '';
    const rows = properties.map(([key, property]) =>
      this.property(key, property, (known.required ?? []).includes(key), below),
    );
    return `<ul class="properties">${rows.join('')}</ul>`;
  }

  /** Every name and description of the schema, for the search. */
  words(schema: Schema, open: readonly string[] = []): string {
    const { name, schema: known } = this.resolved(schema);
    if (name && open.includes(name)) return '';
    const below = name ? [...open, name] : open;
    const parts = [known.description ?? '', ...((known.enum ?? []) as unknown[])];
    for (const part of [
      ...(known.oneOf ?? []),
      ...(known.anyOf ?? []),
      ...(known.items ? [known.items] : []),
    ]) {
      parts.push(this.words(part, below));
    }
    for (const [key, property] of Object.entries((known.properties ?? {}) as Record<string, Schema>)) {
      parts.push(key, this.words(property, below));
    }
    return parts.join(' ');
  }

  /** `text, at most 20 characters`. */
  kind(schema: Schema): string {
    const { schema: known } = this.resolved(schema);
    const choices = ((known.oneOf ?? known.anyOf ?? []) as Schema[]).filter(({ type }) => type !== 'null');
    if (choices.length === 1) return `${this.kind(choices[0] as Schema)} or null`;
    if (choices.length > 1) return 'one of several shapes';
    const types: string[] = [known.type ?? []].flat();
    const nullable = types.includes('null') ? ' or null' : '';
    if (known.const !== undefined) return `<code>${escaped(known.const)}</code>`;
    if (known.enum) {
      const values = (known.enum as unknown[]).filter((value) => value !== null);
      return `${values.map((value) => `<code>${escaped(value)}</code>`).join(' · ')}${nullable}`;
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

  private property(key: string, property: Schema, required: boolean, open: readonly string[]): string {
    const { schema: known } = this.resolved(property);
    const text = property.description ?? known.description;
    const nested = this.properties(property, open);
    return `<li><p class="property"><code>${escaped(key)}</code> <span class="kind">${this.kind(property)}</span>${
      required ? '' : ' <span class="optional">optional</span>'
    }${property.deprecated ? ' <span class="deprecated">deprecated</span>' : ''}</p>${
      text ? `<div class="means">${inline(text)}</div>` : ''
    }${property.default === undefined ? '' : `<p class="means">Default: <code>${escaped(JSON.stringify(property.default))}</code></p>`}${
      nested
        ? `<details><summary>Properties of <code>${escaped(key)}</code></summary>${nested}</details>`
        : ''
    }</li>`;
  }

  private choice(choice: Schema, open: readonly string[]): string {
    const { name, schema } = this.resolved(choice);
    if (schema.type === 'null') return '';
    const properties = this.properties(choice, open);
    return properties && `<p class="choice">${name ? escaped(name) : this.kind(choice)}</p>${properties}`;
  }

  private resolved(schema: Schema): { name?: string; schema: Schema } {
    if (typeof schema.$ref !== 'string') return { schema };
    const name = schema.$ref.slice(REF.length);
    return { name, schema: this.schemas[name] ?? {} };
  }
}

function bounds(least: number | undefined, most: number | undefined, of: string): string {
  const unit = of && ` ${of}`;
  if (least !== undefined && most !== undefined && least > 0)
    return `${least} to ${most.toLocaleString('en')}${unit}`;
  if (most !== undefined) return `at most ${most.toLocaleString('en')}${unit}`;
  return least ? `at least ${least}${unit}` : '';
}
