import { useState } from 'react';
import { Badge, Card, type Column, Dash, Pager, Table, Time, type Tone, useDay } from '../../pieces';
import { useTexts } from '../../texts';
import { placeOf } from '../edit/editing';
import { Shown } from '../edit/meanwhile';
import type { Field } from '../edit/shapes';
import type { Written } from './use-upload';

const TONES: Record<Written['outcome'], Tone> = { CREATED: 'good', CHANGED: 'busy', UNCHANGED: 'plain' };
const SIZE = 50;

interface Change {
  of: Written;
  place: number;
  what: string;
  field: Field | undefined;
  before: unknown;
  after: unknown;
  isAmount: boolean;
}

/** What becomes of the records of a file: every value that changes, before and after. */
export function Changes({ title, of }: { title: string; of: Written[] }) {
  const { uploadEvents: words } = useTexts();
  const [at, setAt] = useState(0);
  const changesOf = useChanges();
  const count = (outcome: Written['outcome']) => of.filter((each) => each.outcome === outcome).length;
  const all = of.flatMap(changesOf);
  const left = of.reduce((sum, { changeCount, changes }) => sum + changeCount - changes.length, 0);
  const columns: Column<Change>[] = [
    {
      title: words.record,
      main: true,
      cell: ({ of: { name, record, outcome }, place }) =>
        place === 0 ? (
          <>
            <strong>{name}</strong> <Badge tone={TONES[outcome]}>{words.outcomes[outcome]}</Badge>
            <div className="dim">{words.kinds[record]}</div>
          </>
        ) : (
          <span className="dim">{name}</span>
        ),
    },
    { title: words.value, cell: ({ what }) => what },
    { title: words.before, cell: (change) => <Value {...change} value={change.before} /> },
    { title: words.after, cell: (change) => <Value {...change} value={change.after} /> },
  ];
  return (
    <Card title={title}>
      <p role="status">{words.counts(count('CREATED'), count('CHANGED'), count('UNCHANGED'))}</p>
      {all.length > 0 && (
        <Table
          caption={title}
          columns={columns}
          rows={all.slice(at, at + SIZE)}
          keyOf={({ of: { record, name }, place }) => `${record} ${name} ${place}`}
        />
      )}
      {left > 0 && <p className="dim">{words.more(left)}</p>}
      <Pager
        page={{
          prev: at > 0 ? String(at - SIZE) : '',
          next: at + SIZE < all.length ? String(at + SIZE) : '',
          totalResults: all.length,
        }}
        stale={false}
        go={({ after, before }) => setAt(Number(after ?? before))}
      />
    </Card>
  );
}

function useChanges(): (of: Written) => Change[] {
  const { uploadEvents: words, eventForm } = useTexts();
  return (of) =>
    of.changes.map(({ path, of: within, before, after }, place) => {
      const { field, rest } = placeOf([{ record: of.record }], `records[0].${path}`);
      const name = words.values[rest] ?? (field ? eventForm.fields[field.name] : rest);
      return {
        ...{ of, place, field, before: parsed(before), after: parsed(after) },
        what: [within, name].filter(Boolean).join(' › '),
        isAmount: field?.input.kind === 'price' && rest.endsWith('.value'),
      };
    });
}

/** Long values are cut off, and are no JSON. */
function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return text;
  }
}

function Value({ field, isAmount, value }: Pick<Change, 'field' | 'isAmount'> & { value: unknown }) {
  const { eventForm, participants, locale } = useTexts();
  const day = useDay();
  const { input } = field ?? {};
  if (value === null) return <Dash />;
  if (typeof value === 'boolean') return value ? participants.yes : participants.no;
  if (isAmount) return (Number(value) / 100).toLocaleString(locale, { minimumFractionDigits: 2 });
  if (typeof value === 'number') return value.toLocaleString(locale);
  if (typeof value !== 'string') return <Shown value={value} />;
  if (input?.kind === 'date') return day(value);
  if (input?.kind === 'instant') return <Time at={value} />;
  if (input?.kind === 'choice')
    return (eventForm.choices[input.of] as Record<string, string>)[value] ?? value;
  return value;
}
