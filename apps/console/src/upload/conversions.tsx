import type { Plan } from '../api';
import { Card } from '../pieces/page';
import { useTexts } from '../texts';

/** What the reading of the file changes in its values: for each column some of them, before and after. */
export function Conversions({ plan }: { plan: Plan }) {
  const { upload } = useTexts();
  const { conversions: words } = upload;
  const changed = plan.conversions.filter(({ changed: count }) => count > 0);
  if (changed.length === 0) return null;
  return (
    <Card title={words.title}>
      <div className="table-frame">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{upload.column}</th>
              <th scope="col">{words.changed}</th>
              <th scope="col">{words.examples}</th>
            </tr>
          </thead>
          <tbody>
            {changed.map(({ column, values, changed: count, changes }) => (
              <tr key={column}>
                <td data-main>
                  <strong>{column}</strong>
                </td>
                <td data-title={words.changed}>{words.of(count, values)}</td>
                <td data-title={words.examples}>
                  {changes.map(({ which, from, to }) => (
                    <div key={which}>
                      <span className="dim">{words.which[which]}:</span> {from.slice(0, 60)} →{' '}
                      {to.slice(0, 60)}
                    </div>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
