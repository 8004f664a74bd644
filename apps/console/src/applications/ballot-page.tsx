import { Link } from 'wouter';
import type { StaffBallot, StaffBallotDraw } from '../api';
import { History } from '../history/history';
import { Badge, Card, type Column, Facts, Page, Table, Time } from '../pieces';
import { useGet, useSession } from '../session';
import { useTexts } from '../texts';
import { DrawForm } from './draw-form';

/** The ballot of a ticket: its applications and places, the next draw, and the earlier ones. */
export function BallotPage({ id }: { id: string }) {
  const { applications, events, participants, number } = useTexts();
  const { may } = useSession();
  const { data: ballot, error } = useGet(['ballots', id], '/console/v1/ballots/{id}', { path: { id } });
  const up = { to: '/applications/ballots', text: applications.ballots };
  if (!ballot) return <Page title={applications.ballot} up={up} error={error} />;
  return (
    <Page title={`${ballot.raceTitle}: ${ballot.ticketTitle}`} up={up}>
      <Card>
        <Facts
          facts={[
            [
              participants.event,
              <Link key="event" to={`/events/${ballot.eventOccurrenceId}`}>
                {ballot.eventTitle}
              </Link>,
            ],
            [
              applications.waiting,
              <Link
                key="waiting"
                to={`/applications?eventOccurrenceId=${ballot.eventOccurrenceId}&ticketId=${ballot.id}`}
              >
                {number(ballot.pending)}
              </Link>,
            ],
            ballot.competitorSize > 1 && [participants.team, number(ballot.pendingUnits)],
            [
              applications.placesLeft,
              ballot.placesLeft === null ? events.noLimit : number(ballot.placesLeft),
            ],
          ]}
        />
      </Card>
      {may('OWNER', 'MANAGER') && <DrawForm key={nextOf(ballot)} ballot={ballot} />}
      <Draws draws={ballot.draws} />
      <History subject={id} />
    </Page>
  );
}

/** Another form after another draw. */
const nextOf = ({ drawCount, draws: [newest] }: StaffBallot): string => `${drawCount} ${newest?.isFinished}`;

const COUNTS = ['places', 'applications', 'drawn', 'notDrawn', 'decided', 'full', 'duplicates'] as const;

function Draws({ draws }: { draws: StaffBallotDraw[] }) {
  const { applications, number } = useTexts();
  const count = (key: (typeof COUNTS)[number]): Column<StaffBallotDraw> => ({
    title: applications.drawCounts[key],
    number: true,
    cell: (draw) => number(draw[key]),
  });
  return (
    <Card title={applications.draws}>
      {draws.length === 0 ? (
        <p className="dim">{applications.noDraws}</p>
      ) : (
        <Table
          caption={applications.draws}
          rows={draws}
          keyOf={(draw) => String(draw.number)}
          columns={[
            {
              title: applications.draw,
              main: true,
              cell: (draw) => (
                <>
                  <strong>{number(draw.number)}</strong>{' '}
                  {!draw.isFinished && <Badge tone="busy">{applications.unfinished}</Badge>}
                </>
              ),
            },
            { title: applications.seed, cell: ({ seed }) => <code>{seed}</code> },
            { title: applications.drawnAt, cell: ({ createdAt }) => <Time at={createdAt} /> },
            ...COUNTS.map(count),
          ]}
        />
      )}
    </Card>
  );
}
