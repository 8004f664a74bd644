import { Button, Checkbox, Group, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type {
  ApplicationDecision,
  ApplicationsOfTicket,
  DecisionRefusal,
  MatchingApplications,
  StaffEntry,
} from '../api';
import { Badge, Confirm, Dialog, Problem } from '../pieces';
import { useSession } from '../session';
import { useTexts } from '../texts';

export type Decision = ApplicationDecision['decision'];
/** Decisions about any applications; `NOT_DUPLICATE` is about one that a draw set aside. */
const DECISIONS: Decision[] = ['APPROVE', 'REJECT', 'WITHDRAW'];
/** Applications of a request. */
const STEP = 200;

type EntryOfTicket = Pick<
  StaffEntry,
  'ticketId' | 'eventTitle' | 'raceTitle' | 'ticketTitle' | 'applicationResolutionType'
>;

/** The applications that are decided: some, or all that match. */
export type Decided =
  | { applicationIds: string[]; entries: EntryOfTicket[] }
  | { matching: MatchingApplications; total: number };

/** The tickets that the applications are for, with how many are for each. Undefined while they load. */
function useTicketsOf(which: Decided) {
  const { api, organizationId } = useSession();
  const matching = 'matching' in which ? which.matching : undefined;
  const { data, error } = useQuery({
    queryKey: [organizationId, 'applications', 'by-ticket', matching],
    queryFn: () => api.post('/console/v1/applications/by-ticket', { body: matching ?? {} }),
    enabled: matching !== undefined,
  });
  if ('matching' in which) return { tickets: data?.tickets, until: data?.until ?? undefined, error };
  const tickets = new Map<string, ApplicationsOfTicket>();
  for (const { ticketId, eventTitle, raceTitle, ticketTitle, applicationResolutionType } of which.entries) {
    const isBallot = applicationResolutionType === 'BALLOT';
    const of = tickets.get(ticketId) ?? {
      ticketId,
      eventTitle,
      raceTitle,
      ticketTitle,
      isBallot,
      applications: 0,
    };
    tickets.set(ticketId, { ...of, applications: of.applications + 1 });
  }
  return { tickets: [...tickets.values()], until: undefined, error };
}

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
  const { tickets, until, error } = useTicketsOf(which);
  const counted = tickets?.reduce((sum, { applications: count }) => sum + count, 0);
  const total = 'matching' in which ? (counted ?? which.total) : which.applicationIds.length;
  const [agreed, setAgreed] = useState(false);
  const mixes = tickets !== undefined && tickets.length > 1 && tickets.some(({ isBallot }) => isBallot);
  const deciding = useMutation({
    mutationFn: async (_all: number) => {
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
        do next = await send({ matching: { ...which.matching, until }, ...(next && { after: next }) });
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
  const titleOf = applications.decideTitle[decision];
  const seen = outcome.decided + Object.values(outcome.refused).reduce((sum, count) => sum + count, 0);
  // Those that are decided match no longer.
  const all = deciding.variables ?? total;
  if (!deciding.isIdle && !(deciding.isError && seen === 0)) {
    return (
      <Dialog title={titleOf(all)} done={deciding.isPending ? applications.stop : doneText} onClose={close}>
        {deciding.isError && <Problem error={deciding.error} />}
        <p role="status">
          {deciding.isPending
            ? applications.progress(seen, all)
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
      title={titleOf(total)}
      action={applications.decide[decision]}
      danger={decision === 'REJECT' || decision === 'WITHDRAW'}
      pending={deciding.isPending}
      disabled={!tickets || total === 0 || (mixes && !agreed)}
      error={deciding.error ?? error}
      onConfirm={() => deciding.mutate(total)}
      onClose={onClose}
    >
      <ul>
        {tickets?.map(({ ticketId, eventTitle, raceTitle, ticketTitle, isBallot, applications: count }) => (
          <li key={ticketId}>
            {number(count)} × {eventTitle}, {raceTitle}: {ticketTitle}{' '}
            {isBallot && <Badge tone="warn">{applications.ballot}</Badge>}
          </li>
        ))}
      </ul>
      {mixes && (
        <Checkbox
          label={applications.mixes}
          checked={agreed}
          onChange={({ target }) => setAgreed(target.checked)}
        />
      )}
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
