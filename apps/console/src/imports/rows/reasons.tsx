import { Box } from '@mantine/core';
import { Pill, Pills } from '../../pieces';
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
    <Pills label={rows.byCode}>
      <Pill pressed={!code} onClick={() => onCode(null)}>
        {rows.all(count)}
      </Pill>
      {failures.map((each) => (
        <Pill
          key={each.code}
          pressed={code === each.code}
          title={each.code}
          onClick={() => onCode(code === each.code ? null : each.code)}
        >
          {codes[each.code] ?? each.code}{' '}
          <Box component="span" c="dimmed" ml={4}>
            {number(each.rows)}
          </Box>
        </Pill>
      ))}
    </Pills>
  );
}
