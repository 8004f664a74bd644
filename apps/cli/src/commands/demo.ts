import { InvalidArgumentError } from 'commander';
import { SecretBox } from '#domain/webhooks';
import { DEFAULT_PARTICIPANTS, loadDemo } from '../demo/load-demo';
import { tableOf } from '../table';
import type { CommandGroup } from './command-group';

const whole = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new InvalidArgumentError('It must be a whole number.');
  return value;
};

export const demoCommand: CommandGroup = (program, context) => {
  /** Without a key, the demo has no webhook endpoint and no import. */
  const secretBox = (): SecretBox | undefined => {
    try {
      const { WEBHOOK_SECRETS_KEY: keys } = context.settings();
      return keys && new SecretBox(keys);
    } catch {
      return undefined;
    }
  };

  program
    .command('demo')
    .description('demo data: an organization with data of every kind, and a second organization')
    .command('load')
    .description('load the organizations "demo" and "rival", unless the demo data exists')
    .option(
      '--participants <n>',
      'number of entries on the start lists of "demo"',
      whole,
      DEFAULT_PARTICIPANTS,
    )
    .option('--seed <n>', 'the same seed produces the same people', whole, 1)
    .action(async ({ participants, seed }: { participants: number; seed: number }) => {
      const progress = context.progress('entries');
      let shown: number | undefined;
      const load = await loadDemo(await context.databaseUrl(), {
        participants,
        seed,
        signingSecrets: context.signingSecrets(),
        secretBox: secretBox(),
        onProgress: (done, total) => {
          if (shown === undefined) progress.start(total);
          else progress.advance(done - shown);
          shown = done;
        },
      }).finally(() => progress.stop());
      if (!load.loaded) return context.answer(load, 'The demo data already exists. Nothing was changed.');
      const rows = load.organizations.map(({ id, slug, entries }) => [
        slug,
        id,
        entries,
        load.keys.flatMap(({ organizationId, name }) => (organizationId === id ? [name] : [])).join(', '),
      ]);
      context.answer(
        load,
        `Demo data loaded.\n\n${tableOf(['ORGANIZATION', 'ID', 'ENTRIES', 'KEYS'], rows)}`,
      );
    });
};
