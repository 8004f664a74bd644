import { useTexts } from '../../texts';

interface Reason {
  code: string;
  rows: number;
}

/** The most frequent first. */
export function reasonsOf(rows: readonly { code: string }[]): Reason[] {
  const counts = new Map<string, number>();
  for (const { code } of rows) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts].map(([code, count]) => ({ code, rows: count })).sort((a, b) => b.rows - a.rows);
}

interface ReasonsProps {
  failures: Reason[];
  count: number;
  code: string | undefined;
  onCode(code: string | null): void;
}

/** The reasons, with the numbers of their rows. One is chosen, or all rows show. */
export function Reasons({ failures, count, code, onCode }: ReasonsProps) {
  const { rows, codes, number } = useTexts();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a row of buttons
    <div className="reasons" role="group" aria-label={rows.byCode}>
      <button type="button" aria-pressed={!code} onClick={() => onCode(null)}>
        {rows.all(count)}
      </button>
      {failures.map((each) => (
        <button
          key={each.code}
          type="button"
          aria-pressed={code === each.code}
          title={each.code}
          onClick={() => onCode(code === each.code ? null : each.code)}
        >
          {codes[each.code] ?? each.code} <span>{number(each.rows)}</span>
        </button>
      ))}
    </div>
  );
}
