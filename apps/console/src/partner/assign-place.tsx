import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { AssignmentImportRow } from '../api';
import { isOpen } from '../imports/job-status';
import { NOBODY, PersonFields, personOf } from '../participants/edit/person-fields';
import { useQuestions } from '../participants/edit/use-questions';
import { Alert, FormDialog } from '../pieces';
import { useGet, useSession } from '../session';
import { useTexts } from '../texts';
import { ASSIGNMENTS } from './follow-import';
import { usePlaceChoice } from './use-place-choice';
import type { Places } from './use-places';

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
  const { partner } = useTexts();
  const { place = chosen, ticket, fields } = usePlaceChoice(places, chosen.id);
  const [person, setPerson] = useState(NOBODY);
  const questions = useQuestions(ticket?.id);
  const assign = useAssign(onClose);
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
            ...{ reservedEntryGroupId: place.id, ticketSlug: ticket.ticketSlug },
            participant: { ...given, email: given.email ?? '' },
          });
      }}
      onClose={onClose}
    >
      {assign.refusal && <Refusal {...assign.refusal} />}
      {fields}
      <PersonFields
        person={person}
        questions={questions}
        needsEmail
        domain={place.settings.domainRestriction}
        refusalOf={() => undefined}
        onChange={(changes) => setPerson((now) => ({ ...now, ...changes }))}
      />
    </FormDialog>
  );
}

function Refusal({ code, message }: { code: string; message: string }) {
  const { partner } = useTexts();
  return (
    <Alert title={code === 'ALREADY_IMPORTED' ? partner.assignedBefore : partner.notAssigned}>
      <p>{partner.reasons[code] ?? message}</p>
    </Alert>
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
  const isAssigned = isDone && job.succeededRows > 0;
  // The answer to an earlier attempt was lost: what was typed since then is not stored.
  const isEarlier = isDone && job.alreadyImportedRows > 0;
  const ended = isEarlier
    ? { code: 'ALREADY_IMPORTED', message: '' }
    : { code: '', message: job?.failure ?? '' };
  const refusal = isDone && !send.isPending && !isAssigned ? (job.errors[0] ?? ended) : undefined;
  useEffect(() => {
    if (isAssigned || isEarlier) void queries.invalidateQueries({ queryKey: [organizationId] });
    if (isAssigned) onAssigned();
  }, [isAssigned, isEarlier, queries, organizationId, onAssigned]);
  return {
    send: send.mutate,
    isPending: send.isPending || (jobId !== undefined && !isDone && !error),
    error: send.error ?? error,
    refusal,
  };
}
