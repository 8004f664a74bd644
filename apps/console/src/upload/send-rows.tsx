import { Button, Checkbox, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { type ImportPath, type Item, nameOfField, type Plan, type Sheet } from '../api';
import { useFollow } from '../partner/follow-import';
import { Card, Problem, useLeaveWarning } from '../pieces';
import { useSession } from '../session';
import { useLanguage, useTexts } from '../texts';
import { DryRunResult } from './dry-run-result';
import { Findings } from './findings';
import { findingsFile } from './findings-file';
import { type SentParts, sendParts } from './send-parts';

const LONGEST_NAME = 200;

interface SendRowsProps {
  /** Of the file, and of its jobs. */
  name: string;
  path: ImportPath;
  collection: string;
  sheet: Sheet;
  plan: Plan;
}

/** Names what is missing, what fails and what belongs together; then sends the rows in parts of at most 10,000. */
export function SendRows({ name, path, collection, sheet, plan }: SendRowsProps) {
  const { upload } = useTexts();
  const { api, opens } = useSession();
  const [, go] = useLocation();
  const follow = useFollow();
  const [sent, setSent] = useState(0);
  const [agreed, setAgreed] = useState<Plan>();
  // Partners have no page to correct failed rows.
  const keeps = opens('/imports/new');
  const items = useMemo(
    () => (keeps ? [...plan.items, ...plan.unread].sort(byLine) : plan.items),
    [keeps, plan],
  );
  const left = keeps ? 0 : plan.failed.length;
  const addSent = (count: number) => setSent((before) => before + count);
  const query = { name: name.slice(0, LONGEST_NAME) };
  const sending = { api, path, query, collection, items, onSent: addSent };
  /** The rows that are tried or sent. */
  const asked = useRef<Plan['items']>(undefined);
  const begin = () => {
    asked.current = items;
    setSent(0);
  };
  const send = useMutation({
    mutationFn: (again: boolean) => sendParts({ ...sending, again }),
    onMutate: begin,
    onSuccess: ({ jobIds, endedBefore: ended }: SentParts) =>
      jobIds.length === 1 && left + ended === 0 && go(follow.pageOf(jobIds[0] ?? '')),
  });
  const endedBefore = send.data?.endedBefore ?? 0;
  const [dryRuns, setDryRuns] = useState<string[]>([]);
  const dryRun = useMutation({
    mutationFn: () => sendParts({ ...sending, dryRun: true, onDryRun: setDryRuns }),
    onMutate: () => {
      begin();
      setDryRuns([]);
    },
  });
  // Changed rows need a new dry run. Names of records that arrive later make another plan of the same rows.
  const { reset: resetDryRun } = dryRun;
  const { reset: resetSend } = send;
  useEffect(() => {
    if (asked.current && isSame(asked.current, items)) return;
    asked.current = undefined;
    resetDryRun();
    setDryRuns([]);
    resetSend();
  }, [items, resetDryRun, resetSend]);
  // If the page closed during sending, the remaining rows would not be sent.
  useLeaveWarning(send.isPending);
  const strangers = plan.joined.strangers.length;
  const ready = plan.questions.length === 0 && plan.items.length > 0 && (strangers === 0 || agreed === plan);
  const error = send.error ?? dryRun.error;
  return (
    <Card>
      <Missing plan={plan} />
      <Findings plan={plan} onDownload={keeps ? undefined : () => findingsFile(sheet, plan)} />
      <Joined plan={plan} agreed={agreed === plan} onAgree={(yes) => setAgreed(yes ? plan : undefined)} />
      {error && <Problem error={error} />}
      {dryRuns.length > 0 && (
        <DryRunResult jobIds={dryRuns} sent={dryRun.isPending ? items.length : undefined} />
      )}
      <Group gap="8px 16px">
        <Button
          variant="default"
          disabled={!ready || send.isPending || send.isSuccess}
          loading={dryRun.isPending}
          onClick={() => dryRun.mutate()}
        >
          {upload.try}
        </Button>
        <Button
          disabled={!ready || dryRun.isPending || send.isSuccess}
          loading={send.isPending}
          onClick={() => send.mutate(false)}
        >
          {left > 0 ? upload.submitWithout(items.length, left) : upload.submit(items.length)}
        </Button>
        <p role="status" className="dim">
          {send.isPending && `${upload.sending(sent, items.length)}. ${upload.sendingHelp}`}
          {send.isIdle && ready && plan.failed.length === 0 && !error && upload.ready(items.length)}
          {items.length > endedBefore && send.isSuccess && upload.sentRows(items.length - endedBefore)}
        </p>
      </Group>
      {endedBefore > 0 && (
        <div className="notice">
          <p role="status">{upload.endedBefore(endedBefore)}</p>
          <Button variant="default" onClick={() => send.mutate(true)}>
            {upload.again(endedBefore)}
          </Button>
        </div>
      )}
      {send.data && send.data.jobIds.length > 0 && (
        <ul>
          {send.data.jobIds.map((id, i) => (
            <li key={id}>
              <Link to={follow.pageOf(id)}>{upload.openJob(i + 1, send.data.jobIds.length)}</Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** The fields that a file lacks, and the columns that are not used. */
export function Missing({ plan: { questions, unused } }: { plan: Pick<Plan, 'questions' | 'unused'> }) {
  const { upload } = useTexts();
  const { language } = useLanguage();
  const missing = questions.flatMap((each) => (each.kind === 'field' ? [each.field.path] : []));
  return (
    <>
      {missing.length > 0 && (
        <div className="notice">
          <p>{upload.missing}</p>
          <ul>
            {missing.map((path) => (
              <li key={path}>{nameOfField(path, language)}</li>
            ))}
          </ul>
        </div>
      )}
      {unused.length > 0 && <p className="dim">{upload.unused(unused.join(', '))}</p>}
    </>
  );
}

function Joined({ plan, agreed, onAgree }: { plan: Plan; agreed: boolean; onAgree(yes: boolean): void }) {
  const { upload } = useTexts();
  const { bookings, rows, strangers } = plan.joined;
  const [first] = strangers;
  return (
    <>
      {plan.duplicates.length > 0 && <p className="dim">{upload.duplicates(plan.duplicates.length)}</p>}
      {bookings > 0 && <p>{upload.joined(rows, bookings)}</p>}
      {first && (
        <div className="notice">
          <Checkbox
            label={upload.strangers(strangers.length, first.slice(0, 5).join(', '))}
            checked={agreed}
            onChange={({ currentTarget }) => onAgree(currentTarget.checked)}
          />
        </div>
      )}
    </>
  );
}

const byLine = ({ rows: [a] }: Item, { rows: [b] }: Item) => (a?.line ?? 0) - (b?.line ?? 0);
const isSame = (before: Plan['items'], after: Plan['items']): boolean =>
  before.length === after.length &&
  before.every(({ body }, i) => JSON.stringify(body) === JSON.stringify(after[i]?.body));
