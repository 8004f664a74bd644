import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Id, Int, Text } from '#platform/validation';
import type { Schema } from './schema';
import { schemasFromSource } from './source-schemas';

const folder = mkdtempSync(join(tmpdir(), 'startline-schemas-'));
afterAll(() => rmSync(folder, { recursive: true }));

class Thing {
  @Int({ min: 0, example: 3 }) count: number | null;
  @Int({ max: 9, maxItems: 2 }) numbers: number[];
  @Id() ids: string[];
  @Text({ example: '1042' }) bib: string | null;
  @Text({ example: null }) none: string | null;
  @Text({ example: ['a'] }) tags: string[];
}

function schemasOf(source: string): Record<string, Schema> {
  const file = join(folder, 'thing.dto.ts');
  writeFileSync(file, source);
  const tsconfig = resolve(__dirname, '../../../../../tsconfig.json');
  const classes = { Thing, A: class {}, B: class {} };
  return Object.fromEntries(schemasFromSource([file], tsconfig, classes));
}

/** Read once for all tests, because the compiler is slow. */
const schemas = schemasOf(`
  const EARLIER: 'SWIM' = 'SWIM';
  export const SPORTS = ['RUN', 'SWIM', 'BIKE'] as const;
  /** What is done. */
  export type Sport = (typeof SPORTS)[number];

  class Parent {
    id: string;
  }
  export class A extends Parent {
    name?: string;
    age: number;
  }
  /** @closed */
  export class B {
    b: string;
  }
  export class Thing {
    text: string;
    textOrNull: string | null;
    list: readonly number[];
    values: 'B' | 'A' | null;
    constant: 'ONLY';
    texts: Record<string, string>;
    anything: Record<string, unknown>;
    sport?: Sport;
    one: A | null;
    either: A | B;
    /**
     * How many
     * there are.
     */
    count: number | null;
    numbers: number[];
    ids: string[];
    bib: string | null;
    none: string | null;
    tags: string[];
  }`);
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe('schema of a property', () => {
  it.each<[string, Schema]>([
    ['text', { type: 'string' }],
    ['textOrNull', { type: ['string', 'null'] }],
    ['list', { type: 'array', items: { type: 'number' } }],
    ['values', { type: ['string', 'null'], enum: ['B', 'A', null] }],
    ['constant', { type: 'string', const: 'ONLY' }],
    ['texts', { type: 'object', additionalProperties: { type: 'string' } }],
    ['anything', { type: 'object', additionalProperties: true }],
    ['sport', ref('Sport')],
    ['one', { oneOf: [ref('A'), { type: 'null' }] }],
    ['either', { oneOf: [ref('A'), ref('B')] }],
    ['count', { type: ['integer', 'null'], description: 'How many there are.', minimum: 0, examples: [3] }],
    ['numbers', { type: 'array', items: { type: 'integer', maximum: 9 }, maxItems: 2 }],
    ['bib', { type: ['string', 'null'], examples: ['1042'] }],
    ['none', { type: ['string', 'null'], examples: [null] }],
    ['tags', { type: 'array', items: { type: 'string' }, examples: [['a']] }],
    ['ids', { type: 'array', items: { type: 'string', format: 'uuid' } }],
  ])('%s', (name, schema) => {
    expect(schemas.Thing).toHaveProperty(['properties', name], schema);
  });
});

describe('schema of a class', () => {
  it('lists inherited properties first, and requires only properties that are not optional', () => {
    expect(Object.keys(schemas.A?.properties ?? {})).toEqual(['id', 'name', 'age']);
    expect(schemas.A?.required).toEqual(['id', 'age']);
  });

  it('sets additionalProperties to false only where the class says so', () => {
    expect(schemas.A).not.toHaveProperty('additionalProperties');
    expect(schemas.B?.additionalProperties).toBe(false);
  });

  it('names enumerations, and keeps the order of their values', () => {
    expect(schemas.Sport).toEqual({
      type: 'string',
      enum: ['RUN', 'SWIM', 'BIKE'],
      description: 'What is done.',
    });
  });
});

describe('rejects', () => {
  it.each([
    [
      'a type without a JSON equivalent',
      'it: Map<string, string>;',
      /thing\.dto\.ts:2: Map<string, string> has no JSON/,
    ],
    ['an undeclared type', 'it: Nowhere;', /thing\.dto\.ts:2: Nowhere is declared nowhere/],
    ['an unknown tag', '/** @since 1 */\n  it: string;', /@since on it/],
  ])('%s', (_, declaration, message) => {
    expect(() => schemasOf(`export class Thing {\n  ${declaration}\n}`)).toThrow(message);
  });
});
