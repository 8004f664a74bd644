import { requireDatabase, requireRedis } from '#platform/database';
import { run } from '#platform/process';
import { createApi } from './create-api';

void run('api', async (settings, logs) => {
  await requireDatabase(settings);
  await requireRedis(settings);
  const app = await createApi(settings, { logs });
  await app.listen(settings.PORT, settings.HOST);
  return app;
});
