import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { ImportShape, Mapping } from '../api';
import { Card } from '../pieces/page';
import { Problem } from '../pieces/problem';
import { useSession } from '../session/session';
import { useTexts } from '../texts';
import type { Built } from './rows';
import { saveMapping } from './saved-mappings';
import { PartRefused, sendParts } from './send-parts';
import { TrialResult } from './trial-result';
import type { ImportPath } from './upload-page';

const SHOWN = 8;

interface SendRowsProps {
  path: ImportPath;
  surface: string;
  shape: ImportShape;
  columns: string[];
  mapping: Mapping;
  built: Built;
}

/** Names what is missing; otherwise sends the rows in parts of at most 10,000, each as its own job. */
export function SendRows({ path, surface, shape, columns, mapping, built }: SendRowsProps) {
  const { upload } = useTexts();
  const { api } = useSession();
  const [, go] = useLocation();
  const [sent, setSent] = useState(0);
  const { rows } = built;
  const addSent = (count: number) => setSent((before) => before + count);
  const send = useMutation({
    mutationFn: () => {
      saveMapping(surface, columns, mapping);
      return sendParts({ api, path, collection: shape.collection, rows, onSent: addSent });
    },
    onMutate: () => setSent(0),
    onSuccess: (jobs) => jobs.length === 1 && go(`/imports/${jobs[0]}`),
  });
  const trial = useMutation({
    mutationFn: () =>
      sendParts({ api, path, collection: shape.collection, rows, dryRun: true, onSent: addSent }),
    onMutate: () => setSent(0),
  });
  // Changed rows need a new trial.
  const { reset } = trial;
  useEffect(reset, [built]);
  useLeaveWarning(send.isPending);
  const ready = isReady(built);
  return (
    <Card>
      <Findings built={built} />
      {(send.error ?? trial.error) && <Refusal error={(send.error ?? trial.error) as Error} />}
      {trial.data && <TrialResult jobIds={trial.data} />}
      <div className="send">
        <Button
          variant="default"
          disabled={!ready || send.isPending || send.isSuccess}
          loading={trial.isPending}
          onClick={() => trial.mutate()}
        >
          {upload.try}
        </Button>
        <Button
          disabled={!ready || trial.isPending || send.isSuccess}
          loading={send.isPending}
          onClick={() => send.mutate()}
        >
          {upload.submit(rows.length)}
        </Button>
        <p role="status" className="dim">
          {send.isPending && `${upload.sending(sent, rows.length)}. ${upload.sendingHelp}`}
          {send.isIdle && ready && upload.ready(rows.length)}
          {send.isSuccess && upload.sent}
        </p>
      </div>
      {send.data && send.data.length > 1 && (
        <ul>
          {send.data.map((id, i) => (
            <li key={id}>
              <Link to={`/imports/${id}`}>{upload.openJob(i + 1)}</Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

const isReady = ({ missing, misfits, unknownTickets }: Built): boolean =>
  missing.length + misfits.length + unknownTickets.length === 0;

function Refusal({ error }: { error: Error }) {
  const { upload, problems } = useTexts();
  if (!(error instanceof PartRefused)) return <Problem error={error} />;
  const { refusal, part } = error;
  const lineOf = (row: number | null | undefined) => (row == null ? undefined : part[row]?.lines[0]);
  return (
    <div className="problem" role="alert">
      <div>
        <h2>{upload.refused}</h2>
        <ul>
          {refusal.problems.slice(0, SHOWN).map(({ row, path, code, message }) => (
            <li key={`${row} ${path} ${code}`}>
              {lineOf(row) !== undefined && `${upload.line(lineOf(row) as number)}: `}
              {message}
            </li>
          ))}
          {refusal.problems.length > SHOWN && <li>{problems.more(refusal.problems.length - SHOWN)}</li>}
        </ul>
      </div>
    </div>
  );
}

function Findings({ built: { missing, misfits, unknownTickets } }: { built: Built }) {
  const { upload, problems } = useTexts();
  const more = (count: number) => count > SHOWN && <li>{problems.more(count - SHOWN)}</li>;
  return (
    <div className="findings">
      {missing.length > 0 && (
        <div className="notice">
          <p>{upload.missing}</p>
          <ul>
            {missing.map(({ path }) => (
              <li key={path}>
                <code>{path}</code>
              </li>
            ))}
          </ul>
        </div>
      )}
      {unknownTickets.length > 0 && (
        <div className="notice">
          <p>{upload.unknownTickets}</p>
          <ul>
            {unknownTickets.slice(0, SHOWN).map((title) => (
              <li key={title}>{title}</li>
            ))}
            {more(unknownTickets.length)}
          </ul>
        </div>
      )}
      {misfits.length > 0 && (
        <div className="notice">
          <p>{upload.invalid}</p>
          <ul>
            {misfits.slice(0, SHOWN).map(({ line, column, value }) => (
              <li key={`${line} ${column}`}>{upload.invalidValue(line, column, value)}</li>
            ))}
            {more(misfits.length)}
          </ul>
        </div>
      )}
    </div>
  );
}

/** If the page closed during sending, the remaining rows would not be sent. */
function useLeaveWarning(active: boolean): void {
  useEffect(() => {
    if (!active) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [active]);
}
