import { examine } from '../doctor/examine';
import { CommandError } from '../errors';
import type { CommandGroup } from './command-group';

export const doctorCommand: CommandGroup = (program, context) => {
  program
    .command('doctor')
    .description('check the configuration, database, queue and clocks, and suggest fixes')
    .action(async () => {
      const checks = await examine(context);
      const lines = checks.map(({ name, ok, message, advice }) =>
        [`${ok ? 'ok  ' : 'FAIL'}  ${name}: ${message}`, ...(advice ? [`      → ${advice}`] : [])].join('\n'),
      );
      const bad = checks.filter(({ ok }) => !ok);
      if (bad.length === 0) {
        context.answer({ ok: true, checks }, [...lines, 'All checks passed.'].join('\n'));
        return;
      }
      if (!context.json) context.note(lines.join('\n'));
      const message = `Failed checks: ${bad.map(({ name }) => name).join(', ')}.`;
      throw new CommandError('UNHEALTHY', message, { ok: false, checks });
    });
};
