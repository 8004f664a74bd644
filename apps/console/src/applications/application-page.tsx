import { Stack } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { History } from '../history/history';
import { Answers } from '../participants/answers';
import { Badge, Card, CopiedId, Facts, Page, Time } from '../pieces';
import { useGet, useSession } from '../session';
import { useTexts } from '../texts';
import { DecideApplications, type Decision, DecisionButtons } from './decide';
import { STATE_TONES } from './entry-columns';

const textOf = (value: unknown): string | undefined => {
  if (value === null || value === undefined || value === '') return undefined;
  return Array.isArray(value) ? value.join(', ') : String(value);
};

/** An application: what it says, what became of it, and the decision about it. */
export function ApplicationPage({ id }: { id: string }) {
  const { applications, participants, history } = useTexts();
  const { may } = useSession();
  const [decision, setDecision] = useState<Decision>();
  const { data, error } = useGet(['applications', id], '/v0/applications/{id}', { path: { id } });
  const up = { to: '/applications', text: applications.title };
  if (!data) return <Page title={applications.application} up={up} error={error} />;
  const answerTo = (key: string) => textOf(data.fields.find((field) => field.key === key)?.value);
  const name = [answerTo('firstName'), answerTo('lastName')].filter(Boolean).join(' ');
  const isPending = data.approvalStatus === 'PENDING';
  const isCancelled = data.statusDetails.some(({ status }) => status === 'CANCELLED');
  const isDuplicate = data.statusDetails.at(-1)?.status === 'DUPLICATE';
  return (
    <Page
      title={name || participants.nameless}
      beside={
        isCancelled ? (
          <Badge tone="bad">{participants.cancelled}</Badge>
        ) : (
          <Badge tone={STATE_TONES[data.approvalStatus]}>{applications.states[data.approvalStatus]}</Badge>
        )
      }
      up={up}
      actions={
        isPending &&
        !isCancelled &&
        may('OWNER', 'MANAGER') && <DecisionButtons isDuplicate={isDuplicate} onDecide={setDecision} />
      }
    >
      <div className="columns">
        <Stack gap={20} miw={0}>
          <Card title={applications.application}>
            <Facts
              facts={[
                [
                  participants.event,
                  <Link key="event" to={`/events/${data.eventOccurrenceId}`}>
                    {data.eventName}
                  </Link>,
                ],
                [participants.race, data.raceName],
                [participants.ticket, data.ticketTitle],
                [applications.resolution, applications.resolutions[data.applicationResolutionType]],
                data.ballotDraw !== null && [applications.draw, data.ballotDraw],
                [applications.created, <Time key="created" at={data.createdAt} />],
                [participants.notes, data.notes ?? undefined],
                [participants.externalBookingId, data.externalBookingId ?? undefined],
                [participants.id, <CopiedId key="id" id={data.id} />],
              ]}
            />
          </Card>
          <Card title={participants.answers}>
            {data.fields.length === 0 ? (
              <p className="dim">{participants.noAnswers}</p>
            ) : (
              <Answers entry={data} />
            )}
          </Card>
        </Stack>
        <Stack gap={20} miw={0}>
          {data.statusDetails.length > 0 && (
            <Card title={history.title}>
              <Facts
                facts={data.statusDetails.map(({ status, reason, at }) => [
                  applications.statusOf(status),
                  <span key={at}>
                    <Time at={at} /> {reason}
                  </span>,
                ])}
              />
            </Card>
          )}
          <History subject={id} />
        </Stack>
      </div>
      {decision && (
        <DecideApplications
          decision={decision}
          which={{
            applicationIds: [id],
            entries: [{ ...data, eventTitle: data.eventName, raceTitle: data.raceName }],
          }}
          onClose={() => setDecision(undefined)}
        />
      )}
    </Page>
  );
}
