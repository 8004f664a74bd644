import { Box, Button, Radio, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import type { OccurrenceOverview } from '../api';
import { Badge, Confirm, type Tone } from '../pieces';
import { useChange, useGet, useSession } from '../session';
import { useTexts } from '../texts';
import { changeOccurrence, type OccurrenceRecord } from './write-catalogue';

/** `UNLISTED`: published, but the marketplace does not list it. */
export type State = OccurrenceOverview['status'] | 'UNLISTED';

const STATES: State[] = ['DRAFT', 'UNLISTED', 'PUBLISHED', 'POSTPONED', 'CANCELLED'];
const TONES: Record<State, Tone> = {
  DRAFT: 'plain',
  UNLISTED: 'good',
  PUBLISHED: 'good',
  POSTPONED: 'warn',
  CANCELLED: 'bad',
};

export const stateOf = ({
  status,
  discoverable,
}: Pick<OccurrenceOverview, 'status' | 'discoverable'>): State =>
  status === 'PUBLISHED' && !discoverable ? 'UNLISTED' : status;

/** A postponed or cancelled occurrence keeps whether it was published. */
export function inState(occurrence: OccurrenceRecord, state: State): OccurrenceRecord {
  const { status: _, ...rest } = occurrence;
  if (state === 'POSTPONED' || state === 'CANCELLED') return { ...rest, status: state } as OccurrenceRecord;
  return { ...rest, published: state !== 'DRAFT', discoverable: state !== 'UNLISTED' } as OccurrenceRecord;
}

export function StateBadge({ state }: { state: State }) {
  const { events } = useTexts();
  return <Badge tone={TONES[state]}>{events.states.names[state]}</Badge>;
}

type Of = Pick<OccurrenceOverview, 'id' | 'title' | 'status' | 'discoverable'>;

export function ChangeState({ of }: { of: Of }) {
  const { events } = useTexts();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {events.states.change}
      </Button>
      {open && <Choose of={of} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Says what each state means for visitors, tickets and bookings before it is changed. */
function Choose({ of, onClose }: { of: Of; onClose(): void }) {
  const { events } = useTexts();
  const { api } = useSession();
  const now = stateOf(of);
  const [chosen, setChosen] = useState<State>(now);
  const participants = useGet(['occurrence', of.id, 'participant-count'], '/v0/participants', {
    query: { eventOccurrenceId: of.id, status: 'CONFIRMED', 'page[size]': 1 },
  });
  const count = participants.data?.page.totalResults;
  const change = useChange(
    () => changeOccurrence(api, of.id, (occurrence) => inState(occurrence, chosen)),
    [],
    onClose,
  );
  return (
    <Confirm
      wide
      title={events.states.title(of.title)}
      action={events.states.actions[chosen]}
      danger={chosen === 'CANCELLED'}
      disabled={chosen === now}
      change={change}
      onClose={onClose}
    >
      <fieldset>
        <VisuallyHidden component="legend">{events.states.change}</VisuallyHidden>
        {STATES.map((state) => (
          <Radio
            key={state}
            mb={12}
            label={
              <>
                <strong>{events.states.names[state]}</strong>{' '}
                {state === now && <span className="dim">{events.states.current}</span>}
                <Box component="span" display="block" c="dimmed">
                  {events.states.help[state]}
                </Box>
              </>
            }
            checked={chosen === state}
            onChange={() => setChosen(state)}
          />
        ))}
      </fieldset>
      {count !== undefined && <p role="status">{events.states.concerned(count)}</p>}
    </Confirm>
  );
}
