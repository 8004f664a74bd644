import { Box, Button, Group, Stack, TextInput, UnstyledButton } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { ListedParticipant } from '../api';
import { Badge, Icon, useDay } from '../pieces';
import { useTexts } from '../texts';
import { Parcel } from './parcel';
import { isUnsent, type NewChange, type PendingChange } from './queue';

interface DeskCardProps {
  person: ListedParticipant;
  /** Changes that the person's data do not include yet. */
  ahead: PendingChange[];
  open: boolean;
  onOpen(): void;
  onChange(change: NewChange): void;
}

/**
 * One person, with large touch targets. Changes are shown as if they were applied, with a note while they wait. A cancelled
 * entry has no bib, and can't be changed.
 */
export function DeskCard({ person, ahead, open, onOpen, onChange }: DeskCardProps) {
  const { desk, participants } = useTexts();
  const day = useDay();
  const [bib, setBib] = useState<string>();
  const { id: participantId, firstName, lastName, cancelled, eventTitle, raceTitle } = person;
  const name = `${firstName ?? ''} ${lastName ?? ''}`.trim() || participants.nameless;
  const changedBib = ahead.findLast((change) => change.bibNumber !== undefined);
  const shownBib = cancelled ? null : changedBib ? changedBib.bibNumber : person.bibNumber;
  const checkedIn =
    ahead.findLast((change) => change.checkIn !== undefined)?.checkIn ?? person.checkIn === true;
  const parcel = ahead.findLast((change) => change.parcel)?.parcel ?? person.shippingStatus;
  const tracked = ahead.findLast((change) => change.trackingNumber)?.trackingNumber ?? person.trackingNumber;
  const parcels = (
    <Parcel
      state={parcel}
      tracked={tracked}
      onChange={(change) => onChange({ participantId, name, ...change })}
    />
  );
  const submitBib = (event: FormEvent) => {
    event.preventDefault();
    if (bib === undefined) return;
    onChange({ participantId, name, bibNumber: bib.trim() || null });
    setBib(undefined);
  };
  return (
    <Box
      component="li"
      className="desk-card"
      mb={10}
      bd={`1px solid var(--${open ? 'accent' : 'line'})`}
      bdrs={12}
      bg="var(--surface)"
    >
      <Group
        renderRoot={(props) => <UnstyledButton {...props} />}
        className="desk-head"
        gap={14}
        wrap="nowrap"
        w="100%"
        mih={64}
        p="10px 16px"
        bdrs={12}
        aria-expanded={open}
        onClick={onOpen}
      >
        <Box component="span" className="desk-bib" miw="3.6em" fz="clamp(18px, 4.6vw, 22px)" fw={650}>
          {shownBib ?? '–'}
        </Box>
        <Box component="span" flex={1} miw={0}>
          <Box component="strong" fz={16}>
            {name}
          </Box>
          <Box component="span" display="block" c="dimmed" fz={13}>
            {eventTitle}, {raceTitle}
            {person.dateOfBirth && ` · ${day(person.dateOfBirth)}`}
          </Box>
        </Box>
        <Stack component="span" className="desk-state" align="flex-end" gap={4}>
          {cancelled && <Badge tone="bad">{participants.cancelled}</Badge>}
          {ahead.some(isUnsent) && <Badge tone="warn">{desk.pending}</Badge>}
          {checkedIn && <Badge tone="good">{participants.checkIn}</Badge>}
        </Stack>
        <Icon name={open ? 'down' : 'right'} />
      </Group>
      {open && cancelled && (
        <div className="desk-actions">
          <p className="dim">{participants.notChangeable}</p>
          {parcels}
        </div>
      )}
      {open && !cancelled && (
        <div className="desk-actions">
          <Button
            size="lg"
            variant={checkedIn ? 'default' : 'filled'}
            onClick={() => onChange({ participantId, name, checkIn: !checkedIn })}
          >
            {checkedIn ? desk.undoCheckIn : desk.checkIn}
          </Button>
          <Group component="form" gap={8} onSubmit={submitBib}>
            <TextInput
              flex="1 1 130px"
              size="lg"
              aria-label={participants.bib}
              placeholder={participants.bib}
              maxLength={20}
              value={bib ?? shownBib ?? ''}
              onChange={({ target }) => setBib(target.value)}
            />
            <Button flex="1 0 auto" size="lg" type="submit" variant="default" disabled={bib === undefined}>
              {desk.setBib}
            </Button>
          </Group>
          {parcels}
        </div>
      )}
    </Box>
  );
}
