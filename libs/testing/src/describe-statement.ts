import type { Client, FieldDef } from 'pg';

/** What PostgreSQL says about a statement, without executing it. */
export interface Description {
  /** The types of the parameters, as object ids. */
  parameters: number[];
  columns: Pick<FieldDef, 'name' | 'dataTypeID' | 'tableID' | 'columnID'>[];
}

/** The parts of pg's protocol connection that are used here; its types don't name them. */
interface Wire {
  parse(parsed: { text: string }): void;
  describe(described: { type: 'S' }): void;
  sync(): void;
  once(event: 'parameterDescription', listener: (message: { dataTypeIDs: number[] }) => void): void;
}

/** Lets PostgreSQL parse and describe a statement (the extended query protocol's Parse and Describe). */
export function describeStatement(client: Client, text: string): Promise<Description> {
  return new Promise((resolve, reject) => {
    const description: Description = { parameters: [], columns: [] };
    client.query({
      submit(wire: Wire) {
        wire.once('parameterDescription', ({ dataTypeIDs }) => {
          description.parameters = dataTypeIDs;
        });
        wire.parse({ text });
        wire.describe({ type: 'S' });
        wire.sync();
      },
      handleRowDescription: ({ fields }: { fields: Description['columns'] }) => {
        description.columns = fields;
      },
      handleError: reject,
      handleReadyForQuery: () => resolve(description),
    } as never);
  });
}
