import { Select } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { AssignmentImportRow } from '../api';
import { isOpen } from '../imports/job-status';
import { NOBODY, PersonFields, personOf } from '../participants/edit/person-fields';
import { useQuestions } from '../participants/edit/use-questions';
import { FormDialog } from '../pieces';
import { useGet, useSession } from '../session';
import { useTexts } from '../texts';
import { ASSIGNMENTS } from './follow-import';
import { freeOf, isOver, type Places } from './use-places';

const OFTEN_MS = 700;

/** Assigns one place: an import of one row, as keys send it. */
export function AssignPlace({
  places,
  chosen,
  onClose,
}: {
  places: Places[];
  chosen: Places;
  onClose(): void;
}) {
  const { partner, participants } = useTexts();
  const [groupId, setGroupId] = useState(chosen.group.id);
  const [slug, setSlug] = useState<string>();
  const [person, setPerson] = useState(NOBODY);
  const { group, tickets } = places.find((each) => each.group.id === groupId) ?? chosen;
  const ticket = tickets.find(({ ticketSlug }) => ticketSlug === slug) ?? tickets[0];
  const questions = useQuestions(ticket?.id);
  const domain = group.settings.domainRestriction;
  const assign = useAssign(onClose);
  const open = places.filter((each) => !isOver(each.group) && freeOf(each.group) > 0);
  return (
    <FormDialog
      title={partner.assignTitle}
      action={partner.assign}
      pending={assign.isPending}
      wide
      disabled={!ticket || !questions.asked}
      error={assign.error ?? questions.error}
      onSubmit={() => {
        const given = personOf(person, questions.asked);
        if (ticket)
          assign.send({
            ...{ reservedEntryGroupId: group.id, ticketSlug: ticket.ticketSlug },
            participant: { ...given, email: given.email ?? '' },
          });
      }}
      onClose={onClose}
    >
      {assign.refusal && <Refusal {...assign.refusal} />}
      {open.length > 1 ? (
        <Select
          label={participants.group}
          data={open.map((each) => ({
            value: each.group.id,
            label: partner.placesOf(each.group.name, each.occurrence.title),
          }))}
          value={group.id}
          onChange={(value) => value && setGroupId(value)}
        />
      ) : (
        <p className="dim">{partner.placesOf(group.name, chosen.occurrence.title)}</p>
      )}
      {tickets.length > 1 && (
        <Select
          label={participants.ticket}
          data={tickets.map(({ ticketSlug, raceTitle, title }) => ({
            value: ticketSlug,
            label: `${raceTitle}: ${title}`,
          }))}
          value={ticket?.ticketSlug ?? null}
          onChange={(value) => setSlug(value ?? undefined)}
        />
      )}
      <PersonFields
        person={person}
        questions={questions}
        needsEmail
        later
        emailHelp={domain ? partner.domain(domain.replace(/^@/, '')) : undefined}
        refusalOf={() => undefined}
        onChange={(changes) => setPerson((now) => ({ ...now, ...changes }))}
      />
    </FormDialog>
  );
}

function Refusal({ code, message }: { code: string; message: string }) {
  const { partner } = useTexts();
  return (
    <div className="problem" role="alert">
      <div>
        <h2>{partner.notAssigned}</h2>
        <p>{partner.reasons[code] ?? message}</p>
      </div>
    </div>
  );
}

/** Sends one assignment and follows it. A row that failed can be sent again with the same id, because it wrote nothing. */
function useAssign(onAssigned: () => void) {
  const { api, organizationId } = useSession();
  const queries = useQueryClient();
  const [id] = useState(() => crypto.randomUUID());
  const [attempt, setAttempt] = useState(0);
  const send = useMutation({
    mutationFn: (row: Omit<AssignmentImportRow, 'externalAssignmentId'>) => {
      setAttempt(attempt + 1);
      return api.post(ASSIGNMENTS, {
        body: { assignments: [{ externalAssignmentId: `console-${id}`, ...row }] },
        headers: { 'idempotency-key': `console-${id}-${attempt}` },
      } as never) as Promise<{ jobId: string }>;
    },
  });
  const jobId = send.data?.jobId;
  const { data: job, error } = useGet(
    ['partner', 'import', jobId],
    `${ASSIGNMENTS}/{jobId}`,
    { path: { jobId: jobId ?? '' } },
    {
      enabled: jobId !== undefined,
      refetchInterval: ({ state: { data } }) => (data && !isOpen(data) ? false : OFTEN_MS),
    },
  );
  const isDone = job !== undefined && !isOpen(job);
  const refusal = isDone && !send.isPending ? job.errors[0] : undefined;
  const isAssigned = isDone && job.failedRows === 0 && job.status === 'COMPLETED';
  useEffect(() => {
    if (!isAssigned) return;
    void queries.invalidateQueries({ queryKey: [organizationId, 'partner'] });
    onAssigned();
  }, [isAssigned, queries, organizationId, onAssigned]);
  return {
    send: send.mutate,
    isPending: send.isPending || (jobId !== undefined && !isDone && !error),
    error: send.error ?? error,
    refusal,
  };
}
