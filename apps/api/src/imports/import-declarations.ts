import { AcceptedImport, IMPORTS, ImportJob, type ImportSurface, importOperations } from '#domain/imports';
import { importPermission } from '#platform/access';
import { IMPORT, type OperationDeclaration } from '#platform/http';
import { boolean, freeText, id, oneOf, type Parameters } from '#platform/queries';

const ABOUT_JOBS =
  'Accepts 1 to 10,000 rows of at most 200,000 characters each. The format of all rows is checked immediately: either all rows are accepted or none, unless `keepInvalid=true`. ' +
  'A worker then processes each row; follow the job for the outcomes. With an `Idempotency-Key` header, a request can be repeated safely for 24 hours. With `corrects`, the rows replace failed rows of an earlier import.';

const dryRun = boolean(
  'Find the outcome that each row would have now, and write nothing. The job has `dryRun: true` and is kept for a day.',
);

const name = freeText(
  'A name for people, such as the name of the file. Lists show it, and find the job by it.',
  { max: 200 },
);

const continues = id(
  'With `dryRun`, for a file in several parts: the `jobId` of the dry run of the part before, which must be completed. What its rows and those of ' +
    'earlier parts take, such as uses of a discount code, counts.',
);

const keepInvalid = boolean(
  'Accept the rows also if some are invalid: those fail with `INVALID_ROW`, and can be corrected like others that fail. A row with `unread`, the list of what its ' +
    "sender could not read, is one of these. The request is still refused if no row is valid or has `unread`, or if one can't be stored as it is.",
);

const createMissing = boolean(
  'Import rows without an existing booking. Otherwise they fail with `BOOKING_NOT_FOUND`.',
);

const cancelled = oneOf(
  'How to process a row whose id belonged to a cancelled booking and to no other. `import` (the default) creates a ' +
    'new booking; `skip` skips the row as `CANCELLED_BEFORE`. Use `skip` if you post all bookings again.',
  ['import', 'skip'] as const,
);

/** The operations of the routes of an import, for the reference and the guards. `put` is missing if rows are only created. */
export interface ImportDeclarations {
  create: OperationDeclaration;
  put: OperationDeclaration | undefined;
  read: OperationDeclaration;
}

export function declarationsOf(surface: ImportSurface): ImportDeclarations {
  const {
    what,
    description,
    body,
    replaces,
    corrects,
    skipsCancelled,
    forPartners,
    group = 'Imports',
  } = IMPORTS[surface];
  const names = importOperations(surface);
  const common = { group, keys: ['ORGANIZER'], permission: importPermission(surface), forPartners } as const;

  const query: Parameters = { dryRun, continues, keepInvalid, name, ...(skipsCancelled && { cancelled }) };
  const accepting = {
    ...common,
    rate: 'import',
    surface,
    query,
    body,
    rawBody: true,
    idempotent: true,
    bodyLimit: 'import',
    writes: IMPORT,
    answers: AcceptedImport,
  } as const;
  const create: OperationDeclaration = {
    ...accepting,
    name: names.create,
    summary: `Import ${what}`,
    description: `${description}\n\n${ABOUT_JOBS}`,
  };
  const correcting: OperationDeclaration = {
    ...accepting,
    name: names.correct,
    summary: `Correct ${what}`,
    description: `${corrects}\n\n${ABOUT_JOBS}`,
    query: { ...query, create: createMissing },
  };
  const replacing: OperationDeclaration = {
    ...create,
    name: names.replace,
    summary: `Import or replace ${what}`,
  };

  return {
    create,
    put: corrects ? correcting : replaces ? replacing : undefined,
    read: {
      ...common,
      rate: 'wide',
      name: names.read,
      summary: `Follow an import of ${what}`,
      description:
        'Counts change while the job runs. `results` is present when the job is finished, for up to 1,000 rows.',
      answers: ImportJob,
      large: true,
    },
  };
}
