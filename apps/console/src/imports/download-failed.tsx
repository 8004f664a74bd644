import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { flat, lineOf, MARK, type StaffImportJobDetail } from '../api';
import { Problem, saveFile } from '../pieces';
import { useSession } from '../session';
import { useTexts } from '../texts';
import { readRows } from './rows/read-rows';
import { unreadIn } from './rows/row-cells';

/** Saves the failed rows as a CSV file whose columns are the fields, so that it can be corrected and imported. */
export function DownloadFailed({ job }: { job: StaffImportJobDetail }) {
  const { imports } = useTexts();
  const { api } = useSession();
  const [done, setDone] = useState(0);
  const download = useMutation({
    mutationFn: async () => {
      const rows: Record<string, string>[] = [];
      await readRows(api, job.jobId, { open: true }, (page) => {
        for (const { sent, error: first, correction } of page) {
          const error = correction?.error ?? first;
          const told = unreadIn(sent).map((each) => each.message);
          rows.push({
            [MARK]: '',
            importCode: error?.code ?? '',
            importMessage: told.join(' ') || error?.message || '',
            ...flat(sent ?? {}),
          });
        }
        setDone(rows.length);
      });
      saveFile(`${job.surface}-failed.csv`, 'text/csv', csvOf(rows));
    },
  });
  return (
    <Stack gap={8}>
      <Button
        variant="default"
        size="xs"
        title={imports.downloadHelp}
        disabled={download.isPending}
        onClick={() => download.mutate()}
      >
        {download.isPending ? imports.downloading(done) : imports.download}
      </Button>
      {download.error && <Problem error={download.error} />}
    </Stack>
  );
}

/** CSV with all columns of any row, in order of first use. */
function csvOf(rows: Record<string, string>[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))];
  return `\uFEFF${lines.map((line) => lineOf(line)).join('')}`;
}
