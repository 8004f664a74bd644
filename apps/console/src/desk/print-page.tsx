import { Button, MultiSelect, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useAllQuestions } from '../participants/edit/use-questions';
import { Empty, Icon, Page, Problem, useFilters } from '../pieces';
import { readAll, useSession } from '../session';
import { useTexts } from '../texts';
import { CheckInList } from './check-in-list';
import { AddressLabels, BibLabels } from './labels';
import { inOrder, wavesOf } from './print-order';
import { useRaces } from './use-races';

const KINDS = ['list', 'bibs', 'addresses'] as const;
type Kind = (typeof KINDS)[number];

/** More would be a document that nobody prints at once: choose a wave. */
const MOST = 5_000;
const PAGE_SIZE = 500;

/** Lists and labels of a race, to print: what is below the choices is what comes out of the printer. */
export function PrintPage() {
  const { desk, participants, locale, number } = useTexts();
  const { api, organizationId, me } = useSession();
  const { filters, set } = useFilters(['kind', 'event', 'race', 'wave', 'lines'] as const);
  const { event, race: raceId, wave: waveId, lines } = filters;
  const kinds = KINDS.filter((kind) => kind !== 'addresses' || me.role !== 'RACE_DAY');
  const kind = kinds.find((each) => each === filters.kind) ?? 'list';
  const { races, events, error } = useRaces();
  const race = races.find(({ id }) => id === raceId);
  const labels = new Map(useAllQuestions(kind === 'addresses').map(({ key, label }) => [key, label]));
  const answers = kind === 'addresses' ? lines : undefined;
  const query = { waveId, answers, 'page[size]': PAGE_SIZE };
  const list = useQuery({
    queryKey: [organizationId, 'print', raceId, query],
    queryFn: ({ signal }) =>
      readAll(
        api,
        '/console/v1/races/{id}/start-list',
        { path: { id: raceId ?? '' }, query },
        { signal, most: MOST },
      ),
    enabled: Boolean(raceId),
  });
  const people = useMemo(() => inOrder(list.data?.items ?? [], locale), [list.data, locale]);
  const isCut = (list.data?.total ?? 0) > MOST;
  return (
    <Page
      section="desk"
      actions={
        <Button
          leftSection={<Icon name="print" />}
          disabled={people.length === 0}
          onClick={() => globalThis.print()}
        >
          {desk.print}
        </Button>
      }
    >
      <div className="filters screen-only">
        <Select
          aria-label={desk.printKind}
          data={kinds.map((value) => ({ value, label: desk.printKinds[value] }))}
          value={kind}
          onChange={(value) => set({ kind: value as Kind })}
        />
        <Select
          aria-label={participants.event}
          placeholder={participants.event}
          searchable
          limit={100}
          data={events}
          value={event ?? race?.eventOccurrenceId ?? null}
          onChange={(value) => {
            const [first] = races.filter(({ eventOccurrenceId }) => eventOccurrenceId === value);
            set({ event: value, race: first?.id ?? null, wave: null });
          }}
        />
        <Select
          aria-label={participants.race}
          placeholder={participants.race}
          disabled={!event && !race}
          data={races
            .filter(({ eventOccurrenceId }) => eventOccurrenceId === (event ?? race?.eventOccurrenceId))
            .map(({ id, title }) => ({ value: id, label: title }))}
          value={raceId ?? null}
          onChange={(value) => set({ race: value, wave: null })}
        />
        <Select
          aria-label={participants.wave}
          placeholder={desk.everyWave}
          clearable
          disabled={!race || race.waves.length === 0}
          data={race?.waves.map(({ id, title }) => ({ value: id, label: title })) ?? []}
          value={waveId ?? null}
          onChange={(value) => set({ wave: value })}
        />
        {kind === 'addresses' && (
          <MultiSelect
            aria-label={desk.lines}
            placeholder={lines ? undefined : desk.lines}
            searchable
            maxValues={10}
            data={[...labels].map(([value, label]) => ({ value, label }))}
            value={lines?.split(',') ?? []}
            onChange={(keys) => set({ lines: keys.join(',') })}
          />
        )}
      </div>
      {(error ?? list.error) && <Problem error={(error ?? list.error) as Error} />}
      {isCut && <p className="notice screen-only">{desk.tooManyToPrint(number(MOST))}</p>}
      {!raceId && <Empty title={desk.nothingToPrint}>{desk.chooseRace}</Empty>}
      {raceId && list.data && people.length === 0 && (
        <Empty title={desk.nobodyToPrint}>{desk.nobodyToPrintAdvice}</Empty>
      )}
      {race && people.length > 0 && (
        <div className="sheet">
          {kind === 'list' && <CheckInList race={race} waves={wavesOf(people)} />}
          {kind === 'bibs' && <BibLabels race={race} people={people} />}
          {kind === 'addresses' && <AddressLabels people={people} />}
        </div>
      )}
    </Page>
  );
}
