import { limitHeapGrowth, run } from '#platform/process';
import { createApi } from './create-api';

void run('api', async (settings, logs) => {
  limitHeapGrowth(settings.HEAP_GROWTH_PERCENT);
  const app = await createApi(settings, { logs });
  await app.listen(settings.PORT, settings.HOST);
  return app;
});
