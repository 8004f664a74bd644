import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { StaffImportJobDetail, StaffImportRow } from '../api';
import { Problem, saveFile } from '../pieces';
import { useSession } from '../session';
import { useTexts } from '../texts';
import { failedFile } from './failed-file';
import { readRows } from './rows/read-rows';

export function DownloadFailed({ job }: { job: StaffImportJobDetail }) {
  const { imports } = useTexts();
  const { api } = useSession();
  const [done, setDone] = useState(0);
  const download = useMutation({
    mutationFn: async () => {
      const rows: StaffImportRow[] = [];
      await readRows(api, job.jobId, { open: true }, (page) => {
        rows.push(...page);
        setDone(rows.length);
      });
      saveFile(`${job.surface}-failed.csv`, 'text/csv', failedFile(rows));
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
