import { Select } from '@mantine/core';
import { useState } from 'react';
import type { Participant } from '../../api';
import { Money } from '../../events/money';
import { FormDialog } from '../../pieces';
import { useChange, useSession } from '../../session';
import { useTexts } from '../../texts';
import { useTickets } from '../../upload/use-occurrences';
import { useMeanwhile } from './use-meanwhile';
import { useRefusals } from './use-refusals';
import { useWaves } from './use-waves';

/** Another ticket or wave of the event: says what it charges, and what becomes of the bib. */
export function MoveParticipant({ entry, onClose }: { entry: Participant; onClose(): void }) {
  const { participants } = useTexts();
  const { api } = useSession();
  const { check, notice } = useMeanwhile(entry);
  const stored = entry.waves[0]?.id ?? null;
  const [ticketId, setTicketId] = useState(entry.ticketId);
  const [waveId, setWaveId] = useState<string | null>(stored);
  const all = useTickets(entry.eventOccurrenceId);
  const ticket = all.tickets.find(({ value }) => value === ticketId);
  const former = all.tickets.find(({ value }) => value === entry.ticketId);
  const raceId = ticket?.raceId ?? entry.raceId;
  const waves = useWaves(raceId);
  const isOther = ticketId !== entry.ticketId;
  const move = useChange(
    async () =>
      (await check())
        ? undefined
        : api.post('/v0/participants/{id}/move', {
            params: { path: { id: entry.id } },
            body: { ...(isOther && { ticketId }), waveId },
          }),
    [],
    (moved) => {
      if (moved) onClose();
    },
  );
  const refusals = useRefusals(move.error, ['ticketId', 'waveId']);
  const choose = (chosen: string | null) => {
    if (!chosen) return;
    const race = all.tickets.find(({ value }) => value === chosen)?.raceId;
    setTicketId(chosen);
    setWaveId(race === entry.raceId ? stored : null);
  };
  const choices = all.tickets.map(({ value, label, isSoldOut }) => ({
    value,
    label: isSoldOut && value !== entry.ticketId ? participants.soldOut(label) : label,
  }));
  if (!former) choices.unshift({ value: entry.ticketId, label: `${entry.raceName}: ${entry.ticketTitle}` });
  return (
    <FormDialog
      wide
      title={participants.moveTitle}
      action={participants.move}
      pending={move.isPending}
      disabled={!isOther && waveId === stored}
      error={refusals.rest ?? all.error}
      onSubmit={() => move.mutate()}
      onClose={onClose}
    >
      <Select
        label={participants.ticket}
        searchable
        data={choices}
        error={refusals.of('ticketId')}
        value={ticketId}
        onChange={choose}
      />
      <Select
        label={participants.wave}
        placeholder={participants.noWave}
        clearable
        disabled={waves.length === 0}
        data={waves}
        error={refusals.of('waveId')}
        value={waveId}
        onChange={setWaveId}
      />
      {isOther && (
        <ul className="dim">
          {entry.competitorSize > 1 && <li>{participants.differenceOfTeam}</li>}
          {ticket && former && entry.competitorSize === 1 && (
            <li>
              {participants.difference}{' '}
              <strong>
                <Money
                  price={{
                    value: ticket.price.value - former.price.value,
                    currencyCode:
                      [ticket, former].find(({ price }) => price.currencyCode !== 'ZERO')?.price
                        .currencyCode ?? 'ZERO',
                  }}
                />
              </strong>
              . {participants.differenceHelp}
            </li>
          )}
          {raceId !== entry.raceId && entry.bibNumber && <li>{participants.bibReleased(entry.bibNumber)}</li>}
          <li>{participants.answersStay}</li>
        </ul>
      )}
      {notice}
    </FormDialog>
  );
}
