import type { Plan } from '../api';
import { Card, Table } from '../pieces';
import { useTexts } from '../texts';

type Conversion = Plan['conversions'][number];

/** What the reading of the file changes in its values: for each column some of them, before and after. */
export function Conversions({ plan }: { plan: Pick<Plan, 'conversions'> }) {
  const { upload } = useTexts();
  const { conversions: words } = upload;
  const rows = plan.conversions.filter(({ changed }) => changed > 0);
  if (rows.length === 0) return null;
  return (
    <Card title={words.title}>
      <Table<Conversion>
        caption={words.title}
        columns={[
          { title: upload.column, main: true, cell: ({ column }) => <strong>{column}</strong> },
          { title: words.changed, cell: ({ changed, values }) => words.of(changed, values) },
          {
            title: words.examples,
            cell: ({ changes }) =>
              changes.map(({ which, from, to }) => (
                <div key={which}>
                  <span className="dim">{words.which[which]}:</span> {from.slice(0, 60)} → {to.slice(0, 60)}
                </div>
              )),
          },
        ]}
        rows={rows}
        keyOf={({ column }) => column}
      />
    </Card>
  );
}
