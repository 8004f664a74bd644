import { Button, Group, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ApplicationDecision, DecisionRefusal, MatchingApplications } from '../api';
import { Confirm, Dialog } from '../pieces/confirm';
import { Problem } from '../pieces/problem';
import { useSession } from '../session/session';
import { useTexts } from '../texts';

export type Decision = ApplicationDecision['decision'];
/** Decisions about any applications; `NOT_DUPLICATE` is about one that a draw set aside. */
const DECISIONS: Decision[] = ['APPROVE', 'REJECT', 'WITHDRAW'];
/** Applications of a request. */
const STEP = 200;

/** The applications that are decided: some, or all that match. */
export type Decided = { applicationIds: string[] } | { matching: MatchingApplications; total: number };

const totalOf = (which: Decided): number => ('matching' in which ? which.total : which.applicationIds.length);

interface DecisionButtonsProps {
  /** How many applications match, if all of them are decided. */
  of?: string;
  isDuplicate?: boolean;
  onDecide(decision: Decision): void;
}

export function DecisionButtons({ of, isDuplicate = false, onDecide }: DecisionButtonsProps) {
  const { applications } = useTexts();
  return (
    <Group gap={6} justify="flex-end">
      {[...(isDuplicate ? (['NOT_DUPLICATE'] as const) : []), ...DECISIONS].map((decision) => (
        <Button key={decision} variant="default" size="xs" onClick={() => onDecide(decision)}>
          {of ? applications.decideAll[decision](of) : applications.decide[decision]}
        </Button>
      ))}
    </Group>
  );
}

interface Outcome {
  decided: number;
  refused: Partial<Record<DecisionRefusal, number>>;
}

interface DecideApplicationsProps {
  decision: Decision;
  which: Decided;
  onClose(): void;
}

/** Asks, decides step by step, and says what became of the applications. Closing it ends after the current step. */
export function DecideApplications({ decision, which, onClose }: DecideApplicationsProps) {
  const { applications, done: doneText, number } = useTexts();
  const { api, organizationId } = useSession();
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const [outcome, setOutcome] = useState<Outcome>({ decided: 0, refused: {} });
  const stopped = useRef(false);
  const total = totalOf(which);
  const deciding = useMutation({
    mutationFn: async () => {
      const about = { decision, reason: reason.trim() || null };
      const send = async (part: Partial<ApplicationDecision>) => {
        const answer = await api.post('/console/v1/applications/decide', { body: { ...about, ...part } });
        setOutcome((before) => {
          const refused = { ...before.refused };
          for (const { code } of answer.refused) refused[code] = (refused[code] ?? 0) + 1;
          return { decided: before.decided + answer.decided.length, refused };
        });
        return answer.next;
      };
      if ('matching' in which) {
        let next: string | null | undefined;
        do next = await send({ matching: which.matching, ...(next && { after: next }) });
        while (next && !stopped.current);
      } else {
        for (let at = 0; at < total && !stopped.current; at += STEP)
          await send({ applicationIds: which.applicationIds.slice(at, at + STEP) });
      }
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [organizationId] }),
  });
  const close = () => {
    stopped.current = true;
    onClose();
  };
  const title = applications.decideTitle[decision](total);
  const seen = outcome.decided + Object.values(outcome.refused).reduce((sum, count) => sum + count, 0);
  if (!deciding.isIdle && !(deciding.isError && seen === 0)) {
    return (
      <Dialog title={title} done={deciding.isPending ? applications.stop : doneText} onClose={close}>
        {deciding.isError && <Problem error={deciding.error} />}
        <p role="status">
          {deciding.isPending
            ? applications.progress(seen, total)
            : applications.doneText[decision](outcome.decided)}
        </p>
        <ul className="plain-list">
          {Object.entries(outcome.refused).map(([code, count]) => (
            <li key={code}>
              {number(count)} {applications.refusals[code as DecisionRefusal]}
            </li>
          ))}
        </ul>
      </Dialog>
    );
  }
  return (
    <Confirm
      title={title}
      action={applications.decide[decision]}
      danger={decision === 'REJECT' || decision === 'WITHDRAW'}
      pending={deciding.isPending}
      error={deciding.error}
      onConfirm={() => deciding.mutate()}
      onClose={onClose}
    >
      <p>{applications.decideText[decision]}</p>
      {decision !== 'APPROVE' && (
        <Textarea
          label={applications.reason}
          description={applications.reasonHelp}
          maxLength={500}
          rows={2}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      )}
    </Confirm>
  );
}
