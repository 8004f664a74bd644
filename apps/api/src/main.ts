import { loadSettings } from '#libs/config';
import { createApi } from './create-api';

async function main(): Promise<void> {
  const settings = loadSettings();
  const app = await createApi(settings);
  await app.listen(settings.PORT, settings.HOST);
}

void main();
