import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Ajv, { type ValidateFunction } from 'ajv/dist/2020';
import { checkable, type NamedSchemas, openNames } from './checkable';
import { FORMATS } from './formats';
import { isLongerJson } from './json-length';
import { MOST_JSON_CHARACTERS } from './most-json';
import { MOST_PROBLEMS, type Problem, pathOf, problem } from './problem';
import type { OpenNames } from './scan';
import { requireBounded } from './unbounded';
import { problemsOf, UNIQUE } from './words';

/** Schemas with the same name are the same in both. */
const DOCUMENTS = ['openapi.console.json', 'openapi.json'];

/** Validators from the schemas of the OpenAPI documents, so that the reference and the validation agree. */
class Schemas {
  private readonly ajv = new Ajv({
    strict: false,
    formats: FORMATS,
    allErrors: true,
    verbose: true,
    discriminator: true,
  });
  private readonly compiled = new Map<string, ValidateFunction>();
  private readonly documented: NamedSchemas;

  constructor() {
    this.documented = Object.assign({}, ...DOCUMENTS.map(schemasIn));
    this.ajv.addKeyword({
      keyword: MOST_JSON_CHARACTERS,
      validate: (most: number, value: unknown) => !isLongerJson(value, most),
      error: { message: 'is too long' },
    });
    this.ajv.addKeyword({
      keyword: UNIQUE,
      type: 'array',
      validate: (_: true, list: unknown[]) => new Set(list).size === list.length,
    });
    this.ajv.addSchema({ $id: 'openapi', components: { schemas: checkable(this.documented) } });
  }

  /** @throws Error that names the properties of the schema that have no maximum */
  requireBounds(schema: string): void {
    requireBounded({ [schema]: this.documented[schema] ?? {} }, this.documented);
  }

  /** The known properties of a schema that permits others; otherwise `undefined`. */
  openNames(schema: string): OpenNames | undefined {
    return openNames({ $ref: schema }, this.documented);
  }

  /**
   * @param schema its name among the document's components
   * @param path the path of the value in the body
   */
  problemsOf(
    schema: string,
    value: unknown,
    path: readonly (string | number)[] = [],
    most = MOST_PROBLEMS,
  ): Problem[] {
    let validate = this.compiled.get(schema);
    if (!validate) {
      validate = this.ajv.compile({ $ref: `openapi#/components/schemas/${schema}` });
      this.compiled.set(schema, validate);
    }
    if (validate(value)) return [];
    const problems = problemsOf(validate.errors ?? [], path, most);
    // An error without a translation must still be reported as a problem.
    return problems.length
      ? problems
      : [problem(pathOf(path), 'INVALID_FORMAT', 'does not match its schema')];
  }
}

let loaded: Schemas | undefined;

/** Loaded at first use, because the program that writes the document needs none. */
export const schemas = (): Schemas => {
  loaded ??= new Schemas();
  return loaded;
};

function schemasIn(document: string): NamedSchemas {
  for (let folder = __dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, document);
    if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')).components.schemas;
  }
  throw new Error(`${document} is missing; it must be next to package.json`);
}
