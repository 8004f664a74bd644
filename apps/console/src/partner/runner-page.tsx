import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Participant } from '../api';
import { Answers } from '../participants/answers';
import { useQuestionsOf } from '../participants/edit/use-questions';
import { isCancelled, listed } from '../participants/listed';
import { PersonName, PersonStatus } from '../participants/participants-page';
import { Card, Facts, Page, Time } from '../pieces';
import { useGet } from '../session';
import { useTexts } from '../texts';
import { GiveBack, ReplaceRunner } from './change-runner';
import { missingOf } from './missing-of';
import { isOver, useOccurrencesOfPartner, usePlaces } from './use-places';

const OFTEN_MS = 10_000;

/** One runner: the place, the answers, and what is missing. The place can be given to another person, or back. */
export function RunnerPage({ id }: { id: string }) {
  const { partner, participants, partners } = useTexts();
  const [asked, setAsked] = useState<'replace' | 'giveBack'>();
  const { data: runner, error } = useGet(
    ['partner', 'runner', id],
    '/v0/participants/{id}',
    { path: { id } },
    { refetchInterval: OFTEN_MS },
  );
  const group = useGroupOf(runner);
  const questions = useQuestionsOf(runner ? [runner.ticketId] : []).of.get(runner?.ticketId ?? '') ?? [];
  const up = { to: '/runners', text: partner.runners };
  if (!runner) return <Page title={partner.runner} up={up} error={error} />;
  const person = listed(runner);
  const isActive = !person.cancelled && !runner.gdprRedacted;
  const missing = isActive ? missingOf(runner, questions) : [];
  const over = group !== undefined && isOver(group);
  const canGiveBack = group?.settings.canPartnerCancel !== false;
  const name = `${person.firstName ?? ''} ${person.lastName ?? ''}`.trim();
  return (
    <Page
      title={name || participants.nameless}
      beside={<PersonStatus person={person} />}
      up={up}
      actions={
        isActive &&
        !over && (
          <>
            {canGiveBack && (
              <Button variant="default" onClick={() => setAsked('giveBack')}>
                {partner.giveBack}
              </Button>
            )}
            <Button variant="default" onClick={() => setAsked('replace')}>
              {partner.replace}
            </Button>
          </>
        )
      }
    >
      {isActive && over && <p className="notice">{partner.overNotice}</p>}
      {missing.length > 0 && (
        <div className="notice">
          <p>{partner.missingNotice}</p>
          <ul>
            {missing.map((label) => (
              <li key={label}>{label}</li>
            ))}
          </ul>
        </div>
      )}
      <div className="columns">
        <Card title={participants.answers}>
          <Answers entry={runner} />
        </Card>
        <Card title={partner.place}>
          <Facts
            facts={[
              [participants.event, runner.eventName],
              [participants.race, runner.raceName],
              [participants.ticket, runner.ticketTitle],
              [participants.group, runner.reservedEntryGroupName],
              [partners.partner, runner.reservedEntryPartnerName],
              [participants.bib, runner.bibNumber],
              [participants.wave, runner.waves[0]?.title],
              [participants.createdAt, <Time key="at" at={runner.createdAt} />],
            ]}
          />
        </Card>
      </div>
      {asked === 'replace' && (
        <ReplaceRunner
          runner={runner}
          domain={group?.settings.domainRestriction ?? null}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked === 'giveBack' && (
        <GiveBack runner={runner} name={<PersonName person={person} />} onClose={() => setAsked(undefined)} />
      )}
    </Page>
  );
}

/** The group of the runner's place. Entries name it, and only names within an occurrence can be compared. */
function useGroupOf(runner: Participant | undefined) {
  const { all } = useOccurrencesOfPartner();
  const occurrence = all?.filter(({ id }) => id === runner?.eventOccurrenceId);
  const { places } = usePlaces(occurrence);
  const named = places?.filter(({ group }) => group.name === runner?.reservedEntryGroupName) ?? [];
  return named.length === 1 && runner && !isCancelled(runner) ? named[0]?.group : undefined;
}
