import type { ApiErrorBody } from '#libs/client';
import type { paths } from '../apps/console/src/openapi';

/** A response. `TestApi` gives its body the type of `openapi.json`, by `BodyOf`. */
export interface Answer<Body = unknown> {
  status: number;
  headers: Headers;
  body: Body;
  text: string;
}

/** The document's operations by paths like `/v0/races/*`. */
type Routes = { [Path in keyof paths as Spelling<Path>]: paths[Path] };

/** `/v0/races/{id}` and the type of `/v0/races/${id}?…` as `/v0/races/*`. */
type Spelling<Path extends string> = Path extends `${infer Before}?${string}`
  ? Segments<Before>
  : Segments<Path>;
type Segments<Path extends string> = Path extends `${infer First}/${infer Rest}`
  ? Rest extends ''
    ? Segment<First>
    : `${Segment<First>}/${Segments<Rest>}`
  : Segment<Path>;
type Segment<Text extends string> = string extends Text
  ? '*'
  : Text extends `{${string}}` | 'undefined'
    ? '*'
    : Text;

type JsonOf<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : never;

/**
 * What tests read of a value. To read on through `null`, or a missing item, fails a test by itself, and what an organization
 * stores as it likes has any properties.
 */
type Read<Value> = unknown extends Value
  ? any
  : Value extends null | undefined
    ? never
    : Value extends (infer Item)[]
      ? Items<Read<Item>>
      : Value extends object
        ? { [Name in keyof Value]-?: Read<Value[Name]> }
        : Value;
export type Items<Item> = { at(place: number): Item } & { [Place in 0 | 1 | 2 | 3 | 4 | 5]: Item } & Item[];

/**
 * The body of the documented operation, or an error. A property that the document does not have is refused by
 * `npm run check:types`.
 *
 * `any` if the path or the method is computed, and for paths that are not in the document, such as `/health/ready`.
 */
export type BodyOf<Method extends string, Path extends string> =
  Spelling<Path> extends infer Known extends keyof Routes
    ? Routes[Known] extends { [M in Lowercase<Method>]: { responses: { 200: infer Response } } }
      ? Read<JsonOf<Response>> & Read<ApiErrorBody>
      : any
    : any;
