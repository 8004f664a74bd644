import { importsSurvive } from './import-faults';

describe('imports on PostgreSQL alone survive', () =>
  importsSurvive({ withRedis: false, kills: true, pauses: false }));
