import type { ReadOptions, Sheet } from '../api';

/** A chosen file: its bytes, so that it can be read in another way. */
export interface ChosenFile {
  name: string;
  bytes: Uint8Array;
  options: ReadOptions;
  sheet: Sheet;
}

/** Reads a file. Loads the parsers on first use. */
export async function readFile(
  { name, bytes }: Pick<ChosenFile, 'name' | 'bytes'>,
  options: ReadOptions = {},
): Promise<ChosenFile> {
  const { readSheet } = await import('../../../../libs/sheets/src/read-sheet');
  return { name, bytes, options, sheet: await readSheet(bytes, options) };
}

/** The writer of workbooks. Loads it on first use. */
export const workbookWriter = async () => (await import('../../../../libs/sheets/src/workbook')).workbook;
