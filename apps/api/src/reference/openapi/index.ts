// The OpenAPI 3.1 document, made from the code that serves it. Development only: it needs the TypeScript
// compiler and the sources. At run time the api serves the committed `openapi.json`.
//
//   const { document, gaps } = buildDocument(app, root);
//
// A DTO is an exported class in a `*.dto.ts` file. Nothing else is needed for its schema:
//
//   /** An amount of money. @closed */
//   export class Price {
//     /** In minor units: 100 is one whole unit. */
//     @Int({ min: 0, max: 1_000_000, example: 4500 }) value: number;
//     currencyCode: CurrencyCode;                 // an exported union of literals: a schema with its name
//     @DateTime() paidAt: string | null;          // without a comment: described by its name
//     note?: string;                              // not required
//   }
export { buildDocument, type OpenApiDocument } from './document';
