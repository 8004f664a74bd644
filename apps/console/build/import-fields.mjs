import { readFileSync } from 'node:fs';
import { fieldsOfImports } from '../src/upload/fields-of-imports';

const NAME = 'virtual:import-fields';
const DOCUMENT = new URL('../../../openapi.json', import.meta.url);

/** The fields of each import, from the OpenAPI document: what columns of a file can be matched to. */
export const importFields = () => ({
  name: 'import-fields',
  resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
  load(id) {
    if (id !== `\0${NAME}`) return undefined;
    return `export default ${JSON.stringify(fieldsOfImports(JSON.parse(readFileSync(DOCUMENT, 'utf8'))))}`;
  },
});
