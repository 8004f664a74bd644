import { distributeDatabase, planDistribution } from '#platform/database';
import type { CommandGroup } from './command-group';

export const distributeCommand: CommandGroup = (program, context) => {
  program
    .command('distribute')
    .description('distribute a migrated database on a Citus coordinator by organization')
    .option('--plan', 'only show what it would do')
    .action(async ({ plan = false }: { plan?: boolean }) => {
      const url = await context.databaseUrl();
      if (plan) {
        const steps = await planDistribution(url);
        const text = steps.flatMap(({ what, statements }) => [
          `-- ${what}`,
          ...statements.map((statement) => `${statement};`),
        ]);
        context.answer(steps, text.join('\n') || 'Every table is distributed.');
        return;
      }
      const done: string[] = [];
      await distributeDatabase(url, {
        ...(await context.roles()),
        log: (line) => {
          done.push(line);
          context.note(line);
        },
      });
      context.answer(
        { done },
        done.length ? 'The database is now distributed.' : 'Every table was distributed.',
      );
    });
};
