import { setTimeout as sleep } from 'node:timers/promises';
import { ACCEPTED } from '../webhooks/receiver';
import type { SyncedCopy } from './copy';
import type { Fleet } from './fleet';

type Heal = () => Promise<void> | void;

/** So much longer, PostgreSQL ends the transactions of a process that is frozen. */
const FROZEN_MS = 3_000;
/** A pool closes connections that were idle for 10 s. Until then, a request can get one that was lost. */
const IDLE_MS = 11_000;

/** Each begins a fault, and returns what heals it. */
export type Faults = Record<string, (which: number) => Promise<Heal> | Heal>;

/** The faults that are possible here, and those that are not, with the reason. */
export function faultsOf(fleet: Fleet, copy: SyncedCopy): { possible: Faults; skipped: string[] } {
  const kill = (app: 'api' | 'worker') => async (which: number) => {
    await fleet.program(app, which).program?.kill();
    return () => fleet.restart(app, which);
  };
  const freeze = (app: 'api' | 'worker') => (which: number) => {
    const { program } = fleet.program(app, which);
    program?.signal('SIGSTOP');
    return async () => {
      await sleep(FROZEN_MS);
      program?.signal('SIGCONT');
    };
  };
  const network = (name: 'toPostgres' | 'toRedis', mode: 'slow' | 'stalled') => () => {
    const proxy = fleet[name];
    if (proxy) proxy.mode = mode;
    return () => {
      if (proxy?.mode === mode) proxy.mode = 'open';
    };
  };
  const possible: Faults = {
    'api killed': kill('api'),
    'worker killed': kill('worker'),
    'api frozen': freeze('api'),
    'worker frozen': freeze('worker'),
    'PostgreSQL killed': () => {
      fleet.postgres.kill();
      return () => fleet.restartPostgres();
    },
    'PostgreSQL frozen': () => fleet.freezePostgres(),
    'connections to PostgreSQL dropped': () => {
      fleet.toPostgres.drop();
      return () => {};
    },
    'connections to PostgreSQL lost': () => {
      fleet.toPostgres.lose();
      return () => sleep(IDLE_MS);
    },
    'connections to PostgreSQL slow': network('toPostgres', 'slow'),
    'connections to PostgreSQL stalled': network('toPostgres', 'stalled'),
  };
  possible['sync killed'] = async () => {
    await copy.kill();
    return () => copy.watch();
  };
  const { receiver } = fleet;
  possible['webhook receiver fails'] = () => {
    receiver.answer(500);
    return () => receiver.answer(ACCEPTED);
  };
  const skipped: string[] = [];
  const { redis, toRedis } = fleet;
  if (redis && toRedis) {
    Object.assign(possible, {
      'Redis killed, with its data': async () => {
        await redis.stop();
        return () => redis.start();
      },
      'connections to Redis dropped': () => {
        toRedis.drop();
        return () => {};
      },
      'connections to Redis lost': () => {
        toRedis.lose();
        return () => {};
      },
      'connections to Redis stalled': network('toRedis', 'stalled'),
    });
  } else skipped.push('Redis: redis-server is not installed');
  if (fleet.hasSmallDisk) {
    possible['disk full'] = () => {
      fleet.fillDisk();
      return () => fleet.emptyDisk();
    };
  } else skipped.push('disk full: only root can mount a small disk');
  return { possible, skipped };
}
