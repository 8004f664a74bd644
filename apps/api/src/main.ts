import { requireDatabase, requireRedis } from '#platform/database';
import { limitHeapGrowth, run } from '#platform/process';
import { createApi } from './create-api';

/** Of what was in use after the last collection. Less saves memory and costs CPU. */
const HEAP_GROWTH_PERCENT = 100;

void run('api', async (settings, logs) => {
  limitHeapGrowth(HEAP_GROWTH_PERCENT);
  await requireDatabase(settings);
  await requireRedis(settings);
  const app = await createApi(settings, { logs });
  await app.listen(settings.PORT, settings.HOST);
  return app;
});
