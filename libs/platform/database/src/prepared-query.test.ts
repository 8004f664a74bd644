import { setImmediate as turnOfLoop } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import { execute } from './prepared-query';

/** A connection that receives rows of this many bytes while it is not paused, and notes how many bytes each turn of the event loop had. */
function connection(rowBytes: number, rows: number) {
  const turns: number[] = [];
  let isPaused = false;
  const stream = {
    cork: () => {},
    uncork: () => {},
    pause: () => {
      isPaused = true;
    },
    resume: () => {
      isPaused = false;
    },
  };
  const nothing = () => {};
  const wire = {
    stream,
    parsedStatements: {},
    parse: nothing,
    bind: nothing,
    describe: nothing,
    close: nothing,
  };
  const query = async (
    submitted: {
      submit(wire: unknown): void;
      handleRowDescription(message: { fields: unknown[] }): void;
      handleDataRow(message: { fields: string[]; length: number }): void;
      handleCommandComplete(message: { text: string }): void;
      handleReadyForQuery(): void;
      callback: unknown;
    },
    _: undefined,
    done: unknown,
  ) => {
    submitted.callback = done;
    submitted.submit({ ...wire, execute: nothing, sync: nothing });
    submitted.handleRowDescription({ fields: [] });
    for (let left = rows; left > 0; await turnOfLoop()) {
      let bytes = 0;
      for (; left > 0 && !isPaused; left--) {
        submitted.handleDataRow({ fields: ['row'], length: rowBytes });
        bytes += rowBytes;
      }
      turns.push(bytes);
    }
    submitted.handleCommandComplete({ text: `SELECT ${rows}` });
    submitted.handleReadyForQuery();
  };
  return { client: { query } as unknown as ClientBase, turns };
}

describe('a prepared statement with many rows', () => {
  it.each([
    [100, 20_000],
    [30_000, 500],
    [200_000, 10],
  ])('gives other connections a turn after 256 KB of rows of %i bytes', async (rowBytes, rows) => {
    const { client, turns } = connection(rowBytes, rows);
    const { rows: received } = await execute(client, { name: 'a', text: 'SELECT', rowMode: 'text' });
    expect(received).toHaveLength(rows);
    expect(Math.max(...turns)).toBeLessThan(262_144 + rowBytes);
  });

  it('pauses no connection for a few rows', async () => {
    const { client, turns } = connection(1_000, 20);
    await execute(client, { name: 'a', text: 'SELECT', rowMode: 'text' });
    expect(turns).toEqual([20_000]);
  });
});
