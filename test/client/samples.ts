import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { groupsOf } from '../../apps/api/src/reference/document';
import { samplesOf } from '../../apps/api/src/reference/samples';

/** The samples of the reference in a language. */
export function samplesIn(language: 'typescript' | 'python'): string[] {
  const document = JSON.parse(readFileSync(resolve(__dirname, '../../openapi.json'), 'utf8'));
  const operations = groupsOf(document).flatMap((group) => group.operations);
  return operations
    .filter(({ isSent }) => !isSent)
    .flatMap((operation) => samplesOf(operation).filter((sample) => sample.language === language))
    .map(({ code }) => code);
}
