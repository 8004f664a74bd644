// The OpenAPI 3.1 document, made from the code that serves it. Development only: it needs the TypeScript
// compiler and the sources. At run time the api serves the committed `openapi.json`.
//
//   const { document, gaps } = buildDocument(app, root);
//
// A DTO is an exported class in a `*.dto.ts` or `*.import.ts` file. Nothing else is needed for its schema:
//
//   /** An amount of money. @closed */
//   export class Price {
//     /** In minor units: 100 is one whole unit. @example 4500 */
//     @IsInt()
//     value: number;
//     currencyCode: CurrencyCode;      // an exported union of literals: a schema of its own
//     paidAt: Instant | null;          // an exported alias of string lends its `@format`
//     note?: string;                   // not required
//   }
export { buildDocument, type OpenApiDocument } from './document';
