import { catalogueWrites } from './catalogue-writes';
import { correctedJobs } from './corrected-jobs';
import { corrections } from './corrections';
import { failedJobs } from './jobs';
import type { Organization } from './organization';
import { keys, webhooks } from './platform';
import { pendingMessages, raceDay } from './race-day';
import { readEverything, searchMarketplace } from './reads';
import type { Sale } from './rows';
import { money, partners, places, referrals, sales } from './sales';
import { startList } from './start-list';

/** Calls every operation of keys, until every field of the interface was filled. */
export async function everything(walk: Organization): Promise<Record<string, Sale>> {
  await walk.items('/v0/change-events');
  await pendingMessages(walk);
  await failedJobs(walk);
  const partnerId = await partners(walk);
  const sold = await sales(walk, partnerId);
  await money(walk, sold.rich as Sale);
  await places(walk);
  await referrals(walk, sold);
  await raceDay(walk, sold);
  await startList(walk, partnerId);
  await corrections(walk, sold);
  await correctedJobs(walk);
  await webhooks(walk);
  await keys(walk, partnerId);
  await catalogueWrites(walk);
  await walk.command('participant', 'redact', (sold.redacted as Sale).participantIds[0] as string);
  await readEverything(walk, sold);
  await searchMarketplace(walk);
  return sold;
}
