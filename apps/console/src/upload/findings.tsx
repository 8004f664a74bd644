import { Button } from '@mantine/core';
import type { Mistake, Plan } from '../api';
import { saveFile } from '../pieces/save-file';
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
      <div className="table-frame">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{upload.column}</th>
              <th scope="col">{findings.what}</th>
              <th scope="col">{findings.rows}</th>
              <th scope="col">{findings.lines}</th>
            </tr>
          </thead>
          <tbody>
            {found.map(({ column, code, lines, example }) => (
              <tr key={`${code}/${column}`}>
                <td data-main>
                  <strong>{column || '–'}</strong>
                </td>
                <td className="finding" title={example}>
                  {findings.codes[code]}
                  <br />
                  <span className="dim">{example}</span>
                </td>
                <td data-title={findings.rows}>{number(lines.length)}</td>
                <td data-title={findings.lines}>
                  {lines.slice(0, LINES).join(', ')}
                  {lines.length > LINES && ' …'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Button variant="default" size="xs" onClick={() => saveFile('findings.csv', 'text/csv', onDownload())}>
        {findings.download}
      </Button>
    </div>
  );
}
