import type { DocumentedOperation, Parameter, Schema } from './document';
import type { Property, Schemas, Shape } from './schema';

/** An operation as its page shows it, in HTML and in Markdown. */
export interface Described {
  operation: DocumentedOperation;
  /** Lists of parameters, by their heading. */
  parameters: [heading: string, parameters: Property[]][];
  body: Shape[];
  answer?: { types: string[]; shapes: Shape[]; example?: string };
  errors: { status: string; text: string }[];
}

const PLACES: [heading: string, place: Parameter['in']][] = [
  ['Path', 'path'],
  ['Query parameters', 'query'],
  ['Headers', 'header'],
];

export function described(operation: DocumentedOperation, schemas: Schemas, document: Schema): Described {
  const responses = Object.entries(operation.responses).map(([status, response]): [string, Schema] => [
    status,
    response.$ref ? document.components.responses[response.$ref.split('/').at(-1)] : response,
  ]);
  const content: Record<string, { schema: Schema; example?: unknown }> =
    responses.find(([status]) => status === '200')?.[1].content ?? {};
  const [shown] = Object.values(content);
  const example = shown?.example ?? shown?.schema.examples?.[0];
  return {
    operation,
    parameters: PLACES.map(([heading, place]): [string, Property[]] => [
      heading,
      operation.parameters.filter((each) => each.in === place).map((each) => schemas.parameter(each)),
    ]).filter(([, parameters]) => parameters.length > 0),
    body: operation.body ? schemas.shapes(operation.body.schema) : [],
    answer:
      shown && !operation.isSent
        ? {
            types: Object.keys(content),
            shapes: schemas.shapes(shown.schema),
            example: typeof example === 'object' ? json(example) : example,
          }
        : undefined,
    errors: operation.isSent
      ? []
      : responses
          .filter(([status]) => status !== '200')
          .map(([status, { description = '' }]) => ({ status, text: description })),
  };
}

export const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** Every property of these shapes, with those of nested objects. */
export const flat = (shapes: Shape[]): Property[] =>
  shapes.flatMap(({ properties }) => properties.flatMap((each) => [each, ...flat(each.nested)]));
