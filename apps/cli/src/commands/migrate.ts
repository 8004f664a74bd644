import { migrate } from '#platform/database';
import type { CommandGroup } from './command-group';

export const migrateCommand: CommandGroup = (program, context) => {
  program
    .command('migrate')
    .description('migrate the schemas of the database and of the queues, and grant the roles what they need')
    .action(async () => {
      const lines: string[] = [];
      await migrate(await context.databaseUrl(), {
        ...(await context.roles()),
        log: (line) => {
          lines.push(line);
          context.note(line);
        },
      });
      const applied = lines.flatMap((line) => /^applied (.+)/.exec(line)?.[1] ?? []);
      context.answer(
        { applied },
        applied.length ? 'The database is now up to date.' : 'The database is already up to date.',
      );
    });
};
