import { readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { LIMITS, openNotices, type ReadOptions, readSheet, type Sheet, UnreadableSheet } from '#libs/sheets';
import { type Advance, UnreadableFile } from './source';

/** The extensions of tables. Each may be compressed, with `.gz` behind it. */
export const TABLES: readonly string[] = ['.csv', '.tsv', '.txt', '.xlsx'];

/** The extension of a file without that of its compression. */
export const formatOf = (path: string): string => extname(path.replace(/\.gz$/i, '')).toLowerCase();

/**
 * Reads a table: CSV or a workbook.
 *
 * @throws UnreadableFile
 */
export async function readTable(path: string, advance: Advance, options: ReadOptions = {}): Promise<Sheet> {
  const { size } = await stat(path);
  // Larger files are refused without being read.
  const bytes = size > LIMITS.bytes ? new Uint8Array(LIMITS.bytes + 1) : new Uint8Array(await readFile(path));
  try {
    const sheet = await readSheet(bytes, options);
    const [open] = openNotices(sheet);
    if (open) {
      const choices = open.choices.map(({ words }) => words).join('; ');
      throw new UnreadableFile(
        `${open.message} (${choices}) Use --${open.option}, or save the table as CSV UTF-8.`,
      );
    }
    const [twice] = sheet.repeated;
    if (twice !== undefined) throw new UnreadableFile(`The file has the column "${twice}" twice.`);
    advance(size);
    return sheet;
  } catch (error) {
    if (!(error instanceof UnreadableSheet)) throw error;
    throw new UnreadableFile(error.message);
  }
}
