import { Box, Checkbox, Flex } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { StaffImportJobDetail, UndoGroup } from '../api';
import { Confirm } from '../pieces';
import { useGet, useSession } from '../session';
import { useTexts } from '../texts';

type GroupName = 'canBeUndone' | 'changedSince' | 'cannotBeUndone';

/** What undoing an import would cancel, in three groups; then the job that does it is followed. */
export function UndoImport({ job, onClose }: { job: StaffImportJobDetail; onClose(): void }) {
  const { undo } = useTexts();
  const { api } = useSession();
  const [, go] = useLocation();
  const [includeChanged, setIncludeChanged] = useState(false);
  const params = { path: { jobId: job.jobId } };
  const preview = useGet(['import-undo', job.jobId], '/v0/import-jobs/{jobId}/undo', params, { gcTime: 0 });
  const start = useMutation({
    mutationFn: () => api.post('/v0/import-jobs/{jobId}/undo', { params, body: { includeChanged } }),
    onSuccess: ({ jobId }) => go(`/imports/${jobId}`),
  });
  const { data } = preview;
  const changed = data?.changedSince.records ?? 0;
  const count = (data?.canBeUndone.records ?? 0) + (includeChanged ? changed : 0);
  return (
    <Confirm
      title={undo.title}
      action={undo.submit(count)}
      keep={undo.keep}
      danger
      wide
      disabled={count === 0}
      pending={start.isPending || start.isSuccess}
      error={start.error ?? preview.error}
      onConfirm={() => start.mutate()}
      onClose={onClose}
    >
      {!data && !preview.error && <p role="status">{undo.counting}</p>}
      {data && (
        <>
          <Group name="canBeUndone" group={data.canBeUndone} />
          <Group name="changedSince" group={data.changedSince} />
          {changed > 0 && (
            <Checkbox
              label={undo.includeChanged(changed)}
              checked={includeChanged}
              onChange={({ target }) => setIncludeChanged(target.checked)}
            />
          )}
          <Group name="cannotBeUndone" group={data.cannotBeUndone} />
          <p>{count > 0 ? undo.effect : undo.nothing}</p>
        </>
      )}
    </Confirm>
  );
}

function Group({ name, group: { records, reasons, examples } }: { name: GroupName; group: UndoGroup }) {
  const { undo, number, rows } = useTexts();
  return (
    <Box
      component="section"
      className="undo-group"
      p={14}
      bd="1px solid var(--line)"
      bdrs={8}
      c={records === 0 ? 'dimmed' : undefined}
    >
      <Flex component="h3" justify="space-between">
        {undo[name]} <span>{number(records)}</span>
      </Flex>
      {records > 0 && <p className="dim">{undo[`${name}Help`]}</p>}
      {reasons.length > 0 && (
        <ul>
          {reasons.map(({ reason, records: count }) => (
            <li key={reason}>
              {number(count)} × {undo.reasons[reason] ?? reason}
            </li>
          ))}
        </ul>
      )}
      {examples.length > 0 && (
        <details>
          <summary>{undo.examples}</summary>
          <ul>
            {examples.map(({ row, id, externalId }) => (
              <li key={id}>
                {rows.row} {number(row + 1)}: <code>{externalId ?? id}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Box>
  );
}
