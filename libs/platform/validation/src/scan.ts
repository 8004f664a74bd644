import { survivesParsing, writtenOutDigits } from './number-literal';
import { MOST_PROBLEMS, type Problem, pathOf, problem } from './problem';

/** The most bytes of the name of a property, whatever texts may have. */
const LONGEST_NAME = 200_000;

/** Limits of bodies, independent of the schema. */
export interface BodyBounds {
  /** Levels of objects and arrays. */
  depth: number;
  /** Objects, arrays, strings, numbers and so on, in total. */
  values: number;
  /** Of a batch: the values of one row, and those around the rows. */
  rowValues?: number;
  /** Properties of one object. */
  keys: number;
  /** Different names of properties, each of which takes the parser far longer than one that it has read before. */
  names?: number;
  /** Characters of one string or property name. */
  text: number;
  /** Digits of one number that is written out without an exponent. */
  digits: number;
}

/** Decimal numbers with at most this many digits are exact after parsing, for any exponent that `digits` permits (IEEE 754). */
const EXACT_DIGITS = 15;
/** In objects with fewer properties, comparing names one by one is faster than a set. */
const FEW = 16;
/** The levels around the rows of a batch: the body, and the array. */
const ROWS_DEPTH = 2;
/** The most levels in the path of a value that is nested too deep. */
const FIRST_LEVELS = 8;

const [QUOTE, BACKSLASH, COMMA, COLON, MINUS, PLUS, DOT] = [34, 92, 44, 58, 45, 43, 46];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [123, 125, 91, 93];
const [ZERO, NINE, UPPER_E, LOWER_E, LOWER_U] = [48, 57, 69, 101, 117];
const AFTER_BACKSLASH = new Set([...'"\\/bfnrtu'].map((character) => character.charCodeAt(0)));
const LITERALS = ['true', 'false', 'null'];

/** The properties of an object that permits others, each with those of its value, if that permits others too. */
export type OpenNames = ReadonlyMap<string, OpenNames | undefined>;

/** Stops the scan. */
class Fatal extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

/** Stops the scan because MOST_PROBLEMS were found. */
class Enough extends Error {}

/** An open object or array. */
interface Level {
  isArray: boolean;
  /** Items before the current one. */
  index: number;
  /** The name of the current property. */
  key: string;
  names: string[];
  nameSet: Set<string> | undefined;
  /** Of an object: its known properties, if it permits others. Of an array: those of its items. */
  known: OpenNames | undefined;
  /** Where to cut unknown properties from, if they are the last ones, or if a known one follows. */
  cutLast: number;
  cutBefore: number;
}

/** The property of a body that holds its rows, and how many of them are wanted. */
export interface Collection {
  name: string;
  most: number;
}

/**
 * Scans JSON text once, in linear time, without building values. Checks the grammar, the limits, and content that V8
 * and PostgreSQL would read differently or refuse. Of unknown properties where others are permitted, only the grammar and
 * the depth are checked, and `kept` is the text without them: nothing else reads them.
 */
export class Scan {
  /** In the text's order, MOST_PROBLEMS at most. */
  readonly problems: Problem[] = [];
  /** Whether the scan stopped early, so that the text must not be parsed. */
  isFatal = false;
  /** Where the rows of the collection begin and end in the text, at most one more than wanted. */
  readonly rows: { begin: number; end: number }[] = [];
  /** What is between the brackets of the collection. */
  within: { begin: number; end: number } | undefined;

  private at = 0;
  private values = 0;
  /** Values of the current row, or around the rows. */
  private partValues = 0;
  private isInRows = false;
  /** A pool of levels, bounded by the depth limit. */
  private readonly levels: Level[] = [];
  private depth = 0;
  /** The depth of the object whose unknown property is being skipped; otherwise infinite. */
  private skipping = Number.POSITIVE_INFINITY;
  private readonly namesRead = new Set<string>();
  private readonly pieces: string[] = [];
  private cutUpTo = 0;

  constructor(
    private readonly text: string,
    private readonly bounds: BodyBounds,
    private readonly known?: OpenNames,
    private readonly collection?: Collection,
  ) {
    try {
      this.run();
    } catch (error) {
      this.isFatal = true;
      if (error instanceof Fatal) this.problems.push(error.problem);
      else if (!(error instanceof Enough)) throw error;
    }
  }

  /** The text without the properties that were skipped. */
  get kept(): string {
    return this.pieces.length ? this.pieces.join('') + this.text.slice(this.cutUpTo) : this.text;
  }

  private run(): void {
    do {
      this.value();
    } while (this.next());
    this.space();
    if (this.at < this.text.length) this.notJson();
  }

  /** Reads a scalar, an empty object or array, or the beginning of another object or array. */
  private value(): void {
    const character = this.space();
    if (!this.isSkipping) this.values += 1;
    if (this.values > this.bounds.values) {
      throw new Fatal(
        problem(
          '',
          'TOO_COMPLEX',
          `must not have more than ${this.bounds.values} values; send several requests`,
        ),
      );
    }
    if (this.collection) this.countPart(this.collection);
    if (character === QUOTE) this.string(false);
    else if (character === OPEN_OBJECT) this.open(false);
    else if (character === OPEN_ARRAY) this.open(true);
    else if (character === MINUS || isDigit(character)) this.number();
    else this.literal();
  }

  /** Each row is parsed on its own, so its values are bounded on their own. */
  private countPart({ most }: Collection): void {
    if (this.isInRows && this.depth === ROWS_DEPTH) {
      this.partValues = 0;
      if (this.rows.length <= most) this.rows.push({ begin: this.at, end: this.at });
    }
    this.partValues += 1;
    const { rowValues = Number.POSITIVE_INFINITY } = this.bounds;
    if (this.partValues <= rowValues) return;
    const path = this.isInRows ? this.path(ROWS_DEPTH) : '';
    throw new Fatal(problem(path, 'TOO_COMPLEX', `must not have more than ${rowValues} values`));
  }

  /** A row has ended. */
  private endRow(): void {
    const last = this.rows.at(-1);
    if (last && this.rows.length <= (this.collection?.most ?? 0)) last.end = this.at;
  }

  /** Moves to the start of the next value. */
  private next(): boolean {
    for (;;) {
      const level = this.levels[this.depth - 1];
      if (!level || this.depth === 0) return false;
      // An object or array that was just opened has no value yet.
      if (level.index === -1) {
        level.index = 0;
        if (this.space() !== (level.isArray ? CLOSE_ARRAY : CLOSE_OBJECT)) {
          if (!level.isArray) this.name(level);
          return true;
        }
        this.close(level);
        continue;
      }
      const character = this.space();
      if (this.isInRows && this.depth === ROWS_DEPTH) this.endRow();
      if (character === COMMA) {
        if (!this.isSkipping) level.cutLast = this.at;
        this.at += 1;
        if (!this.isSkipping) level.cutBefore = this.at;
        level.index += 1;
        if (!level.isArray) this.name(level);
        return true;
      }
      if (character !== (level.isArray ? CLOSE_ARRAY : CLOSE_OBJECT)) this.notJson();
      this.close(level);
    }
  }

  private close(level: Level): void {
    if (this.skipping === this.depth) this.cut(level.cutLast, this.at);
    if (this.isInRows && this.within && this.depth === ROWS_DEPTH) {
      this.isInRows = false;
      this.partValues = 0;
      this.within.end = this.at;
    }
    this.at += 1;
    this.depth -= 1;
  }

  private get isSkipping(): boolean {
    return this.skipping <= this.depth;
  }

  /** Ends the skipping, and omits this part of the text. */
  private cut(from: number, upTo: number): void {
    this.pieces.push(this.text.slice(this.cutUpTo, from));
    this.cutUpTo = upTo;
    this.skipping = Number.POSITIVE_INFINITY;
  }

  private open(isArray: boolean): void {
    if (this.depth === this.bounds.depth) {
      throw new Fatal(
        problem(
          this.path(FIRST_LEVELS),
          'TOO_COMPLEX',
          `must not be nested deeper than ${this.bounds.depth} levels`,
        ),
      );
    }
    const outer = this.levels[this.depth - 1];
    const inner = this.depth === 0 ? this.known : outer?.isArray ? outer.known : outer?.known?.get(outer.key);
    this.at += 1;
    let level = this.levels[this.depth];
    if (!level) {
      level = {
        isArray,
        index: -1,
        key: '',
        names: [],
        nameSet: undefined,
        known: undefined,
        cutLast: 0,
        cutBefore: 0,
      };
      this.levels.push(level);
    }
    level.isArray = isArray;
    level.known = this.isSkipping ? undefined : inner;
    level.cutLast = this.at;
    level.cutBefore = this.at;
    level.index = -1;
    level.key = '';
    level.names.length = 0;
    level.nameSet = undefined;
    this.depth += 1;
    // A duplicate of the property is a problem, so only the first one matters.
    if (this.depth !== ROWS_DEPTH || !isArray || outer?.isArray || this.within) return;
    if (!this.collection || outer?.key !== this.collection.name) return;
    this.isInRows = true;
    this.within = { begin: this.at, end: this.at };
  }

  private name(level: Level): void {
    if (this.space() !== QUOTE) this.notJson();
    const begin = this.at;
    const wasSkipping = this.isSkipping;
    // A name is skipped until it turns out to be known.
    if (level.known) this.skipping = this.depth;
    level.key = '';
    const isPlain = this.string(true);
    if (level.known || !wasSkipping) {
      const written = this.text.slice(begin + 1, this.at - 1);
      level.key = isPlain ? written : (JSON.parse(`"${written}"`) as string);
    }
    if (level.known?.has(level.key)) {
      if (wasSkipping) this.cut(level.cutBefore, begin);
      this.skipping = Number.POSITIVE_INFINITY;
    }
    if (!this.isSkipping) {
      if (!level.known && level.index === this.bounds.keys) {
        const rule = `must not have more than ${this.bounds.keys} properties`;
        this.depth -= 1;
        throw new Fatal(problem(this.path(), 'TOO_COMPLEX', rule));
      }
      if (this.bounds.names && this.namesRead.add(level.key).size > this.bounds.names) {
        const rule = `must not have properties with more than ${this.bounds.names} different names`;
        throw new Fatal(problem('', 'TOO_COMPLEX', rule));
      }
      if (isTaken(level))
        this.add(problem(this.path(), 'DUPLICATE', 'is a duplicate property; send each property once'));
    }
    if (this.space() !== COLON) this.notJson();
    this.at += 1;
  }

  /** @returns whether it contains no escapes */
  private string(isName: boolean): boolean {
    const { text } = this;
    const begin = this.at + 1;
    let at = begin;
    let isPlain = true;
    let isUsable = true;
    for (;;) {
      const character = text.charCodeAt(at);
      if (character === QUOTE) break;
      if (character === BACKSLASH) {
        isPlain = false;
        const escaped = text.charCodeAt(at + 1);
        if (!AFTER_BACKSLASH.has(escaped)) this.notJson(at + 1);
        if (escaped === LOWER_U) {
          const unit = this.unit(at);
          const follows = isHighSurrogate(unit) && text.startsWith('\\u', at + 6) ? this.unit(at + 6) : 0;
          if (isLowSurrogate(follows)) at += 6;
          else if (unit === 0 || isHighSurrogate(unit) || isLowSurrogate(unit)) isUsable = false;
          at += 4;
        }
        at += 2;
      } else if (character >= 32) at += 1;
      else this.notJson(at);
    }
    this.at = at + 1;
    const where = isName ? 'property name' : 'text';
    if (!isUsable) {
      const what = isName ? 'must not have a property whose name contains' : 'must not contain';
      this.add(problem(this.path(), 'UNUSABLE_TEXT', `${what} NUL or unpaired surrogates`));
    }
    const most = isName ? Math.min(this.bounds.text, LONGEST_NAME) : this.bounds.text;
    if (at - begin > most) {
      this.add(problem(this.path(), 'TOO_LONG', `must not have a ${where} of more than ${most} characters`));
    }
    return isPlain;
  }

  /** The UTF-16 unit of the escape `\uXXXX` that begins at `at`. */
  private unit(at: number): number {
    const digits = this.text.slice(at + 2, at + 6);
    if (!/^[\da-fA-F]{4}$/.test(digits)) this.notJson(at + 2);
    return Number.parseInt(digits, 16);
  }

  private number(): void {
    const { text } = this;
    const begin = this.at;
    let at = begin;
    if (text.charCodeAt(at) === MINUS) at += 1;
    const whole = at;
    at = this.digits(at);
    if (at - whole > 1 && text.charCodeAt(whole) === ZERO) this.notJson(whole + 1);
    if (text.charCodeAt(at) === DOT) at = this.digits(at + 1);
    const mantissa = at - whole;
    const e = text.charCodeAt(at);
    const hasExponent = e === LOWER_E || e === UPPER_E;
    if (hasExponent) {
      const sign = text.charCodeAt(at + 1);
      at = this.digits(sign === MINUS || sign === PLUS ? at + 2 : at + 1);
    }
    this.at = at;
    if (this.isSkipping || (!hasExponent && mantissa <= EXACT_DIGITS)) return;
    const literal = text.slice(begin, at);
    if (writtenOutDigits(literal) > this.bounds.digits) {
      const rule = `must not have more than ${this.bounds.digits} digits when written without an exponent; send it as a string`;
      this.add(problem(this.path(), 'OUT_OF_RANGE', rule));
    } else if (mantissa > EXACT_DIGITS && !survivesParsing(literal)) {
      const rule = `is a number that cannot be stored exactly (it would become ${Number(literal)}); round it, or send it as a string`;
      this.add(problem(this.path(), 'INEXACT_NUMBER', rule));
    }
  }

  /** @returns the end of the digits, of which there must be at least one */
  private digits(at: number): number {
    const { text } = this;
    let end = at;
    while (isDigit(text.charCodeAt(end))) end += 1;
    if (end === at) this.notJson(at);
    return end;
  }

  private literal(): void {
    const found = LITERALS.find((literal) => this.text.startsWith(literal, this.at));
    if (!found) this.notJson();
    this.at += found.length;
  }

  /** Skips white space. @returns the character after it, NaN at the end */
  private space(): number {
    const { text } = this;
    for (;;) {
      const character = text.charCodeAt(this.at);
      if (character !== 32 && character !== 10 && character !== 13 && character !== 9) return character;
      this.at += 1;
    }
  }

  /** @param levels the maximum number of open objects and arrays in the path */
  private path(levels = this.depth): string {
    return pathOf(
      this.levels
        .slice(0, Math.min(levels, this.depth))
        .map(({ isArray, index, key }) => (isArray ? index : key)),
    );
  }

  private add(found: Problem): void {
    if (this.isSkipping) return;
    this.problems.push(found);
    if (this.problems.length === MOST_PROBLEMS) throw new Enough();
  }

  private notJson(at = this.at): never {
    const place = at < this.text.length ? `position ${at}` : 'its end';
    throw new Fatal(problem('', 'INVALID_JSON', `must be JSON; it is invalid at ${place}`));
  }
}

/** Records the name, and returns whether the object already has a property with it. */
function isTaken(level: Level): boolean {
  const { names, key } = level;
  if (level.nameSet) {
    const before = level.nameSet.size;
    return level.nameSet.add(key).size === before;
  }
  const taken = names.includes(key);
  names.push(key);
  if (names.length > FEW) level.nameSet = new Set(names);
  return taken;
}

const isDigit = (character: number): boolean => character >= ZERO && character <= NINE;
const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
