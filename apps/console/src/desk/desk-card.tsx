import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { FoundParticipant } from '../api';
import { Icon } from '../pieces/icons';
import { Badge } from '../pieces/page';
import { useTexts } from '../texts';
import type { PendingChange } from './queue';

interface DeskCardProps {
  person: FoundParticipant;
  /** Changes of this person that the server has not confirmed. */
  waiting: PendingChange[];
  open: boolean;
  onOpen(): void;
  onChange(change: Omit<PendingChange, 'id' | 'changedAt'>): void;
}

/**
 * One person, with large touch targets. Queued changes are shown as if they were applied, with a note that they wait.
 */
export function DeskCard({ person, waiting, open, onOpen, onChange }: DeskCardProps) {
  const { desk, participants } = useTexts();
  const [bib, setBib] = useState<string>();
  const { id: participantId, firstName, lastName, cancelled, eventTitle, raceTitle } = person;
  const name = `${firstName ?? ''} ${lastName ?? ''}`.trim() || participants.nameless;
  const shownBib =
    waiting.findLast((change) => change.bibNumber !== undefined)?.bibNumber ?? person.bibNumber;
  const checkedIn =
    waiting.findLast((change) => change.checkIn !== undefined)?.checkIn ?? person.checkIn === true;
  const submitBib = (event: FormEvent) => {
    event.preventDefault();
    if (bib === undefined) return;
    onChange({ participantId, name, bibNumber: bib.trim() || null });
    setBib(undefined);
  };
  return (
    <li className="desk-card" data-open={open || undefined}>
      <button type="button" className="desk-head" aria-expanded={open} onClick={onOpen}>
        <span className="desk-bib">{shownBib ?? '–'}</span>
        <span className="desk-name">
          <strong>{name}</strong>
          <span className="dim">
            {eventTitle}, {raceTitle}
          </span>
        </span>
        <span className="desk-state">
          {cancelled && <Badge tone="bad">{participants.cancelled}</Badge>}
          {waiting.length > 0 && <Badge tone="warn">{desk.pending}</Badge>}
          {checkedIn && <Badge tone="good">{desk.checkedIn}</Badge>}
        </span>
        <Icon name={open ? 'down' : 'right'} />
      </button>
      {open && (
        <div className="desk-actions">
          <Button
            size="lg"
            variant={checkedIn ? 'default' : 'filled'}
            onClick={() => onChange({ participantId, name, checkIn: !checkedIn })}
          >
            {checkedIn ? desk.undoCheckIn : desk.checkIn}
          </Button>
          <form onSubmit={submitBib}>
            <TextInput
              size="lg"
              aria-label={participants.bib}
              placeholder={participants.bib}
              maxLength={20}
              value={bib ?? shownBib ?? ''}
              onChange={({ target }) => setBib(target.value)}
            />
            <Button size="lg" type="submit" variant="default" disabled={bib === undefined}>
              {desk.setBib}
            </Button>
          </form>
        </div>
      )}
    </li>
  );
}
