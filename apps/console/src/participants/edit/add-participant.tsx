import { Checkbox, Select } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { FormDialog } from '../../pieces';
import { useSession } from '../../session';
import { useTexts } from '../../texts';
import { useOccurrences, useTickets } from '../../upload/use-occurrences';
import { OtherPlaces } from './other-places';
import { NOBODY, PERSON_PATHS, PersonFields, personOf } from './person-fields';
import { useQuestions } from './use-questions';
import { useRefusals } from './use-refusals';
import { useWaves } from './use-waves';

interface AddParticipantProps {
  /** The event that the list shows. */
  eventOccurrenceId?: string;
  onClose(): void;
}

/** Books a place for a person, and shows it. A second press sends the same request, which adds nobody. */
export function AddParticipant({ eventOccurrenceId: shown, onClose }: AddParticipantProps) {
  const { participants } = useTexts();
  const { api, organizationId } = useSession();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [requestId] = useState(() => crypto.randomUUID());
  const occurrences = useOccurrences();
  const [eventOccurrenceId, setOccurrence] = useState<string | undefined>(shown);
  const [ticketId, setTicket] = useState<string>();
  const [waveId, setWave] = useState<string | null>(null);
  const [person, setPerson] = useState(NOBODY);
  const [beyondCapacity, setBeyond] = useState(false);
  const { tickets, error } = useTickets(eventOccurrenceId);
  const waves = useWaves(tickets.find(({ value }) => value === ticketId)?.raceId);
  const questions = useQuestions(ticketId);
  const given = personOf(person, questions.asked);
  const show = (id: string) => {
    onClose();
    navigate(`/participants/${id}`);
  };
  const add = useMutation({
    mutationFn: () =>
      api.post('/console/v1/participants', {
        body: {
          requestId,
          eventOccurrenceId: eventOccurrenceId ?? '',
          participant: { ticketId: ticketId ?? '', waveId, ...given },
          beyondCapacity,
        },
      }),
    onSuccess: async ({ id, duplicateOf = [] }) => {
      await queries.invalidateQueries({ queryKey: [organizationId, 'participants'] });
      if (duplicateOf.length === 0) show(id);
    },
  });
  const refusals = useRefusals(
    add.error,
    ['ticketId', 'waveId', ...PERSON_PATHS],
    given.fields.map(({ key }) => key),
  );
  const added = add.data;
  if (added?.duplicateOf?.length)
    return <OtherPlaces ids={added.duplicateOf} onClose={() => show(added.id)} />;
  return (
    <FormDialog
      wide
      title={participants.addTitle}
      action={participants.add}
      pending={add.isPending}
      disabled={!ticketId || !questions.asked}
      error={refusals.rest ?? questions.error ?? error}
      onSubmit={() => add.mutate()}
      onClose={onClose}
    >
      <p className="dim">{participants.addHelp}</p>
      <div className="tiles">
        <Select
          label={participants.event}
          placeholder={participants.chooseEvent}
          required
          searchable
          data={occurrences}
          limit={100}
          value={eventOccurrenceId ?? null}
          onChange={(value) => {
            setOccurrence(value ?? undefined);
            setTicket(undefined);
            setWave(null);
          }}
        />
        <Select
          label={participants.ticket}
          placeholder={participants.chooseTicket}
          required
          searchable
          disabled={!eventOccurrenceId}
          data={tickets.map(({ value, label, isSoldOut }) => ({
            value,
            label: isSoldOut ? participants.soldOut(label) : label,
          }))}
          error={refusals.of('ticketId')}
          value={ticketId ?? null}
          onChange={(value) => {
            setTicket(value ?? undefined);
            setWave(null);
          }}
        />
        {waves.length > 0 && (
          <Select
            label={participants.wave}
            placeholder={participants.noWave}
            clearable
            data={waves}
            error={refusals.of('waveId')}
            value={waveId}
            onChange={setWave}
          />
        )}
      </div>
      {ticketId && (
        <PersonFields
          person={person}
          questions={questions}
          isNew
          needsEmail
          refusalOf={refusals.of}
          onChange={(changes) => setPerson((now) => ({ ...now, ...changes }))}
        />
      )}
      {ticketId && (
        <Checkbox
          label={participants.beyondCapacity}
          checked={beyondCapacity}
          onChange={({ target }) => setBeyond(target.checked)}
        />
      )}
    </FormDialog>
  );
}
