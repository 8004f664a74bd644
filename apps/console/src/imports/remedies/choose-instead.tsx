import { Select } from '@mantine/core';
import { UUID } from '../../api';
import { useTexts } from '../../texts';
import { concernedBy } from '../rows/concerned';
import type { RemedyProps } from './remedy-props';

/** Wrong values that are offered at once; the others are in the table. */
const SHOWN = 5;

interface Wrong {
  path: string;
  text: string;
  /** The places of its rows in the table. */
  places: number[];
}

/** For each wrong value that its rows share: what is meant instead. */
export function ChooseInstead({ rows, fields, table }: RemedyProps) {
  const { rows: texts } = useTexts();
  const wrong = wrongIn(rows).filter(({ path, places }) => table.choicesOf(places[0] ?? 0, path));
  if (wrong.length === 0) return null;
  return (
    <div className="tiles">
      {wrong.slice(0, SHOWN).map(({ path, text, places: [first = 0], places }) => {
        const now = rows[first] && table.textOf(rows[first], path);
        const choices = table.choicesOf(first, path) ?? [];
        return (
          <Select
            key={`${path}\n${text}\n${first}`}
            label={texts.insteadOf(
              fields.titleOf(path),
              shortened(fields.labelOf(path, text)),
              places.length,
            )}
            placeholder={texts.choose}
            searchable
            data={choices}
            value={now === text ? null : now || (choices[0]?.value ?? null)}
            onChange={(value) =>
              value && table.change(places.map((row) => ({ row, column: path, text: value.trim() })))
            }
          />
        );
      })}
    </div>
  );
}

/** An id that stands for nothing here says nothing in full. */
const shortened = (text: string): string => (UUID.test(text) ? `${text.slice(0, 8)}…` : text);

/** The values that errors are about, by event: the same name can mean another record elsewhere. Those of most rows first. */
function wrongIn(rows: RemedyProps['rows']): Wrong[] {
  const found = new Map<string, Wrong>();
  for (const [place, row] of rows.entries()) {
    for (const path of concernedBy(row)) {
      const text = row.cells[path] ?? '';
      const key = `${path}\n${text}\n${row.cells.eventOccurrenceId}`;
      const same = found.get(key);
      if (same) same.places.push(place);
      else found.set(key, { path, text, places: [place] });
    }
  }
  return [...found.values()].sort((a, b) => b.places.length - a.places.length);
}
