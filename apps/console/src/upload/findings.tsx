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

/** The rows that can't be read, and why, by column. If they do not become failed rows of the import, with a file of all of them. */
export function Findings({ plan, onDownload }: { plan: Plan; onDownload: (() => string) | undefined }) {
  const { upload, number } = useTexts();
  const found = foundIn(plan);
  if (found.length === 0) return null;
  const { findings } = upload;
  const save = () => saveFile('findings.csv', 'text/csv', onDownload?.() ?? '');
  const title = onDownload ? findings.title(plan.failed.length) : findings.kept(plan.unread.length);
  return (
    <div className="notice">
      <p>{title}</p>
      <Table
        caption={title}
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
      {onDownload && (
        <Button variant="default" size="xs" onClick={save}>
          {findings.download}
        </Button>
      )}
    </div>
  );
}
