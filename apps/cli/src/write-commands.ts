import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { Context } from './context';
import { programOf } from './run';

/** Writes the tables of `docs/command-line.md` from the commands; with `--check`, only reports differences. */
const file = join(process.cwd(), 'docs/command-line.md');
const [START, END] = ['<!-- written by `npm run commands` -->\n', '<!-- end -->'];

const leavesOf = (command: Command): Command[] =>
  command.commands.length > 0 ? command.commands.flatMap(leavesOf) : [command];

const nameOf = (command: Command): string =>
  command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();

function usageOf(command: Command): string {
  const given = command.registeredArguments.map((argument) => {
    const name = argument.variadic ? `${argument.name()}…` : argument.name();
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  const options = command.options.map(({ flags, mandatory }) => (mandatory ? flags : `[${flags}]`));
  return [nameOf(command), ...given, ...options].join(' ').replaceAll('...', '…');
}

const rowOf = (code: string, text: string): string =>
  `| \`${code.replaceAll('|', '\\|')}\` | ${text.replaceAll('|', '\\|')} |\n`;

function tables(program: Command): string {
  const commands = leavesOf(program);
  const options = new Map<string, Set<string>>();
  for (const { flags, description } of commands.flatMap((command) => command.options)) {
    if (description) options.set(flags, (options.get(flags) ?? new Set()).add(description));
  }
  const meanings = [...options].sort(([a], [b]) => a.localeCompare(b));
  return [
    '\n| Command | |\n|---|---|\n',
    ...commands.map((command) => rowOf(usageOf(command), command.description())),
    '\n| Option | |\n|---|---|\n',
    ...meanings.map(([flags, texts]) => rowOf(flags.replaceAll('...', '…'), [...texts].join('; or '))),
    '\n',
  ].join('');
}

const { stdout, stderr } = process;
const surroundings = { environment: {}, stdout, stderr };
const program = programOf(new Context(false, surroundings), surroundings);
const text = readFileSync(file, 'utf8');
const written =
  text.slice(0, text.indexOf(START) + START.length) + tables(program) + text.slice(text.indexOf(END));
if (!process.argv.includes('--check')) {
  writeFileSync(file, written);
} else if (text !== written) {
  stderr.write('docs/command-line.md is out of date: run `npm run commands`\n');
  process.exitCode = 1;
}
