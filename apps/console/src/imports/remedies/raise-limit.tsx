import { useQuery, useQueryClient } from '@tanstack/react-query';
import { compared } from '../../api';
import { pagesOf, useSession } from '../../session';
import { useTexts } from '../../texts';
import { concernedBy } from '../rows/concerned';
import { RaiseForm } from './raise-form';
import type { RemedyProps } from './remedy-props';

/** Codes that are offered at once; the others follow when these are raised. */
const SHOWN = 5;

/** For each discount code that is used up: the limit that its rows need. */
export function RaiseLimit({ rows, fields, table }: RemedyProps) {
  const wanted = new Map<string, { bookings: number; entries: number }>();
  for (const row of rows) {
    for (const path of concernedBy(row)) {
      const text = table.textOf(row, path);
      if (!text) continue;
      const known = wanted.get(text) ?? { bookings: 0, entries: 0 };
      const entries = Math.max(1, ((row.sent?.participants as unknown[] | undefined) ?? []).length);
      wanted.set(text, { bookings: known.bookings + 1, entries: known.entries + entries });
    }
  }
  return [...wanted]
    .slice(0, SHOWN)
    .map(([text, uses]) => <Code key={text} code={fields.labelOf('discountCode', text)} uses={uses} />);
}

interface CodeProps {
  code: string;
  /** What the rows use of it, if it applies per booking or per entry. */
  uses: { bookings: number; entries: number };
}

function Code({ code, uses }: CodeProps) {
  const { rows: texts } = useTexts();
  const { api, organizationId } = useSession();
  const queries = useQueryClient();
  const key = [organizationId, 'code-limit', code];
  const { data } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const query = { search: code, 'page[size]': 500 };
      for await (const page of pagesOf(api, '/console/v1/discount-codes', { query }, signal)) {
        const found = page.data.find((each) => compared(each.code) === compared(code));
        if (found) return found;
      }
      return null;
    },
  });
  if (data?.limitUsage == null) return null;
  const { id, usageCount, limitUsage, appliesPer } = data;
  const missing = appliesPer === 'ENTRY' ? uses.entries : uses.bookings;
  return (
    <RaiseForm
      label={texts.limitOf(data.code)}
      description={texts.limitUsed(usageCount, limitUsage, missing)}
      limit={limitUsage}
      needed={usageCount + missing}
      raise={async (to) => {
        const path = { id };
        await api.patch('/console/v1/discount-codes/{id}', { params: { path }, body: { limitUsage: to } });
        await queries.invalidateQueries({ queryKey: key });
      }}
    />
  );
}
