import { Box, Button, Checkbox, Group } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { ImportPath, StaffImportJobDetail } from '../api';
import { Grid, type GridChange, Problem, useFilters, useLeaveWarning } from '../pieces';
import { useSession } from '../session';
import { useTexts } from '../texts';
import { isOpen } from './job-status';
import { Remedy } from './remedies/remedy';
import { Reasons, reasonsOf } from './rows/reasons';
import type { OpenRow } from './rows/row-cells';
import { SendAgain } from './rows/send-again';
import { type Ready, sendCorrections } from './rows/send-corrections';
import { useChanges } from './rows/use-changes';
import { useCheck } from './rows/use-check';
import { type Fields, useFields } from './rows/use-fields';
import { useOpenRows } from './rows/use-open-rows';
import { useTable } from './rows/use-table';

interface FailedRowsProps {
  job: StaffImportJobDetail;
  path: ImportPath;
  /** The number of corrections that are not finished. */
  running: number;
}

/** The failed rows as a table that can be corrected: change cells, check the rows, and send them again. */
export function FailedRows({ job, path, running }: FailedRowsProps) {
  const { imports, rows: texts } = useTexts();
  const { rows, done, error, refetch } = useOpenRows(job, running);
  if (job.failedRows === 0)
    return <p className="dim">{isOpen(job) ? imports.noFailuresRunning : imports.noFailures}</p>;
  if (job.openRows === 0) return <p className="dim">{texts.allCorrected}</p>;
  if (error) return <Problem error={error} retry={() => void refetch()} />;
  if (!rows)
    return (
      <p role="status" className="dim">
        {texts.loading(done)}
      </p>
    );
  if (rows.length === 0) return <p className="dim">{texts.allSent}</p>;
  return <Rows job={job} path={path} rows={rows} />;
}

function Rows({ job, path, rows }: Pick<FailedRowsProps, 'job' | 'path'> & { rows: OpenRow[] }) {
  const { rows: texts } = useTexts();
  const { api, organizationId, may } = useSession();
  const queries = useQueryClient();
  const { filters, set: setFilter } = useFilters(['code'] as const);
  const [all, setAll] = useState(false);
  const [active, setActive] = useState<{ row: number | undefined; column: string }>();
  const [last, setLast] = useState<{ path: string; before: string; after: string }>();
  const edits = useChanges(job.jobId);
  const fields = useFields(path, rows, edits.changes);
  const failures = useMemo(() => reasonsOf(rows), [rows]);
  const code = failures.some((each) => each.code === filters.code) ? filters.code : undefined;
  const shown = useMemo(() => (code ? rows.filter((each) => each.code === code) : rows), [rows, code]);
  const send = (given: Ready[], dryRun: boolean) =>
    sendCorrections({ api, job, path, collection: fields.kind.collection, given, dryRun });
  const check = useCheck(() => send(ready, true));
  const table = useTable({ rows: shown, fields, edits, checked: check.checked, all });
  const editable = may('OWNER', 'MANAGER') && !isOpen(job) && !job.importedBy;
  const isChanged = ({ row }: OpenRow) => edits.changes[row] !== undefined;
  const changedRows = rows.filter(isChanged);
  useLeaveWarning(changedRows.length > 0);
  /** With a reason: its rows. Otherwise the changed rows, or all if none is. */
  const chosen = code || changedRows.length === 0 ? shown : changedRows;
  const ready = chosen.flatMap((row): Ready[] => {
    const result = table.resultOf(row) ?? { body: row.sent };
    return 'body' in result && result.body ? [{ row, body: result.body }] : [];
  });
  const sending = useMutation({
    // Of a dry run, only dry runs are corrections.
    mutationFn: (_: typeof edits.changes) => send(ready, job.dryRun),
    onSuccess: async ({ parts }, sent) => {
      const rows = parts.flat().map(({ rows: [line] }) => (line?.line ?? 1) - 1);
      edits.forget(Object.fromEntries(rows.map((row) => [row, sent[row] ?? {}])));
      setLast(undefined);
      check.reset();
      await queries.invalidateQueries({ queryKey: [organizationId, 'import-job', job.jobId] });
    },
  });
  /** What was said of the rows is said of them as they were. */
  const startOver = () => {
    check.reset();
    if (!sending.isPending) sending.reset();
  };
  const changeCells = (given: readonly GridChange[]) => {
    startOver();
    table.change(given);
  };
  const change = (given: GridChange[]) => {
    const [only] = given;
    const open = given.length === 1 && only ? shown[only.row] : undefined;
    if (only && open) {
      const cells = { ...open.cells, ...edits.changes[open.row] };
      const after = fields.meantBy(only.column, only.text, cells);
      setLast({ path: only.column, before: table.textOf(open, only.column), after });
    } else setLast(undefined);
    changeCells(given);
  };
  return (
    <>
      <Group justify="space-between" gap="10px 16px">
        <Reasons
          failures={failures}
          count={rows.length}
          code={code}
          onCode={(next) => setFilter({ code: next }, { replace: true })}
        />
        <Checkbox
          size="xs"
          label={texts.allColumns}
          checked={all}
          onChange={({ currentTarget }) => setAll(currentTarget.checked)}
        />
      </Group>
      {code && (
        <Remedy
          key={code}
          code={code}
          rows={shown}
          fields={fields}
          table={{ ...table, change: changeCells }}
        />
      )}
      {rows.some(({ sent }) => !sent) && <p className="notice">{texts.gone}</p>}
      {editable && (
        <SendAgain
          count={ready.length}
          changed={changedRows.length}
          mistaken={chosen.length - ready.length - chosen.filter(({ sent }) => !sent).length}
          check={check}
          sending={{
            isPending: sending.isPending,
            error: sending.error,
            sent: sending.data?.parts.flat().length,
          }}
          isDryRun={job.dryRun}
          onSend={() => sending.mutate(edits.changes)}
          onDiscard={() => {
            startOver();
            edits.forget();
          }}
        />
      )}
      <LikeIt
        last={last}
        fields={fields}
        others={
          last
            ? shown.flatMap((open, at) =>
                open.sent && table.textOf(open, last.path) === last.before ? at : [],
              )
            : []
        }
        onApply={(places) => {
          if (last) changeCells(places.map((row) => ({ row, column: last.path, text: last.after })));
          setLast(undefined);
        }}
      />
      <Grid
        label={texts.title}
        head={texts.row}
        columns={table.columns}
        count={shown.length}
        keyOf={(at) => shown[at]?.row ?? at}
        nameOf={(at) => {
          const row = shown[at]?.row ?? 0;
          return `${texts.rowName(row + 1)}${check.checked.get(row) === null ? ' ✓' : ''}`;
        }}
        cell={table.cell}
        textOf={(at, column) => {
          const open = shown[at];
          return open ? table.textOf(open, column) : '';
        }}
        choicesOf={table.choicesOf}
        onChange={editable ? change : undefined}
        onActive={(at, column) => setActive({ row: shown[at]?.row, column })}
      />
      <Detail
        open={shown.find(({ row }) => row === active?.row)}
        column={active?.column ?? ''}
        table={table}
        fields={fields}
      />
      {editable && (
        <Box component="p" className="dim grid-keys" mt={-10} fz={12.5}>
          {texts.keys}
        </Box>
      )}
    </>
  );
}

interface LikeItProps {
  last: { path: string; before: string; after: string } | undefined;
  fields: Fields;
  /** The places of the rows that still have the value that was replaced. */
  others: number[];
  onApply(places: number[]): void;
}

/** Offers to make the last change in all rows with the same value. */
function LikeIt({ last, fields, others, onApply }: LikeItProps) {
  const { rows: texts, eventForm } = useTexts();
  if (!last || others.length === 0 || last.before === last.after) return null;
  const named = (text: string) => fields.labelOf(last.path, text) || eventForm.nothing;
  return (
    <Group gap="6px 12px" px={12} py={8} bdrs="md" bg="var(--accent-soft)" role="status">
      <span>
        {fields.titleOf(last.path)}: {texts.instead(named(last.before), named(last.after))}
      </span>
      <Button size="compact-sm" variant="light" onClick={() => onApply(others)}>
        {texts.applyToAll(others.length)}
      </Button>
    </Group>
  );
}

interface DetailProps {
  open: OpenRow | undefined;
  column: string;
  table: ReturnType<typeof useTable>;
  fields: Fields;
}

/** What the message of the active row says in full. */
function Detail({ open, column, table, fields }: DetailProps) {
  const { rows: texts } = useTexts();
  const mistake = open && table.mistakeAt(open, column);
  const error = open && table.errorOf(open);
  return (
    <Box component="p" mt={-6} fz={13} role="status">
      {open && (
        <>
          <strong>
            {texts.row} {texts.rowName(open.row + 1)}
          </strong>{' '}
          {mistake?.message ? (
            <span className="bad">{mistake.message.replaceAll(column, fields.titleOf(column))}</span>
          ) : (
            error && (
              <>
                <span className="bad">{error.message}</span> <code>{error.code}</code>
              </>
            )
          )}
        </>
      )}
      {'\u200b'}
    </Box>
  );
}
