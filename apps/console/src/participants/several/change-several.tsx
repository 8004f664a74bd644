import { Select, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { FormDialog } from '../../pieces';
import { useSession } from '../../session';
import { useTexts } from '../../texts';
import { useTickets } from '../../upload/use-occurrences';
import { useRefusals } from '../edit/use-refusals';
import { useWaves } from '../edit/use-waves';
import type { Change } from './selection-bar';

export interface Filters {
  eventOccurrenceId?: string;
  raceId?: string;
  ticketId?: string;
  status?: 'CONFIRMED' | 'CANCELLED';
  tag?: string;
}

interface ChangeSeveralProps {
  change: Change;
  count: number;
  /** Those that were selected by hand; undefined: all that match. */
  participantIds?: string[];
  filters: Filters;
  /** The event of all selected participants, if it is one. */
  eventOccurrenceId?: string;
  onStarted(jobId: string): void;
  onClose(): void;
}

/** Asks for the tag or the wave, says whether it can be undone, and starts the job. */
export function ChangeSeveral(props: ChangeSeveralProps) {
  const { change, count, participantIds, filters, eventOccurrenceId, onStarted, onClose } = props;
  const { participants } = useTexts();
  const { several } = participants;
  const { api } = useSession();
  const [tag, setTag] = useState('');
  const [raceId, setRace] = useState(filters.raceId);
  const [waveId, setWave] = useState<string | null>(null);
  const { races } = useTickets(change === 'WAVE' ? eventOccurrenceId : undefined);
  const waves = useWaves(change === 'WAVE' ? raceId : undefined);
  const needsTag = change === 'TAG' || change === 'UNTAG';
  const start = useMutation({
    mutationFn: () =>
      api.post('/console/v1/participants/changes', {
        body: {
          change: {
            type: change,
            ...(needsTag && { tag: tag.trim() }),
            ...(change === 'WAVE' && { waveId }),
          },
          ...(participantIds ? { participantIds } : { matching: filters, atMost: count }),
        },
      }),
    onSuccess: ({ jobId }) => {
      onStarted(jobId);
      onClose();
    },
  });
  const refusals = useRefusals(start.error, ['change.tag', 'change.waveId']);
  return (
    <FormDialog
      wide
      title={several.titles[change](count)}
      action={several.actions[change]}
      danger={change === 'CANCEL'}
      pending={start.isPending}
      disabled={(needsTag && !tag.trim()) || (change === 'WAVE' && !raceId)}
      error={refusals.rest}
      onSubmit={() => start.mutate()}
      onClose={onClose}
    >
      {needsTag && (
        <TextInput
          label={participants.tag}
          required
          maxLength={255}
          data-autofocus
          error={refusals.of('change.tag')}
          value={tag}
          onChange={({ target }) => setTag(target.value)}
        />
      )}
      {change === 'WAVE' && !eventOccurrenceId && <p className="notice">{several.oneEvent}</p>}
      {change === 'WAVE' && eventOccurrenceId && (
        <>
          <Select
            label={participants.race}
            searchable
            data={races}
            value={raceId ?? null}
            onChange={(value) => {
              setRace(value ?? undefined);
              setWave(null);
            }}
          />
          <Select
            label={participants.wave}
            description={several.waveHelp}
            placeholder={participants.noWave}
            clearable
            disabled={waves.length === 0}
            data={waves}
            error={refusals.of('change.waveId')}
            value={waveId}
            onChange={setWave}
          />
        </>
      )}
      <p className="dim">{change === 'CANCEL' ? several.cancelHelp : several.canBeUndone}</p>
    </FormDialog>
  );
}
