import type { DataSource } from 'typeorm';
import type { Answer } from '../harness';

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;

const ALL = `string_agg(to_jsonb(t)::text, E'\\n' ORDER BY to_jsonb(t)::text)`;
/** A worker replaces deltas by their sum, modulo 2^62, concurrently. */
const SUM = '(sum(delta) % (2::numeric ^ 62))::text';

/** All data of an organization in the database, as text, by table. */
export async function rowsOf(
  dataSource: DataSource,
  organizationId: string,
): Promise<Record<string, string>> {
  const tables: { name: string }[] = await dataSource.query(
    `SELECT c.table_name AS name FROM information_schema.columns c
     JOIN information_schema.tables t USING (table_schema, table_name)
     -- A worker deletes race-day tasks concurrently, and an api process logs the requests of the test.
     WHERE c.column_name = 'organization_id' AND c.table_name NOT IN ('race_day_tasks', 'request_log') AND t.table_schema = 'public' AND t.table_type = 'BASE TABLE'
     ORDER BY 1`,
  );
  const rows: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await dataSource.query(
      `SELECT ${name === 'organization_versions' ? SUM : ALL} AS text FROM ${name} t WHERE organization_id = $1`,
      [organizationId],
    );
    rows[name] = row.text ?? '';
  }
  return rows;
}

/**
 * Searches responses to other organizations for data of an organization: its mark and its ids.
 *
 * @param mark text that all texts of the organization contain
 */
export class Stranger {
  private constructor(
    private readonly mark: string,
    private readonly ids: string[],
  ) {}

  static async of(dataSource: DataSource, organizationId: string, mark: string): Promise<Stranger> {
    const rows = Object.values(await rowsOf(dataSource, organizationId)).join('\n');
    return new Stranger(mark, [...new Set([organizationId, ...(rows.match(ID) ?? [])])]);
  }

  /** @param sent the request, which a response may repeat */
  tracesIn({ text, headers }: Answer, sent = ''): string[] {
    const said = `${text}\n${[...headers].map((header) => header.join(': ')).join('\n')}`.toLowerCase();
    return this.partsOf(said).filter((part) => !sent.includes(part));
  }

  /** The data of the organization in a text. */
  partsOf(text: string): string[] {
    return [this.mark, ...this.ids].filter((part) => text.includes(part));
  }
}
