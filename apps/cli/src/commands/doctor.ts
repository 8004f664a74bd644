import { examine } from '../doctor/examine';
import { CommandError } from '../errors';
import type { CommandGroup } from './command-group';

export const doctorCommand: CommandGroup = (program, context) => {
  program
    .command('doctor')
    .description('look at configuration, database, queue and clocks, and say what to do')
    .action(async () => {
      const checks = await examine(context);
      const lines = checks.map(({ name, ok, message, advice }) =>
        [`${ok ? 'ok  ' : 'FAIL'}  ${name}: ${message}`, ...(advice ? [`      → ${advice}`] : [])].join('\n'),
      );
      const bad = checks.filter(({ ok }) => !ok);
      if (bad.length === 0) {
        context.answer({ ok: true, checks }, [...lines, 'All is well.'].join('\n'));
        return;
      }
      if (!context.json) context.note(lines.join('\n'));
      const message = `Not well: ${bad.map(({ name }) => name).join(', ')}.`;
      throw new CommandError('UNHEALTHY', message, { ok: false, checks });
    });
};
