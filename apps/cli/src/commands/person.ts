import { rename, rm, writeFile } from 'node:fs/promises';
import { Option } from 'commander';
import {
  exportedRows,
  type FiledRows,
  PERSON_LANGUAGES,
  type PersonErasure,
  type PersonFormat,
  type PersonLanguage,
  personDocument,
} from '#domain/participants';
import { acceptErasureSecret } from '#platform/database';
import { CommandError } from '../errors';
import { workOn } from '../person-work';
import { tableOf } from '../table';
import type { CommandGroup } from './command-group';

type ErasureResult = PersonErasure & { id: string | null; participantIds: string[] };

export const personCommands: CommandGroup = (program, context) => {
  const group = program.command('person').description('personal data, by email address');

  group
    .command('erase')
    .description('delete the data of a person permanently; without --yes, only list what would be deleted')
    .requiredOption('--organization <slug>', 'the organization')
    .requiredOption('--email <address>', "the person's email address")
    .option('--yes', 'do it')
    .action(async (options: { organization: string; email: string; yes?: true }) => {
      if (!/^\s*[^\s@]+@[^\s@]+\s*$/.test(options.email)) {
        throw new CommandError('INVALID_COMMAND', `"${options.email}" is not an email address.`);
      }
      const { dataSource, organizationId } = await context.organizationOf(options.organization);
      const { result: erasure } = await workOn<ErasureResult>(context, dataSource, organizationId, {
        ...{ kind: 'ERASE', email: options.email, dryRun: !options.yes },
      });
      const removed = Object.fromEntries(erasure.removed.map(({ table, rows }) => [table, rows]));
      if (erasure.importRowsAhead > 0) {
        context.note(
          `${erasure.importRowsAhead} import rows that name the person are still queued. Erase again after they are processed.`,
        );
      }
      if (erasure.kept.length > 0) {
        context.note(
          `These records still have the address, because people or systems use them: ${erasure.kept.map(({ table, id }) => `${table} ${id}`).join(', ')}.`,
        );
      }
      const counts = Object.entries(removed);
      const found = counts.length ? tableOf(['TABLE', 'ROWS'], counts) : 'No row names the person.';
      const said = erasure.dryRun
        ? 'Nothing was deleted. With --yes, these rows are deleted or cleared.'
        : `Deleted. The record in the audit log is ${erasure.id}.`;
      const { id, dryRun, participantIds, importRowsAhead, kept } = erasure;
      const answer = { id, dryRun, participantIds, removed, importRowsAhead, kept };
      context.answer(answer, `${found}\n\n${said}`);
    });

  group
    .command('export')
    .description('write everything that is known of a person, to answer an access request')
    .requiredOption('--organization <slug>', 'the organization')
    .requiredOption('--email <address>', "the person's email address")
    .requiredOption('--output <file>', 'a .json file, or a .html document to read')
    .addOption(new Option('--language <language>', 'of the document').choices(PERSON_LANGUAGES).default('en'))
    .action(
      async (options: { organization: string; email: string; output: string; language: PersonLanguage }) => {
        if (!/^\s*[^\s@]+@[^\s@]+\s*$/.test(options.email)) {
          throw new CommandError('INVALID_COMMAND', `"${options.email}" is not an email address.`);
        }
        const { dataSource, organizationId } = await context.organizationOf(options.organization);
        const format: PersonFormat = options.output.endsWith('.html') ? 'html' : 'json';
        const { jobId } = await workOn<null>(context, dataSource, organizationId, {
          kind: 'EXPORT',
          email: options.email,
        });
        const counts: Record<string, number> = {};
        const found = counted(exportedRows(dataSource, organizationId, jobId), counts);
        // A file that exists would keep its permissions, and be lost if the export breaks off.
        const partial = `${options.output}.part`;
        await rm(partial, { force: true });
        const document = personDocument(format, options.email, found, options.language);
        await writeFile(partial, document, { mode: 0o600 })
          .then(() => rename(partial, options.output))
          .finally(() => rm(partial, { force: true }));
        const said = Object.keys(counts).length
          ? tableOf(['TABLE', 'ROWS'], Object.entries(counts))
          : 'No row names the person.';
        context.answer({ output: options.output, rows: counts }, `${said}\n\nWritten to ${options.output}.`);
      },
    );

  group
    .command('accept-secret')
    .description(
      'hash ids of erased persons with the current ERASURE_SECRET from now on, if the earlier one is lost',
    )
    .requiredOption('--yes', 'imports no longer recognize the rows of persons who were erased before')
    .action(async () => {
      const { ERASURE_SECRET: secret } = context.settings();
      if (!secret) throw new CommandError('INVALID_COMMAND', 'Set ERASURE_SECRET to the new secret first.');
      await acceptErasureSecret(await context.dataSource(), secret);
      context.answer(
        { accepted: true },
        'Ids of erased persons are hashed with this ERASURE_SECRET from now on.',
      );
    });
};

async function* counted(
  found: AsyncGenerator<FiledRows, void>,
  counts: Record<string, number>,
): AsyncGenerator<FiledRows, void> {
  for await (const each of found) {
    counts[each.table] = (counts[each.table] ?? 0) + each.rows.length;
    yield each;
  }
}
