import {
  AcceptedImport,
  IMPORTS,
  ImportJob,
  type ImportSurface,
  ImportUndo,
  ImportUndoPreview,
  importOperations,
  importRows,
} from '#domain/imports';
import { importPermission } from '#platform/access';
import type { OperationDeclaration } from '#platform/http';
import { boolean, freeText, id, oneOf, type Parameters } from '#platform/queries';

const ABOUT_JOBS =
  'Accepts 1 to 10,000 rows of at most 200,000 characters each. The format of all rows is checked immediately: either all rows are accepted or none. ' +
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
  rows: OperationDeclaration;
  cancel: OperationDeclaration;
  retry: OperationDeclaration;
  applyTrial: OperationDeclaration;
  undo: { start: OperationDeclaration; preview: OperationDeclaration };
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
    undo,
    group = 'Imports',
  } = IMPORTS[surface];
  const names = importOperations(surface);
  const common = { group, keys: ['ORGANIZER'], permission: importPermission(surface), forPartners } as const;

  const query: Parameters = { dryRun, continues, name, ...(skipsCancelled && { cancelled }) };
  const accepting = {
    ...common,
    rate: 'import',
    surface,
    query,
    body,
    rawBody: true,
    idempotent: true,
    bodyLimit: 'import',
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

  // Not for partners: whether they may cancel is the matter of each group.
  const undoing = { group, keys: ['ORGANIZER'], permission: undo.permission, surface } as const;
  const reading = { ...common, rate: 'wide' } as const;
  const controlling = { ...common, rate: 'import', surface, answers: ImportJob, large: true } as const;
  return {
    create,
    put: corrects ? correcting : replaces ? replacing : undefined,
    read: {
      ...reading,
      name: names.read,
      summary: `Follow an import of ${what}`,
      description:
        'Counts change while the job runs. `results` is present when the job is finished, for up to 1,000 rows.',
      answers: ImportJob,
      large: true,
    },
    rows: {
      ...reading,
      name: names.rows,
      summary: `List the rows of an import of ${what}`,
      description: 'In the order of the rows in the request.',
      answers: importRows(surface),
    },
    cancel: {
      ...controlling,
      name: names.cancel,
      summary: `Cancel an import of ${what}`,
      description:
        'The job becomes `FAILED`, and `failure` says that it was cancelled. Rows with an outcome do not change; the other rows are not written and are `NOT_REACHED`. A finished job does not change.',
    },
    retry: {
      ...controlling,
      name: names.retry,
      summary: `Retry the failed rows of an import of ${what}`,
      description:
        'Processes the failed rows of a finished job again, and the rows that it did not reach. Other rows keep their outcome. The job becomes `QUEUED` again. A job that is not finished does not change.',
    },
    applyTrial: {
      ...controlling,
      name: names.applyTrial,
      summary: `Apply a dry run of ${what}`,
      description:
        'Starts a job that imports the rows of a finished dry run, each as its newest correction sent it, and answers it. Rows that would fail are sent as well; they fail again unless their cause is gone. A dry run is imported once: a repeated request answers the same job. Rows whose content was removed, because a person was erased, are left out.',
    },
    undo: {
      start: {
        ...undoing,
        rate: 'import',
        name: names.undo,
        summary: `Undo an import of ${what}`,
        description:
          'Starts a job that cancels or deletes what the import made, and answers it; follow it like the import. Each record gets an outcome: `CANCELLED`; `UNCHANGED`, if it was cancelled meanwhile; or `FAILED` with `CHANGED_SINCE_IMPORT`, if it changed meanwhile. While such a job is not finished, a repeated request answers the same job, or `400` if it includes changed records and the job does not.',
        body: ImportUndo,
        answers: ImportJob,
      },
      preview: {
        ...undoing,
        rate: 'wide',
        name: names.previewUndo,
        summary: `Preview what undoing an import of ${what} would do`,
        description:
          'For finished imports. A later change of a record counts if somebody or another job made it.',
        answers: ImportUndoPreview,
      },
    },
  };
}
