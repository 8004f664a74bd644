import { Link } from 'wouter';
import type { BibPlan } from '../../api';
import { Card, type Column, Counts, Table } from '../../pieces';
import { useTexts } from '../../texts';

type Range = BibPlan['ranges'][number];
type Bib = BibPlan['examples'][number];

/** Others are columns if a range has such numbers or participants. */
const ALWAYS: ReadonlySet<string> = new Set(['assigned', 'withBib', 'numbersLeft']);

/** What a plan does: in numbers, by range, with conflicts, gaps and the first bibs. */
export function BibPlanResult({ plan }: { plan: BibPlan }) {
  const { bibs, number, participants, eventForm } = useTexts();
  const totals = [
    [participants.title, plan.participants],
    [bibs.withBib, plan.withBib],
    [bibs.assigned, plan.assigned],
    [bibs.inNoRange, plan.inNoRange],
    [bibs.inSeveralRanges, plan.inSeveralRanges],
  ] as const;
  const count = (key: keyof typeof bibs.counts): Column<Range> => ({
    title: bibs.counts[key],
    number: true,
    cell: (range) => number(range[key]),
  });
  const gaps = plan.ranges.flatMap(({ gaps }, n) => gaps.map(({ from, to }) => ({ n, from, to })));
  return (
    <>
      <Card title={eventForm.preview}>
        <Counts of={totals} />
        <Table
          caption={eventForm.preview}
          rows={plan.ranges}
          keyOf={(range) => String(plan.ranges.indexOf(range))}
          columns={[
            {
              title: bibs.rangeTitle,
              main: true,
              cell: (range) => <strong>{bibs.range(plan.ranges.indexOf(range) + 1)}</strong>,
            },
            {
              title: bibs.numbers,
              cell: ({ first, last }) => (first ? `${first} – ${last}` : undefined),
            },
            ...(Object.keys(bibs.counts) as (keyof typeof bibs.counts)[])
              .filter((key) => ALWAYS.has(key) || plan.ranges.some((range) => range[key] > 0))
              .map(count),
          ]}
        />
        {gaps.length > 0 && (
          <p className="dim">
            {bibs.gaps} {gaps.map(({ from, to }) => (from === to ? from : `${from}–${to}`)).join(', ')}
          </p>
        )}
      </Card>
      {plan.conflicts.length > 0 && (
        <Card title={bibs.conflicts}>
          <p className="dim">{bibs.conflictsHelp}</p>
          <Bibs caption={bibs.conflicts} bibs={plan.conflicts} />
        </Card>
      )}
      {plan.examples.length > 0 && (
        <Card title={bibs.examples}>
          <Bibs caption={bibs.examples} bibs={plan.examples} />
        </Card>
      )}
    </>
  );
}

function Bibs({ caption, bibs: rows }: { caption: string; bibs: Bib[] }) {
  const { bibs, participants } = useTexts();
  return (
    <Table
      caption={caption}
      rows={rows}
      keyOf={({ participantId, bibNumber }) => `${participantId} ${bibNumber}`}
      columns={[
        { title: participants.bib, main: true, cell: ({ bibNumber }) => <strong>{bibNumber}</strong> },
        {
          title: participants.name,
          cell: ({ participantId, firstName, lastName }) => (
            <Link to={`/participants/${participantId}`}>
              {[firstName, lastName].filter(Boolean).join(' ') || bibs.nameless}
            </Link>
          ),
        },
        { title: bibs.rangeTitle, cell: ({ range }) => bibs.range(range + 1) },
      ]}
    />
  );
}
