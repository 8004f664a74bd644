import { describeWithOwnRedis } from '#libs/testing';
import { importsSurvive } from './import-faults';

describeWithOwnRedis()('imports with Redis survive', () =>
  importsSurvive({ withRedis: true, kills: true, pauses: true }),
);
