import type { Mapping } from '../api';

const STORED = 'startline.mappings';

const stored = (): Record<string, Mapping> => {
  try {
    return JSON.parse(localStorage.getItem(STORED) ?? '{}');
  } catch {
    return {};
  }
};

const nameOfFile = (surface: string, columns: string[]) => `${surface}/${columns.join('\t')}`;

/** The last mapping that was used for a file with these columns. */
export const savedMapping = (surface: string, columns: string[]): Mapping | undefined =>
  stored()[nameOfFile(surface, columns)];

export function saveMapping(surface: string, columns: string[], mapping: Mapping): void {
  const kept = Object.entries(stored()).slice(-19);
  localStorage.setItem(
    STORED,
    JSON.stringify({ ...Object.fromEntries(kept), [nameOfFile(surface, columns)]: mapping }),
  );
}
