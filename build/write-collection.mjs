/**
 * Writes `dist/collection.json`, which the api serves: the operations of openapi.json as a collection for Postman and for programs
 * that read its format. The address and the key are variables of the collection.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import converter from 'openapi-to-postmanv2';
import { ROOT } from './stamp.mjs';

const AUTH = { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] };

const { result, reason, output } = await promisify(converter.convertV2)(
  { type: 'string', data: readFileSync(join(ROOT, 'openapi.json'), 'utf8') },
  {
    ...{ folderStrategy: 'Tags', requestNameSource: 'Fallback', parametersResolution: 'Example' },
    ...{ enableOptionalParameters: false, includeWebhooks: false },
  },
);
if (!result) throw new Error(`The collection could not be made: ${reason}`);
const [{ data }] = output;
const { _postman_id: _, ...info } = data.info;

/** Without ids, which differ each time, answers, which the reference has, and keys: every request has that of the collection. */
function plain({ id: _, response: __, request, item, ...kept }) {
  if (item) return { ...kept, item: item.map(plain) };
  const { auth: ___, ...sent } = request;
  return { ...kept, request: sent };
}

const collection = {
  info,
  item: data.item.map(plain),
  auth: AUTH,
  variable: [
    // The api replaces it with its own address.
    { key: 'baseUrl', value: 'http://127.0.0.1:3000', type: 'string' },
    { key: 'apiKey', value: '', type: 'string', description: 'Your API key.' },
  ],
};
writeFileSync(join(ROOT, 'dist', 'collection.json'), JSON.stringify(collection));
