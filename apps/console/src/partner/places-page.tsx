import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { OrganizerEventOccurrenceSummary } from '../api';
import { Capacity } from '../events/capacity';
import { Badge, Card, type Column, Empty, Page, Problem, Table, Time, useDay } from '../pieces';
import { useSession } from '../session';
import { useTexts } from '../texts';
import { AssignPlace } from './assign-place';
import { SubPartners } from './sub-partners';
import { freeOf, isOver, type Places, useOccurrencesOfPartner, usePartners, usePlaces } from './use-places';

/** The home of a partner's members: the places of its groups, by event. */
export function PlacesPage() {
  const { partner, partners } = useTexts();
  const { me } = useSession();
  const [assigned, setAssigned] = useState<Places>();
  const [showsPast, setShowsPast] = useState(false);
  const { all, toCome, past, error } = useOccurrencesOfPartner();
  const current = usePlaces(toCome);
  const earlier = usePlaces(showsPast ? past : undefined);
  const problem = error ?? current.error ?? earlier.error;
  const shown = (occurrences: OrganizerEventOccurrenceSummary[] | undefined, places: Places[] | undefined) =>
    occurrences?.map((occurrence) => (
      <OccurrencePlaces
        key={occurrence.id}
        occurrence={occurrence}
        places={places?.filter((each) => each.occurrence.id === occurrence.id)}
        onAssign={setAssigned}
      />
    ));
  return (
    <Page
      title={partners.places}
      beside={<span className="dim">{me.partner?.name}</span>}
      actions={
        <Button component={Link} to="/places/file">
          {partner.assignFile}
        </Button>
      }
    >
      {problem && <Problem error={problem} />}
      {all?.length === 0 && <Empty title={partner.noPlaces}>{partner.noPlacesAdvice}</Empty>}
      {shown(toCome, current.places)}
      {showsPast && shown(past, earlier.places)}
      {!showsPast && past !== undefined && past.length > 0 && (
        <Button mr="auto" variant="subtle" onClick={() => setShowsPast(true)}>
          {partner.pastEvents(past.length)}
        </Button>
      )}
      <SubPartners />
      {assigned && (
        <AssignPlace places={current.places ?? []} chosen={assigned} onClose={() => setAssigned(undefined)} />
      )}
    </Page>
  );
}

interface OccurrencePlacesProps {
  occurrence: OrganizerEventOccurrenceSummary;
  places: Places[] | undefined;
  onAssign(places: Places): void;
}

function OccurrencePlaces({ occurrence, places, onAssign }: OccurrencePlacesProps) {
  const { partner, participants, number, partners } = useTexts();
  const written = useDay();
  const { me } = useSession();
  const known = usePartners().data?.data ?? [];
  const nameOf = new Map(known.map(({ id, name }) => [id, name]));
  const ofSub = (each: Places) => each.group.partnerId !== me.partner?.id;
  const columns: Column<Places>[] = [
    {
      title: participants.group,
      main: true,
      cell: (each) => (
        <>
          <strong>{each.group.name}</strong>
          {ofSub(each) && <div className="dim">{nameOf.get(each.group.partnerId ?? '')}</div>}
        </>
      ),
    },
    {
      title: participants.ticket,
      cell: ({ tickets }) =>
        tickets.map(({ id, raceTitle, title }) => <div key={id}>{`${raceTitle}: ${title}`}</div>),
    },
    { title: partner.used, width: 'wide', cell: ({ group }) => <Capacity {...group} /> },
    { title: partners.free, number: true, cell: ({ group }) => number(freeOf(group)) },
    {
      title: partner.deadline,
      cell: ({ group }) =>
        isOver(group) ? <Badge>{partner.closed}</Badge> : <Time at={group.settings.deadline} />,
    },
    {
      title: partner.assign,
      number: true,
      cell: (each) => (
        <Button
          size="xs"
          variant="default"
          aria-label={partner.assignIn(each.group.name)}
          disabled={isOver(each.group) || freeOf(each.group) === 0}
          onClick={() => onAssign(each)}
        >
          {partner.assign}
        </Button>
      ),
    },
  ];
  if (places?.length === 0) return null;
  return (
    <Card
      title={occurrence.title}
      actions={
        <span className="dim">
          {written(occurrence.startDate)} ·{' '}
          <Link to={`/runners?eventOccurrenceId=${occurrence.id}`}>{partner.showRunners}</Link>
        </span>
      }
    >
      <Table
        caption={`${partners.groups}: ${occurrence.title}`}
        columns={columns}
        rows={places}
        keyOf={({ group }) => group.id}
        expected={2}
      />
    </Card>
  );
}
