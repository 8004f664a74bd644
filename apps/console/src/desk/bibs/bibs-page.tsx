import { Button, Group, Select } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';
import { useAllQuestions } from '../../participants/edit/use-questions';
import { useWaves } from '../../participants/edit/use-waves';
import { ChangeProgress } from '../../participants/several/change-progress';
import { Card, Confirm, Empty, Page, Problem, useFilters } from '../../pieces';
import { useSession } from '../../session';
import { useTexts } from '../../texts';
import { useTickets } from '../../upload/use-occurrences';
import { useRaces } from '../use-races';
import { BibPlanResult } from './bib-plan-result';
import { emptyRange, problemsOf, type RangeDraft, rangeOf } from './range-draft';
import { RangeFields } from './range-fields';

const MOST_RANGES = 50;

/** Gives bibs to the participants of a race: ranges, what they would do, and the job. */
export function BibsPage() {
  const { bibs, participants } = useTexts();
  const { filters, set } = useFilters(['event', 'race'] as const);
  const { event, race: raceId } = filters;
  const { races, events, error } = useRaces();
  const race = races.find(({ id }) => id === raceId);
  const occurrenceId = event ?? race?.eventOccurrenceId;
  return (
    <Page section="desk">
      <div className="filters">
        <Select
          aria-label={participants.event}
          placeholder={participants.event}
          searchable
          limit={100}
          data={events.map(({ value, label }) => ({ value, label }))}
          value={occurrenceId ?? null}
          onChange={(value) => {
            const [first] = races.filter(({ eventOccurrenceId }) => eventOccurrenceId === value);
            set({ event: value, race: first?.id ?? null });
          }}
        />
        <Select
          aria-label={participants.race}
          placeholder={participants.race}
          disabled={!occurrenceId}
          data={races
            .filter(({ eventOccurrenceId }) => eventOccurrenceId === occurrenceId)
            .map(({ id, title }) => ({ value: id, label: title }))}
          value={raceId ?? null}
          onChange={(value) => set({ race: value })}
        />
      </div>
      {error && <Problem error={error} />}
      {race ? (
        <BibPlanForm key={race.id} raceId={race.id} eventOccurrenceId={race.eventOccurrenceId} />
      ) : (
        <Empty title={bibs.nothing}>{bibs.chooseRace}</Empty>
      )}
    </Page>
  );
}

function BibPlanForm({ raceId, eventOccurrenceId }: { raceId: string; eventOccurrenceId: string }) {
  const { bibs, eventForm } = useTexts();
  const { api } = useSession();
  const [ranges, setRanges] = useState<RangeDraft[]>(() => [emptyRange()]);
  const [isChecked, setChecked] = useState(false);
  const [asked, setAsked] = useState(false);
  const [jobId, setJob] = useState<string | null>(null);
  const { tickets } = useTickets(eventOccurrenceId);
  const waves = useWaves(raceId);
  const questions = useNumberQuestions();
  const choices = { tickets: tickets.filter((each) => each.raceId === raceId), waves, questions };
  const send = (dryRun: boolean) =>
    api.post('/v0/races/{id}/bib-plan', {
      params: { path: { id: raceId } },
      body: { ranges: ranges.map(rangeOf), dryRun },
    });
  const preview = useMutation({ mutationFn: () => send(true) });
  const start = useMutation({
    mutationFn: () => send(false),
    onSuccess: ({ jobId }) => {
      setJob(jobId);
      setAsked(false);
      preview.reset();
    },
  });
  const change = (next: RangeDraft[]) => {
    setRanges(next);
    preview.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (ranges.every((range) => problemsOf(range).length === 0)) preview.mutate();
  };
  const last = Number(ranges.at(-1)?.to);
  return (
    <>
      <Card>
        <p className="dim">{bibs.help}</p>
        <form className="fields" data-wide noValidate onSubmit={submit}>
          {ranges.map((draft, n) => (
            <RangeFields
              key={draft.key}
              place={n + 1}
              draft={draft}
              choices={choices}
              problems={isChecked ? problemsOf(draft) : []}
              onChange={(changed) => change(ranges.map((each) => (each.key === draft.key ? changed : each)))}
              onRemove={
                ranges.length > 1 ? () => change(ranges.filter(({ key }) => key !== draft.key)) : undefined
              }
            />
          ))}
          {preview.error && <Problem error={preview.error} />}
          <Group gap={8}>
            <Button
              variant="default"
              disabled={ranges.length >= MOST_RANGES}
              onClick={() => {
                setChecked(false);
                change([...ranges, emptyRange(last ? last + 1 : 1)]);
              }}
            >
              {bibs.add}
            </Button>
            <Button type="submit" variant={preview.data ? 'default' : 'filled'} loading={preview.isPending}>
              {eventForm.preview}
            </Button>
            {preview.data && preview.data.assigned > 0 && (
              <Button onClick={() => setAsked(true)}>{bibs.give(preview.data.assigned)}</Button>
            )}
          </Group>
        </form>
        {jobId && <ChangeProgress jobId={jobId} show={setJob} />}
      </Card>
      {preview.data && <BibPlanResult plan={preview.data} />}
      {asked && preview.data && (
        <Confirm
          title={bibs.giveTitle(preview.data.assigned)}
          action={bibs.give(preview.data.assigned)}
          change={start}
          onClose={() => {
            start.reset();
            setAsked(false);
          }}
        >
          <p>{bibs.giveText}</p>
        </Confirm>
      )}
    </>
  );
}

/** Questions whose answers are numbers. */
function useNumberQuestions(): { value: string; label: string }[] {
  const asked = useAllQuestions();
  return useMemo(
    () =>
      asked.flatMap(({ id, type, label }) =>
        id && type === 'NUMBER' ? [{ value: id, label: `${label}` }] : [],
      ),
    [asked],
  );
}
