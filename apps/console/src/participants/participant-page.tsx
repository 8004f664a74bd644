import { Button, Menu, Stack } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Participant, StaffParticipant } from '../api';
import { History } from '../history/history';
import { done } from '../persons/work';
import { Card, Confirm, CopiedId, Facts, Icon, Page, Time } from '../pieces';
import { LIVE_MS } from '../queries';
import { useChange, useGet, useSession } from '../session';
import { useTexts } from '../texts';
import { Answers } from './answers';
import { CancelBooking } from './cancel-booking';
import { CancelParticipant } from './edit/cancel-participant';
import { EditParticipant } from './edit/edit-participant';
import { MoveParticipant } from './edit/move-participant';
import { TransferParticipant } from './edit/transfer-participant';
import { PersonName, PersonStatus } from './participants-page';
import { RaceDayForm } from './race-day-form';
import { RaceDayTimeline } from './race-day-timeline';
import { useFieldLabels } from './use-field-labels';

type Action = 'edit' | 'move' | 'transfer' | 'cancelEntry' | 'cancel' | 'redact';

/** One person: the entry, the answers, and the race-day log. */
export function ParticipantPage({ id }: { id: string }) {
  const { participants } = useTexts();
  const { may } = useSession();
  const [asked, setAsked] = useState<Action>();
  const staff = useGet(
    ['participant', id],
    '/console/v1/participants/{id}',
    { path: { id } },
    { refetchInterval: LIVE_MS },
  );
  const entry = useGet(
    ['participant', id, 'entry'],
    '/v0/participants/{id}',
    { path: { id } },
    { refetchInterval: 5_000 },
  );
  const up = { to: '/participants', text: participants.title };
  const error = staff.error ?? entry.error;
  if (!staff.data || !entry.data) return <Page title={participants.title} up={up} error={error} />;
  const person = staff.data;
  const writes = may('OWNER', 'MANAGER');
  const isOpen = !person.cancelled && !person.gdprRedacted;
  const name =
    person.firstName || person.lastName
      ? `${person.firstName ?? ''} ${person.lastName ?? ''}`
      : participants.nameless;
  return (
    <Page
      title={name.trim()}
      beside={<PersonStatus person={person} />}
      up={up}
      actions={
        writes && (
          <>
            {isOpen && (
              <>
                <Button onClick={() => setAsked('edit')}>{participants.edit}</Button>
                <Button variant="default" onClick={() => setAsked('move')}>
                  {participants.move}
                </Button>
              </>
            )}
            <MoreActions person={person} ask={setAsked} />
          </>
        )
      }
    >
      <div className="columns">
        <Stack gap={20} miw={0}>
          <Entry person={person} entry={entry.data} />
          <Person entry={entry.data} />
          <History subject={person.id} zone={person.timeZone} />
        </Stack>
        <Stack gap={20} miw={0}>
          <RaceDay person={person} entry={entry.data} readOnly={!writes || person.cancelled} />
        </Stack>
      </div>
      {asked && (
        <Asked action={asked} person={person} entry={entry.data} onClose={() => setAsked(undefined)} />
      )}
    </Page>
  );
}

interface AskedProps {
  action: Action;
  person: StaffParticipant;
  entry: Participant;
  onClose(): void;
}

function Asked({ action, person, entry, onClose }: AskedProps) {
  if (action === 'edit') return <EditParticipant entry={entry} onClose={onClose} />;
  if (action === 'move') return <MoveParticipant entry={entry} onClose={onClose} />;
  if (action === 'transfer') return <TransferParticipant entry={entry} onClose={onClose} />;
  if (action === 'cancelEntry') return <CancelParticipant entry={entry} onClose={onClose} />;
  if (action === 'cancel') return <CancelBooking entry={entry} onClose={onClose} />;
  return <Redact person={person} onClose={onClose} />;
}

function MoreActions({ person, ask }: { person: StaffParticipant; ask(action: Action): void }) {
  const { participants, persons } = useTexts();
  const actions: (readonly [Action, string] | false)[] = [
    !person.cancelled && !person.gdprRedacted && ['transfer', participants.transfer],
    !person.cancelled && ['cancelEntry', participants.cancelEntry],
    !person.cancelled && ['cancel', participants.cancelBooking],
    !person.gdprRedacted && ['redact', participants.redact],
  ];
  const possible = actions.filter((each) => each !== false);
  if (possible.length === 0 && !person.email) return null;
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" rightSection={<Icon name="down" />}>
          {participants.more}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {possible.map(([action, text]) => (
          <Menu.Item key={action} onClick={() => ask(action)}>
            {text}
          </Menu.Item>
        ))}
        {person.email && (
          <Menu.Item component={Link} to={`/participants/person?email=${encodeURIComponent(person.email)}`}>
            {persons.all}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function RaceDay(props: { person: StaffParticipant; entry: Participant; readOnly: boolean }) {
  const { participants, desk } = useTexts();
  const { person, entry } = props;
  const labelOf = useFieldLabels(person, entry);
  return (
    <>
      <Card title={desk.title}>
        <RaceDayForm {...props} labelOf={labelOf} />
      </Card>
      <Card title={participants.log}>
        <RaceDayTimeline person={person} labelOf={labelOf} />
      </Card>
    </>
  );
}

function Entry({ person, entry }: { person: StaffParticipant; entry: Participant }) {
  const { participants } = useTexts();
  const { timeZone: zone } = person;
  return (
    <Card title={participants.entry}>
      <Facts
        facts={[
          [participants.event, person.eventTitle],
          [participants.race, person.raceTitle],
          [participants.ticket, person.ticketTitle],
          [participants.bib, person.bibNumber],
          [participants.wave, entry.waves[0]?.title],
          [participants.team, entry.team?.name],
          [participants.createdAt, <Time key="at" at={entry.createdAt} zone={zone} />],
          [participants.tags, entry.tags.join(', ') || undefined],
          [participants.notes, entry.notes.join('\n') || undefined],
          [participants.group, entry.reservedEntryGroupName ?? undefined],
          [participants.externalBookingId, entry.externalBookingId ?? undefined],
          [participants.externalParticipantId, entry.externalParticipantId ?? undefined],
          [participants.id, <CopiedId key="id" id={person.id} />],
        ]}
      />
    </Card>
  );
}

function Person({ entry }: { entry: Participant }) {
  const { participants } = useTexts();
  const { booker } = entry;
  return (
    <Card title={participants.answers}>
      {entry.fields.length === 0 && <p className="dim">{participants.noAnswers}</p>}
      <Answers entry={entry} />
      <h3>{participants.booker}</h3>
      <Facts
        facts={[
          [participants.name, `${booker.firstName ?? ''} ${booker.lastName ?? ''}`.trim() || undefined],
          [participants.email, booker.email],
        ]}
      />
    </Card>
  );
}

function Redact({ person, onClose }: { person: StaffParticipant; onClose(): void }) {
  const { participants, persons } = useTexts();
  const { api } = useSession();
  const redact = useChange(
    async () => {
      const path = { id: person.id };
      const work = await api.post('/console/v1/participants/{id}/redact', { params: { path } });
      await done(api, work, { failed: persons.failed });
    },
    ['participant', person.id],
    onClose,
  );
  return (
    <Confirm
      title={participants.redactTitle}
      action={participants.redact}
      danger
      change={redact}
      onClose={onClose}
    >
      <p>
        <strong>
          <PersonName person={person} />
        </strong>
      </p>
      <p>{participants.redactGoes}</p>
      <p>{participants.redactStays}</p>
    </Confirm>
  );
}
