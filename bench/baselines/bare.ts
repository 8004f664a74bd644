import { createServer, type ServerResponse } from 'node:http';
import { Pool } from 'pg';
import { rowWriter, type WriteRow } from '../../libs/platform/queries/src/json-row';

/** The columns of a list's statement that are of the page, before those of the items. */
const PLACE = 4;

/**
 * The upper limit: `node:http` and pg, one prepared statement per request, whose rows the product's own writer makes JSON
 * of. Takes the statements of the product as JSON in BARE_ROUTES.
 */
export interface BareRoute {
  text: string;
  values: unknown[];
  /**
   * `list` returns all rows; `one` takes the id from the path as the value at `at`; `exists` the email of the body.
   */
  answers: 'list' | 'one' | 'exists';
  at?: number;
}

const routes = JSON.parse(process.env.BARE_ROUTES ?? '{}') as Record<string, BareRoute>;
const writers: Record<string, WriteRow> = {};
const pool = new Pool({
  connectionString: process.env.DATABASE_URL,
  max: 20,
  options: '-c TimeZone=UTC -c jit=off',
});

const send = (response: ServerResponse, status: number, body: string): void => {
  response
    .writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    })
    .end(body);
};

async function answer(path: string, body: string, response: ServerResponse): Promise<void> {
  const [, name = '', id] = path.split('/');
  const route = routes[name];
  if (!route) return send(response, name ? 404 : 200, '{}');
  const values = [...route.values];
  if (route.answers === 'one') values[route.at as number] = id;
  if (route.answers === 'exists') {
    const { email } = JSON.parse(body) as { email: string };
    values[route.at as number] = email.toLowerCase();
  }
  const { rows, fields } = await pool.query<(string | null)[]>({
    name,
    text: route.text,
    values,
    rowMode: 'array',
    types: { getTypeParser: () => (value: string) => value },
  });
  if (route.answers === 'exists')
    return send(response, 200, JSON.stringify({ registered: rows[0]?.[0] === 't' }));
  writers[name] ??= rowWriter(fields, route.answers === 'list' ? PLACE : 0);
  const items = rows.map(writers[name]);
  if (route.answers === 'list') return send(response, 200, `{"data":[${items.join(',')}]}`);
  send(response, items[0] ? 200 : 404, items[0] ?? '{}');
}

createServer((request, response) => {
  const fail = (error: Error) => send(response, 500, JSON.stringify({ message: error.message }));
  if (request.method === 'GET') {
    answer(request.url ?? '/', '', response).catch(fail);
    return;
  }
  let body = '';
  request.on('data', (text) => {
    body += text;
  });
  request.on('end', () => answer(request.url ?? '/', body, response).catch(fail));
}).listen(Number(process.env.PORT), '127.0.0.1');
