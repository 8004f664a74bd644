import { EventEmitter } from 'node:events';
import { Logger } from '@nestjs/common';
import pg from 'pg';
import type { Database } from '#platform/database';
import { AccessChanges } from './access-changes';

/** The connections that were opened, in order. */
const opened: EventEmitter[] = [];

beforeEach(() => {
  opened.length = 0;
  jest.useFakeTimers();
  jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  jest.spyOn(pg, 'Client').mockImplementation(() => {
    const client = Object.assign(new EventEmitter(), {
      connect: async () => {},
      query: async () => {},
      end: async () => void client.emit('end'),
    });
    opened.push(client);
    return client as unknown as pg.Client;
  });
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

const changesOf = (nodes?: object, database: object = { pool: { options: {} } }) =>
  new AccessChanges(Object.assign(database, { nodes }) as unknown as Database);

describe('a lost connection', () => {
  it('is opened again, and whatever was cached is forgotten', async () => {
    const changes = changesOf();
    const heard = jest.fn();
    changes.subscribe(heard);
    await changes.onModuleInit();
    heard.mockClear();
    opened[0]?.emit('end');
    await jest.runOnlyPendingTimersAsync();
    expect(opened).toHaveLength(2);
    expect(heard.mock.calls).toEqual([[undefined], [undefined]]);
    await changes.onApplicationShutdown();
  });

  it('is retried without an error after the pool is closed, which a shutdown does first', async () => {
    const database = { pool: { options: {} } as object | undefined };
    const changes = changesOf(undefined, database);
    await changes.onModuleInit();
    database.pool = undefined;
    opened[0]?.emit('end');
    await jest.runOnlyPendingTimersAsync();
    expect(opened).toHaveLength(2);
    await changes.onApplicationShutdown();
  });

  it('is not opened again after the shutdown', async () => {
    const changes = changesOf();
    await changes.onModuleInit();
    opened[0]?.emit('end');
    await changes.onApplicationShutdown();
    await jest.runOnlyPendingTimersAsync();
    expect(opened).toHaveLength(1);
  });
});

describe('after the shutdown, no connection is opened', () => {
  it('to a node that is added then', async () => {
    let changed = (_addresses: string[]) => {};
    const changes = changesOf({
      urlOf: (address: string) => `postgresql://${address}`,
      addresses: async () => [],
      onChange: (listen: typeof changed) => {
        changed = listen;
      },
    });
    await changes.onModuleInit();
    await changes.onApplicationShutdown();
    changed(['10.0.0.7:5432']);
    expect(opened).toEqual([]);
  });

  it('by a process that is stopped before it has started', async () => {
    const changes = changesOf();
    await changes.onApplicationShutdown();
    await changes.onModuleInit();
    expect(opened).toEqual([]);
  });
});
