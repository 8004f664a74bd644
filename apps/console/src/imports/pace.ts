import { useEffect, useRef, useState } from 'react';
import type { StaffImportJob } from '../api';

interface Pace {
  perSecond: number;
  secondsLeft: number;
}

/** The speed of the job since this page was opened; undefined until the first progress. */
export function usePace(
  job: Pick<StaffImportJob, 'processedRows' | 'totalRows' | 'status'>,
): Pace | undefined {
  const first = useRef<{ at: number; rows: number }>(undefined);
  const [pace, setPace] = useState<Pace>();
  const { processedRows, totalRows, status } = job;
  useEffect(() => {
    const now = performance.now();
    if (status !== 'RUNNING' || !first.current || processedRows < first.current.rows) {
      first.current = { at: now, rows: processedRows };
      setPace(undefined);
      return;
    }
    const seconds = (now - first.current.at) / 1_000;
    const rows = processedRows - first.current.rows;
    if (seconds < 1 || rows < 1) return;
    setPace({
      perSecond: Math.max(1, Math.round(rows / seconds)),
      secondsLeft: ((totalRows - processedRows) * seconds) / rows,
    });
  }, [processedRows, totalRows, status]);
  return pace;
}
