import { CatalogueWrite, CatalogueWriter, CatalogueWritten } from '#domain/catalogue';
import { CATALOGUE, type OperationDeclaration } from '#platform/http';

/** What the operations of keys and of the console have in common. */
export const WRITE_CATALOGUE = {
  summary: 'Write a part of the catalogue',
  description:
    'Loads records as a [catalogue file](/docs/catalogue-files) does: in one transaction, all of them or none, and only what differs is written. ' +
    '`dryRun` responds with what would be created, changed and left. With `versions`, nothing is written if somebody changed one of these records since you ' +
    'read it: the response is `400` with `CHANGED_MEANWHILE` and the record as it is now. A capacity cannot be lowered below its use (`BELOW_USE`); it can be kept ' +
    'or raised. A larger file is sent in parts of at most 200 records.',
  rate: 'import',
  bodyLimit: 'catalogue',
  writes: CATALOGUE,
  body: CatalogueWrite,
  answers: CatalogueWritten,
  idempotent: {
    answer: ({ caller, body, get }) => get(CatalogueWriter).written(caller, body as CatalogueWrite),
  },
  large: true,
} as const satisfies Partial<OperationDeclaration>;
