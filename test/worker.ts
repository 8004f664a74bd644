import type { INestApplicationContext } from '@nestjs/common';
import { loadSettings } from '#libs/config';
import { SIGNING_SECRETS } from '#libs/testing';
import { createWorker } from '../apps/worker/src/create-worker';
import type { TestApi } from './harness';

/** A worker for an api's database, in this process; close() it before the api. */
export const startWorker = (
  api: Pick<TestApi, 'databaseUrl'>,
  environment: Record<string, string> = {},
): Promise<INestApplicationContext> =>
  createWorker(
    loadSettings({
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      DATABASE_URL: api.databaseUrl,
      SIGNING_SECRETS: SIGNING_SECRETS.map(({ kid, secret }) => `${kid}:${secret}`).join(','),
      SWEEP_MS: '200',
      UPKEEP_MS: '200',
      ...environment,
    }),
  );
