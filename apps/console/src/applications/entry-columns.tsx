import { Link } from 'wouter';
import type { StaffEntry } from '../api';
import { Badge, type Column, Time, type Tone } from '../pieces';
import { useTexts } from '../texts';

export const STATE_TONES: Record<StaffEntry['approvalStatus'], Tone> = {
  PENDING: 'warn',
  APPROVED: 'good',
  REJECTED: 'bad',
  WITHDRAWN: 'plain',
};

export function EntryName({ entry: { firstName, lastName } }: { entry: StaffEntry }) {
  const { participants } = useTexts();
  return `${firstName ?? ''} ${lastName ?? ''}`.trim() || participants.nameless;
}

export function EntryState({ entry: { approvalStatus, cancelled, gdprRedacted } }: { entry: StaffEntry }) {
  const { participants, applications } = useTexts();
  if (gdprRedacted) return <Badge>{participants.redacted}</Badge>;
  if (cancelled) return <Badge tone="bad">{participants.cancelled}</Badge>;
  return <Badge tone={STATE_TONES[approvalStatus]}>{applications.states[approvalStatus]}</Badge>;
}

/** The columns of a list of entries: the person, linked to the participant, what was booked, the state and the time. */
export function useEntryColumns(): Record<
  'name' | 'email' | 'booked' | 'state' | 'created',
  Column<StaffEntry>
> {
  const { participants, applications } = useTexts();
  return {
    name: {
      title: participants.name,
      main: true,
      cell: (entry) =>
        entry.participantId ? (
          <Link className="row-link" to={`/participants/${entry.participantId}`}>
            <EntryName entry={entry} />
          </Link>
        ) : (
          <strong>
            <EntryName entry={entry} />
          </strong>
        ),
    },
    email: { title: participants.email, cell: ({ email }) => email },
    booked: {
      title: participants.ticket,
      cell: ({ eventTitle, raceTitle, ticketTitle }) => (
        <>
          {eventTitle}
          <br />
          <span className="dim">{`${raceTitle}: ${ticketTitle}`}</span>
        </>
      ),
    },
    state: { title: participants.status, cell: (entry) => <EntryState entry={entry} /> },
    created: {
      title: applications.created,
      cell: ({ createdAt, timeZone }) => <Time at={createdAt} zone={timeZone} />,
    },
  };
}
