import { violationOf } from '#libs/testing';
import { DOCUMENT, OPERATIONS, operationOf, type Schema } from '../document';

/** In enums up to this size, each value must have occurred; in larger ones, two values are enough. */
const STATES = 4;

/**
 * Collects the values of each property of the OpenAPI document's response schemas. Properties are named by their
 * schema, because operations of a resource share it: `Participant.team`, `ParticipantTeam.roles`.
 */
export class Seen {
  private readonly values = new Map<string, Set<string>>();
  private readonly answered = new Set<string>();

  /** Collects a response, if the operation succeeded. */
  take(method: string, path: string, status: number, body: unknown): void {
    if (status !== 200) return;
    const { name } = operationOf(method, path);
    this.answered.add(name);
    this.gather(answerOf(name), body, name);
  }

  /** Operations without a response, and properties without their values, each with what was missing. */
  missing(): string[] {
    const silent = OPERATIONS.filter(({ name }) => !this.answered.has(name)).map(
      ({ name }) => `${name}: never answered 200`,
    );
    const unfilled = [...PROPERTIES].flatMap(([name, schema]) => {
      const lacks = lackOf(schema, this.values.get(name) ?? new Set());
      return lacks ? `${name}: ${lacks}` : [];
    });
    return [...silent, ...unfilled].sort();
  }

  private gather(schema: Schema, value: unknown, name: string): void {
    if (value === null || value === undefined) return;
    if (schema.$ref) this.gather(resolved(schema), value, nameOf(schema.$ref));
    for (const option of optionsOf(schema))
      if (violationOf(option, value) === undefined) this.gather(option, value, name);
    if (Array.isArray(value)) for (const item of value) this.gather(schema.items ?? {}, item, name);
    if (typeof value !== 'object') return;
    for (const [property, of] of Object.entries((schema.properties ?? {}) as Schema)) {
      const held = (value as Record<string, unknown>)[property];
      const key = `${name}.${property}`;
      this.values.set(key, (this.values.get(key) ?? new Set()).add(JSON.stringify(held ?? null)));
      this.gather(of, held, key);
    }
  }
}

/** What is missing for a property; undefined if nothing is. */
function lackOf(schema: Schema, values: Set<string>): string | undefined {
  const filled = [...values].filter((value) => !['null', '""', '[]', '{}'].includes(value));
  if (filled.length === 0) return 'no value';
  const known = [schema, ...optionsOf(schema)].map(resolved);
  const states = known.flatMap((each) => (each.type === 'array' ? [] : (each.enum ?? [])));
  const types = known.flatMap(({ type }) => type ?? []);
  const wanted = types.includes('boolean') ? [true, false] : states;
  if (wanted.length > 1 && wanted.length <= STATES) {
    const left = wanted.filter((state) => state !== null && !values.has(JSON.stringify(state)));
    return left.length ? `never ${left.join(', ')}` : undefined;
  }
  const isVaried = states.length > 1 || types.includes('integer') || types.includes('number');
  return isVaried && values.size < 2 ? `only ${filled}` : undefined;
}

const nameOf = (reference: string) => reference.split('/').at(-1) as string;
const resolved = (schema: Schema): Schema =>
  schema.$ref ? DOCUMENT.components.schemas[nameOf(schema.$ref)] : schema;
const optionsOf = ({ anyOf, oneOf, allOf }: Schema): Schema[] => [
  ...(anyOf ?? []),
  ...(oneOf ?? []),
  ...(allOf ?? []),
];

const ANSWERS = new Map<string, Schema>(
  Object.values(DOCUMENT.paths as Schema).flatMap((item) =>
    Object.values(item as Schema).map(({ operationId, responses }): [string, Schema] => [
      operationId,
      // Exports return lines, each with an item of the list.
      responses[200].content['application/json']?.schema ?? {},
    ]),
  ),
);
const answerOf = (operation: string) => ANSWERS.get(operation) as Schema;

/** Every property of a response, including nested ones. */
const PROPERTIES = new Map<string, Schema>();
const walked = new Set<string>();
function walk(schema: Schema, name: string): void {
  if (schema.$ref) {
    const reference = nameOf(schema.$ref);
    if (!walked.has(reference)) {
      walked.add(reference);
      walk(resolved(schema), reference);
    }
    return;
  }
  for (const option of optionsOf(schema)) walk(option, name);
  if (schema.items) walk(schema.items, name);
  for (const [property, of] of Object.entries((schema.properties ?? {}) as Schema)) {
    PROPERTIES.set(`${name}.${property}`, of);
    walk(of, `${name}.${property}`);
  }
}
for (const { name } of OPERATIONS) walk(answerOf(name), name);
