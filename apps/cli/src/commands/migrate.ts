import { migrate } from '#libs/database';
import type { CommandGroup } from './command-group';

export const migrateCommand: CommandGroup = (program, context) => {
  program
    .command('migrate')
    .description("bring the database's schema, the queues' and the roles' privileges up to date")
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
        applied.length ? 'The database is up to date now.' : 'The database is up to date.',
      );
    });
};
