import { Button } from '@mantine/core';
import type { Mistake, Plan } from '../api';
import { saveFile, Table } from '../pieces';
import { useTexts } from '../texts';

const LINES = 6;

interface Found {
  column: string;
  code: Mistake['code'];
  lines: number[];
  example: string;
}

/** The mistakes by column and kind, those of most rows first. */
function foundIn({ failed }: Plan): Found[] {
  const found = new Map<string, Found>();
  for (const { row, mistakes } of failed) {
    for (const { code, column = '', message } of mistakes) {
      const key = `${code}/${column}`;
      const same = found.get(key);
      if (same) same.lines.push(row.line);
      else found.set(key, { column, code, lines: [row.line], example: message });
    }
  }
  return [...found.values()].sort((a, b) => b.lines.length - a.lines.length);
}

/** The rows that are not imported, and why: a table by column, and a file with all of them. */
export function Findings({ plan, onDownload }: { plan: Plan; onDownload(): string }) {
  const { upload, number } = useTexts();
  const found = foundIn(plan);
  if (found.length === 0) return null;
  const { findings } = upload;
  return (
    <div className="notice">
      <p>{findings.title(plan.failed.length)}</p>
      <Table
        caption={findings.title(plan.failed.length)}
        columns={[
          { title: upload.column, main: true, cell: ({ column }) => <strong>{column || '–'}</strong> },
          {
            title: findings.what,
            cell: ({ code, example }) => (
              <>
                {findings.codes[code]}
                <div className="dim">{example}</div>
              </>
            ),
          },
          { title: findings.rows, cell: ({ lines }) => number(lines.length) },
          {
            title: findings.lines,
            cell: ({ lines }) => `${lines.slice(0, LINES).join(', ')}${lines.length > LINES ? ' …' : ''}`,
          },
        ]}
        rows={found}
        keyOf={({ code, column }) => `${code}/${column}`}
      />
      <Button variant="default" size="xs" onClick={() => saveFile('findings.csv', 'text/csv', onDownload())}>
        {findings.download}
      </Button>
    </div>
  );
}
