import { Button, Group } from '@mantine/core';
import { Problem } from '../../pieces';
import { useTexts } from '../../texts';
import type { useCheck } from './use-check';

interface SendAgainProps {
  count: number;
  changed: number;
  mistaken: number;
  check: ReturnType<typeof useCheck>;
  sending: { isPending: boolean; error: Error | null; sent: number | undefined };
  /** Of a dry run, rows are corrected by another dry run. */
  isDryRun: boolean;
  onSend(): void;
  onDiscard(): void;
}

/** What is done with the rows that show: a dry run, and sending them again. */
export function SendAgain({
  count,
  changed,
  mistaken,
  check,
  sending,
  isDryRun,
  onSend,
  onDiscard,
}: SendAgainProps) {
  const { rows, eventForm } = useTexts();
  const busy = sending.isPending || check.isRunning;
  const error = sending.error ?? check.error;
  return (
    <>
      <Group gap="8px 16px">
        {!isDryRun && (
          <Button
            variant="default"
            title={rows.checkHelp}
            disabled={count === 0 || sending.isPending}
            loading={check.isRunning}
            onClick={() => check.start()}
          >
            {rows.check(count)}
          </Button>
        )}
        <Button disabled={count === 0 || busy} loading={sending.isPending} onClick={onSend}>
          {isDryRun ? rows.check(count) : rows.send(count)}
        </Button>
        {changed > 0 && (
          <Button variant="subtle" disabled={busy} onClick={onDiscard}>
            {eventForm.discard}
          </Button>
        )}
        <p role="status" className="dim">
          {sending.isPending && rows.sending}
          {check.isRunning && rows.checking(check.done, check.total)}
          {check.isDone && rows.checked(check.total - check.failed, check.failed)}
          {!busy && !check.isDone && sending.sent !== undefined && rows.sent(sending.sent)}
          {!busy && !check.isDone && sending.sent === undefined && changed > 0 && rows.changed(changed)}{' '}
          {mistaken > 0 && <span className="bad">{rows.mistaken(mistaken)}</span>}
        </p>
      </Group>
      {error && <Problem error={error} />}
    </>
  );
}
