import { Button, Select, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { useQuestionsOf } from '../participants/edit/use-questions';
import { ExportMenu, ExportProblem, useExport } from '../participants/export-participants';
import { isCancelled, listed } from '../participants/listed';
import { PersonName } from '../participants/participants-page';
import { Badge, type Column, Dash, Empty, Page, Problem, SearchField, Table, useFilters } from '../pieces';
import { useSession } from '../session';
import { useTexts } from '../texts';
import { missingOf } from './missing-of';
import { useOccurrencesOfPartner } from './use-places';
import { useRunners } from './use-runners';

const SHOWN = 50;
const STATES = ['open', 'complete', 'cancelled'] as const;
type State = (typeof STATES)[number];

type Runner = ReturnType<typeof listed> & {
  missing: string[];
  state: State | undefined;
  group: string | null;
  partner: string | null;
};

/** The runners of the partner and its sub-partners, with what is missing. */
export function RunnersPage() {
  const { partner, participants, number } = useTexts();
  const { me } = useSession();
  const { filters, set } = useFilters(['eventOccurrenceId', 'state', 'q'] as const);
  const { eventOccurrenceId, state, q = '' } = filters;
  const search = q.toLowerCase();
  const [shown, setShown] = useState(SHOWN);
  const occurrences = useOccurrencesOfPartner();
  const { data, error, refetch } = useRunners(eventOccurrenceId);
  const exporting = useExport({ eventOccurrenceId });
  const questions = useQuestionsOf(data?.items.map(({ ticketId }) => ticketId) ?? []).of;
  const all: Runner[] | undefined = data?.items.map((runner) => {
    const cancelled = isCancelled(runner);
    const asked = questions.get(runner.ticketId);
    const missing = cancelled || runner.gdprRedacted || !asked ? [] : missingOf(runner, asked);
    return {
      ...listed(runner),
      missing,
      state: cancelled ? 'cancelled' : asked && (missing.length > 0 ? 'open' : 'complete'),
      group: runner.reservedEntryGroupName,
      partner: runner.reservedEntryPartnerName,
    };
  });
  const found = all?.filter(
    (runner) =>
      (state ? runner.state === state : runner.state !== 'cancelled') &&
      search
        .split(/\s+/)
        .every((word) =>
          [runner.firstName, runner.lastName, runner.email, runner.bibNumber].some((text) =>
            text?.toLowerCase().includes(word),
          ),
        ),
  );
  const open = all?.filter((runner) => runner.state === 'open').length ?? 0;
  const withPartner = all?.some((runner) => runner.partner !== me.partner?.name);
  const columns: Column<Runner>[] = [
    {
      title: participants.name,
      main: true,
      cell: (runner) => (
        <Link className="row-link" to={`/runners/${runner.id}`}>
          <PersonName person={runner} />
        </Link>
      ),
    },
    { title: participants.email, cell: ({ email }) => email },
    {
      title: participants.group,
      cell: (runner) => (
        <>
          {runner.group}
          {withPartner && <div className="dim">{runner.partner}</div>}
        </>
      ),
    },
    {
      title: participants.ticket,
      cell: ({ eventTitle, raceTitle, ticketTitle }) => (
        <>
          {`${raceTitle}: ${ticketTitle}`}
          {!eventOccurrenceId && <div className="dim">{eventTitle}</div>}
        </>
      ),
    },
    { title: participants.bib, cell: ({ bibNumber }) => bibNumber },
    { title: partner.missing, cell: (runner) => <Missing runner={runner} /> },
  ];
  return (
    <Page
      title={partner.runners}
      beside={open > 0 && <Badge tone="warn">{partner.incomplete(open)}</Badge>}
      actions={<ExportMenu exporting={exporting} disabled={false} />}
    >
      <ExportProblem exporting={exporting} />
      <search className="filters">
        <SearchField
          label={partner.search}
          placeholder={partner.searchPlaceholder}
          value={q}
          name="q"
          set={set}
        />
        <Select
          aria-label={participants.event}
          placeholder={participants.anyEvent}
          searchable
          clearable
          data={(occurrences.all ?? []).map(({ id, title, startDate }) => ({
            value: id,
            label: `${title}, ${startDate}`,
          }))}
          value={eventOccurrenceId ?? null}
          onChange={(value) => set({ eventOccurrenceId: value })}
        />
        <Select
          aria-label={participants.status}
          placeholder={partner.anyRunner}
          clearable
          data={STATES.map((value) => ({ value, label: partner.states[value] }))}
          value={state ?? null}
          onChange={(value) => set({ state: value })}
        />
      </search>
      {error && <Problem error={error} retry={() => void refetch()} />}
      <VisuallyHidden component="p" role="status">
        {found && number(found.length)}
      </VisuallyHidden>
      {data && data.total > data.items.length && (
        <p className="notice">{partner.tooMany(data.items.length, data.total)}</p>
      )}
      {found?.length === 0 ? (
        <Empty title={all?.length === 0 ? partner.noRunners : participants.noneFound}>
          {all?.length === 0 ? partner.noRunnersAdvice : partner.noneFoundAdvice}
        </Empty>
      ) : (
        <Table caption={partner.runners} columns={columns} rows={found?.slice(0, shown)} expected={12} />
      )}
      {found !== undefined && found.length > shown && (
        <Button mr="auto" variant="subtle" onClick={() => setShown(shown + SHOWN)}>
          {partner.showMore(found.length - shown)}
        </Button>
      )}
    </Page>
  );
}

const NAMED = 2;

function Missing({ runner: { state, missing } }: { runner: Runner }) {
  const { partner, participants } = useTexts();
  if (state === undefined) return <Dash />;
  if (state === 'cancelled') return <Badge tone="bad">{participants.cancelled}</Badge>;
  if (missing.length === 0) return <Badge tone="good">{partner.states.complete}</Badge>;
  const named = missing.slice(0, NAMED).join(', ');
  return (
    <span className="missing" title={missing.join('\n')}>
      <Badge tone="warn">{missing.length}</Badge>{' '}
      {missing.length > NAMED ? partner.andMore(named, missing.length - NAMED) : named}
    </span>
  );
}
