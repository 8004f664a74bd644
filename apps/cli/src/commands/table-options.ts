import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { type Flags, fileOptionsOf, type Given, type OpenOptions, terminalOf } from '#libs/client';
import { CommandError } from '../errors';

export interface TableFlags extends Flags {
  map?: string;
  set?: string[];
  reading?: string[];
  acceptOutside?: true;
  yes?: true;
}

export const ONLY_TABLES = 'How a table is read can only be said of .csv, .tsv, .txt and .xlsx.';

/** @throws CommandError if the file can't be read */
export async function statOf(path: string): Promise<Stats> {
  try {
    return await stat(path);
  } catch {
    throw new CommandError('NOT_FOUND', `The file ${path} does not exist or can't be read.`);
  }
}

const repeated = (text: string, before: string[] = []) => [...before, text];

/** The options about a table, of each command that reads one. */
export const withTableOptions = (command: Command): Command =>
  command
    .option('--map <file>', 'a mapping of columns to fields; "init" writes one')
    .option('--set <field=value>', 'the value of a field in every row; repeatable', repeated)
    .option('--yes', 'without asking, also bookings that join people with different addresses or names')
    .option('--date-order <order>', 'dmy or mdy, where a column does not show it')
    .option('--decimal <sign>', '. or , where a column does not show it')
    .option(
      '--reading <column=way>',
      'how one column is written, where its values leave it open; repeatable',
      repeated,
    )
    .option('--accept-outside', 'take values that are not plausible, which are otherwise asked about')
    .option('--encoding <name>', 'such as windows-1250 or macintosh, where the words do not show it')
    .option('--delimiter <sign>', 'what separates columns; otherwise recognised')
    .option('--header <line>', 'the line with the names of the columns; otherwise recognised')
    .option('--sheet <name>', 'the sheet of a workbook, by name or number, if it has several')
    .option('--hidden <what>', 'read or skip: the hidden rows and columns of a workbook');

/** @param json nobody is asked */
export function tableOptionsOf(flags: TableFlags, json: boolean): OpenOptions & Given & { yes?: true } {
  const { map, set, reading, acceptOutside, yes } = flags;
  const terminal = json || yes ? undefined : terminalOf(process);
  return { ...fileOptionsOf(flags), map, set, reading, acceptOutside, yes, terminal };
}
