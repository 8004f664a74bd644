import { Link } from 'wouter';
import type { StaffEntry } from '../api';
import { PersonName, PersonStatus } from '../participants/person';
import { Badge, type Column, Time, type Tone } from '../pieces';
import { useTexts } from '../texts';

export const STATE_TONES: Record<StaffEntry['approvalStatus'], Tone> = {
  PENDING: 'warn',
  APPROVED: 'good',
  REJECTED: 'bad',
  WITHDRAWN: 'plain',
};

/** The columns of a list of entries. Those of applications name the state and the time as such. */
export function useEntryColumns(
  isApplication = false,
): Record<'name' | 'email' | 'booked' | 'state' | 'created', Column<StaffEntry>> {
  const { participants, applications } = useTexts();
  return {
    name: {
      title: participants.name,
      main: true,
      cell: (entry) => {
        const name = <PersonName person={entry} />;
        if (!entry.participantId) return <strong>{name}</strong>;
        return (
          <Link className="row-link" to={`/participants/${entry.participantId}`}>
            {name}
          </Link>
        );
      },
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
    state: {
      title: participants.status,
      cell: (entry) => {
        const { approvalStatus: status, cancelled, gdprRedacted } = entry;
        if (cancelled || gdprRedacted || (status === 'APPROVED' && !isApplication))
          return <PersonStatus person={entry} />;
        return <Badge tone={STATE_TONES[status]}>{applications.states[status]}</Badge>;
      },
    },
    created: {
      title: isApplication ? applications.created : participants.createdAt,
      cell: ({ createdAt, timeZone }) => <Time at={createdAt} zone={timeZone} />,
    },
  };
}
