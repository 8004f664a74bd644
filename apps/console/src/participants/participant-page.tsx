import { Button, Menu, Stack } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Participant, StaffParticipant, StaffRole } from '../api';
import { History } from '../history/history';
import { isOver, usePlaceOf } from '../partner/use-places';
import { done } from '../persons/work';
import { Card, Confirm, CopiedId, Facts, Icon, Page, Time } from '../pieces';
import { LIVE_MS } from '../queries';
import { useChange, useGet, useSession } from '../session';
import { useTexts } from '../texts';
import { Answers } from './answers';
import { CancelBooking } from './cancel-booking';
import { CancelParticipant } from './edit/cancel-participant';
import { EditParticipant } from './edit/edit-participant';
import { FillInParticipant } from './edit/fill-in-participant';
import { MoveParticipant } from './edit/move-participant';
import { TransferParticipant } from './edit/transfer-participant';
import { useQuestionsOf } from './edit/use-questions';
import { type Listed, listed } from './listed';
import { PersonName, PersonStatus } from './person';
import { RaceDayForm } from './race-day-form';
import { RaceDayTimeline } from './race-day-timeline';
import { type Unanswered, unansweredOf } from './unanswered-of';
import { useFieldLabels } from './use-field-labels';
import { useWords } from './use-words';

type Action = 'edit' | 'move' | 'transfer' | 'cancelEntry' | 'cancelBooking' | 'redact';

interface Rule {
  roles: readonly StaffRole[];
  /** Also of a cancelled or redacted participant. */
  cancelled?: true;
  redacted?: true;
}

const WRITERS: readonly StaffRole[] = ['OWNER', 'MANAGER'];
const WRITERS_AND_PARTNERS: readonly StaffRole[] = [...WRITERS, 'PARTNER'];

/** Who can do what with a participant; the first of them have buttons. A partner edits what has no answer. */
const RULES: Record<Action, Rule> = {
  edit: { roles: WRITERS_AND_PARTNERS },
  move: { roles: WRITERS },
  transfer: { roles: WRITERS_AND_PARTNERS },
  cancelEntry: { roles: WRITERS_AND_PARTNERS, redacted: true },
  cancelBooking: { roles: WRITERS, redacted: true },
  redact: { roles: WRITERS, cancelled: true },
};

/** One person: the entry, the answers, and, for staff, the race-day log. The place of a partner can be given to another person, or back. */
export function ParticipantPage({ id }: { id: string }) {
  const words = useWords();
  const { partner } = useTexts();
  const { may, me } = useSession();
  const isStaff = me.partner === null;
  const [asked, setAsked] = useState<Action>();
  const staff = useGet(
    ['participant', id],
    '/console/v1/participants/{id}',
    { path: { id } },
    { refetchInterval: LIVE_MS, enabled: isStaff },
  );
  const { data: entry, error } = useGet(
    ['participant', id, 'entry'],
    '/v0/participants/{id}',
    { path: { id } },
    { refetchInterval: 5_000 },
  );
  const place = usePlaceOf(entry);
  const questions = useQuestionsOf(entry && !isStaff ? [entry.ticketId] : []).of;
  const unanswered = entry && !isStaff ? unansweredOf(entry, questions.get(entry.ticketId) ?? []) : [];
  const fillable = unanswered.filter(({ type }) => type !== 'WAIVER');
  const up = { to: '/participants', text: words.title };
  const person = isStaff ? staff.data : entry && listed(entry);
  if (!person || !entry) return <Page title={words.title} up={up} error={staff.error ?? error} />;
  const isActive = !person.cancelled && !person.gdprRedacted;
  const isClosed = place !== undefined && isOver(place);
  const possible = (Object.keys(RULES) as Action[]).filter((action) => {
    const { roles, cancelled, redacted } = RULES[action];
    if (action === 'edit' && !isStaff && fillable.length === 0) return false;
    if (isClosed || (action === 'cancelEntry' && place?.settings.canPartnerCancel === false)) return false;
    return may(...roles) && (cancelled || !person.cancelled) && (redacted || !person.gdprRedacted);
  });
  const hasButton = (action: Action) => !isStaff || action === 'edit' || action === 'move';
  const close = () => setAsked(undefined);
  return (
    <Page
      title={`${person.firstName ?? ''} ${person.lastName ?? ''}`.trim() || words.nameless}
      beside={<PersonStatus person={person} />}
      up={up}
      actions={
        <>
          {possible.filter(hasButton).map((action) => (
            <Button
              key={action}
              variant={action === 'edit' ? undefined : 'default'}
              onClick={() => setAsked(action)}
            >
              {words[action]}
            </Button>
          ))}
          {may(...WRITERS) && (
            <MoreActions
              email={person.email}
              possible={possible.filter((each) => !hasButton(each))}
              ask={setAsked}
            />
          )}
        </>
      }
    >
      {isActive && isClosed && <p className="notice">{partner.overNotice}</p>}
      {isActive && <Missing questions={unanswered.filter(({ needed }) => needed)} />}
      <div className="columns">
        <Stack gap={20} miw={0}>
          {isStaff && <Entry entry={entry} person={person} />}
          <Person entry={entry} />
          {isStaff && <History subject={id} zone={person.timeZone} />}
        </Stack>
        <Stack gap={20} miw={0}>
          {staff.data ? (
            <RaceDay person={staff.data} entry={entry} readOnly={!may(...WRITERS) || person.cancelled} />
          ) : (
            <Entry entry={entry} person={person} />
          )}
        </Stack>
      </div>
      {asked === 'edit' && isStaff && <EditParticipant entry={entry} onClose={close} />}
      {asked === 'edit' && !isStaff && (
        <FillInParticipant
          entry={entry}
          unanswered={fillable}
          domain={place?.settings.domainRestriction}
          onClose={close}
        />
      )}
      {asked === 'move' && <MoveParticipant entry={entry} onClose={close} />}
      {asked === 'transfer' && (
        <TransferParticipant entry={entry} domain={place?.settings.domainRestriction} onClose={close} />
      )}
      {asked === 'cancelEntry' && <CancelParticipant entry={entry} onClose={close} />}
      {asked === 'cancelBooking' && <CancelBooking entry={entry} onClose={close} />}
      {asked === 'redact' && <Redact person={person} onClose={close} />}
    </Page>
  );
}

/** What the start needs and a partner has to ask for. */
function Missing({ questions }: { questions: Unanswered[] }) {
  const { partner } = useTexts();
  if (questions.length === 0) return null;
  return (
    <div className="notice">
      <p>{partner.missingNotice}</p>
      <ul>
        {questions.map(({ id, type, label }) => (
          <li key={id}>{type === 'WAIVER' ? partner.waiver(label) : label}</li>
        ))}
      </ul>
    </div>
  );
}

interface MoreActionsProps {
  email: string | null;
  possible: Action[];
  ask(action: Action): void;
}

function MoreActions({ email, possible, ask }: MoreActionsProps) {
  const { participants, persons } = useTexts();
  if (possible.length === 0 && !email) return null;
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" rightSection={<Icon name="down" />}>
          {participants.more}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {possible.map((action) => (
          <Menu.Item key={action} onClick={() => ask(action)}>
            {participants[action]}
          </Menu.Item>
        ))}
        {email && (
          <Menu.Item component={Link} to={`/participants/person?email=${encodeURIComponent(email)}`}>
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

function Entry({ person, entry }: { person: Listed; entry: Participant }) {
  const { partners } = useTexts();
  const participants = useWords();
  const { me } = useSession();
  const { timeZone: zone } = person;
  const isStaff = me.partner === null;
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
          isStaff && [participants.tags, entry.tags.join(', ') || undefined],
          isStaff && [participants.notes, entry.notes.join('\n') || undefined],
          [participants.group, entry.reservedEntryGroupName ?? undefined],
          entry.reservedEntryPartnerName !== null && [partners.partner, entry.reservedEntryPartnerName],
          isStaff && [participants.externalBookingId, entry.externalBookingId ?? undefined],
          isStaff && [participants.externalParticipantId, entry.externalParticipantId ?? undefined],
          isStaff && [participants.id, <CopiedId key="id" id={person.id} />],
        ]}
      />
    </Card>
  );
}

function Person({ entry }: { entry: Participant }) {
  const { participants } = useTexts();
  const { me } = useSession();
  const { booker } = entry;
  return (
    <Card title={participants.answers}>
      {entry.fields.length === 0 && <p className="dim">{participants.noAnswers}</p>}
      <Answers entry={entry} />
      {!me.partner && (
        <>
          <h3>{participants.booker}</h3>
          <Facts
            facts={[
              [participants.name, `${booker.firstName ?? ''} ${booker.lastName ?? ''}`.trim() || undefined],
              [participants.email, booker.email],
            ]}
          />
        </>
      )}
    </Card>
  );
}

function Redact({ person, onClose }: { person: Listed; onClose(): void }) {
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
