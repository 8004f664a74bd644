import 'reflect-metadata';
import { EMPTY_OR_VISIBLE } from './formats';
import { MOST_JSON_CHARACTERS } from './most-json';

type Keywords = Record<string, unknown>;

interface Shown {
  /** The value of an absent property. */
  default?: unknown;
  example?: unknown;
}

/** The bounds of a list, whose items have the other keywords. */
interface ListBounds {
  minItems?: number;
  maxItems?: number;
  /** Refuses a list that contains a value twice. */
  unique?: true;
}

interface Range extends Shown {
  min?: number;
  max?: number;
}

interface TextOptions extends Range, ListBounds {
  pattern?: RegExp;
  /** The only values, where TypeScript does not know them. */
  values?: readonly string[];
}

const KEYWORDS = Symbol('keywords');

/** The JSON Schema keywords that the decorators of a property state. Those of a list of texts or numbers belong to its items. */
export const keywordsOf = (prototype: object, property: string): Keywords =>
  Reflect.getMetadata(KEYWORDS, prototype, property) ?? {};

/**
 * States JSON Schema keywords of a property of a request or response. Its type, and whether it can be `null` or absent, are
 * those of TypeScript, and its description is its comment. The OpenAPI documents are written from all three, and bodies are
 * checked by the schemas of the documents; class-validator checks what a schema can't express.
 */
const stated =
  ({ example, default: fallback, unique, ...keywords }: Keywords): PropertyDecorator =>
  (prototype, property) => {
    const all = {
      ...keywords,
      uniqueItems: unique,
      default: fallback,
      examples: example === undefined ? undefined : [example],
    };
    const present = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    const others = Reflect.getOwnMetadata(KEYWORDS, prototype, property);
    Reflect.defineMetadata(KEYWORDS, { ...others, ...present }, prototype, property);
  };

/** A text, or a list of texts. `min` and `max` count its characters. */
export const Text = ({ min, max, pattern, values, ...rest }: TextOptions = {}): PropertyDecorator =>
  stated({ minLength: min, maxLength: max, pattern: pattern?.source, enum: values, ...rest });

/** A name, which can be empty where there is none, but is not white space alone. */
export const Name = (options: Omit<TextOptions, 'pattern'>): PropertyDecorator =>
  Text({ ...options, pattern: EMPTY_OR_VISIBLE });

const format =
  (name: string) =>
  ({ max, ...rest }: Shown & ListBounds & { max?: number } = {}): PropertyDecorator =>
    stated({ maxLength: max, format: name, ...rest });

/** A UUID of version 7, in lower case. */
export const Id = format('uuid');
/** A date and time with an offset, ISO 8601. */
export const DateTime = format('date-time');
/** A date, YYYY-MM-DD. */
export const DateOnly = format('date');
/** A time of day at the event, hh:mm:ss. */
export const LocalTime = format('time-local');
/** An absolute URL. */
export const Uri = format('uri');
export const Email = format('email');

/** A number. */
export const Decimal = ({ min, max, ...rest }: Range = {}): PropertyDecorator =>
  stated({ minimum: min, maximum: max, ...rest });

/** A whole number, or a list of them. */
export const Int = ({ min, max, ...rest }: Range & ListBounds = {}): PropertyDecorator =>
  stated({ type: 'integer', minimum: min, maximum: max, ...rest });

/** A list of anything else. */
export const Items = ({ min, max, ...rest }: Range & Pick<ListBounds, 'unique'>): PropertyDecorator =>
  stated({ minItems: min, maxItems: max, ...rest });

/** Any JSON value. `max` counts the characters of its JSON. */
export const Json = ({ max, ...rest }: Shown & ListBounds & { max: number }): PropertyDecorator =>
  stated({ [MOST_JSON_CHARACTERS]: max, ...rest });

/** The default or example of a property whose type says everything else. */
export const Value = (options: Shown): PropertyDecorator => stated({ ...options });
