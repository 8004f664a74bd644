import { Link } from 'wouter';
import type { BallotTicket } from '../api';
import { type Column, Empty, List, Page, useDay, useFilters } from '../pieces';
import { useList } from '../session';
import { useTexts } from '../texts';

export function BallotsPage() {
  const { applications, events, participants, number } = useTexts();
  const { cursor, set } = useFilters([]);
  const written = useDay();
  const query = { ...cursor, 'page[size]': 50 };
  const list = useList(['ballots', query], '/console/v1/ballots', { query });
  const columns: Column<BallotTicket>[] = [
    {
      title: participants.ticket,
      main: true,
      cell: ({ id, raceTitle, ticketTitle }) => (
        <Link className="row-link" to={`/applications/ballots/${id}`}>
          {`${raceTitle}: ${ticketTitle}`}
        </Link>
      ),
    },
    { title: participants.event, cell: ({ eventTitle }) => eventTitle },
    {
      title: events.date,
      cell: ({ startDate }) =>
        startDate ? written(startDate) : <span className="dim">{events.undated}</span>,
    },
    { title: applications.waiting, number: true, cell: ({ pending }) => number(pending) },
    {
      title: applications.placesLeft,
      number: true,
      cell: ({ placesLeft }) => (placesLeft === null ? events.noLimit : number(placesLeft)),
    },
    { title: applications.draws, number: true, cell: ({ drawCount }) => number(drawCount) },
  ];
  return (
    <Page section="applications">
      <List
        of={list}
        caption={applications.ballots}
        columns={columns}
        expected={3}
        go={set}
        empty={<Empty title={applications.noBallots}>{applications.noBallotsAdvice}</Empty>}
      />
    </Page>
  );
}
