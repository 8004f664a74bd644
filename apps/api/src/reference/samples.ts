import { releaseVersion } from '#platform/config';
import type { DocumentedOperation, Schema } from './document';

/** Where the api serves the client for Python: pip reads name and version from the path. */
export const WHEEL_PATH = `/startline-${releaseVersion()}-py3-none-any.whl`;

/** The URL in samples until the page inserts its own. */
export const SAMPLE_URL = 'http://127.0.0.1:3000';

export interface Sample {
  language: string;
  title: string;
  code: string;
}

/** The request in curl, TypeScript and Python; uses the same values for every operation of a kind. */
export function samplesOf(operation: DocumentedOperation, url = SAMPLE_URL): Sample[] {
  return [
    { language: 'curl', title: 'curl', code: curl(operation, url) },
    { language: 'typescript', title: 'TypeScript', code: typescript(operation, url) },
    { language: 'python', title: 'Python', code: python(operation, url) },
  ];
}

/** Operations that stream lines. */
const EXPORTS = new Set(['exportParticipants', 'exportTimingParticipants']);

/** A `POST` of rows, which the clients send in batches. */
const isImport = ({ path, method }: DocumentedOperation): boolean =>
  path.endsWith('/import') && method === 'POST';

const isList = ({ parameters, method }: DocumentedOperation): boolean =>
  method === 'GET' &&
  parameters.some(({ name }) => ['page[after]', 'cursor[after]', 'searchAfter'].includes(name));

const exampleOf = ({ schema }: { schema: Schema }): string => String(schema.examples?.[0] ?? '<id>');

/** The parameters of a first request: the required ones, and a small page size for a list. */
function queryOf({ parameters, operationId }: DocumentedOperation): Record<string, string> {
  const query: Record<string, string> = {};
  for (const parameter of parameters) {
    if (parameter.in !== 'query') continue;
    if (parameter.required) query[parameter.name] = String(parameter.schema.examples?.[0] ?? 'marathon');
    else if (parameter.name === 'page[size]') query[parameter.name] = '50';
  }
  return EXPORTS.has(operationId) ? { format: 'ndjson' } : query;
}

const pathOf = ({ path, parameters }: DocumentedOperation): string =>
  path.replace(/\{(\w+)\}/g, (_, name) => {
    const parameter = parameters.find((each) => each.in === 'path' && each.name === name);
    return parameter ? exampleOf(parameter) : `<${name}>`;
  });

const indented = (value: unknown, by: string): string =>
  JSON.stringify(value, null, 2).replaceAll('\n', `\n${by}`);

function curl(operation: DocumentedOperation, url: string): string {
  const { method, body, operationId } = operation;
  const query = EXPORTS.has(operationId) ? { format: 'csv' } : queryOf(operation);
  const search = new URLSearchParams(query).toString();
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} '${url}${pathOf(operation)}${search && `?${search}`}'`,
    '-H "Authorization: Bearer $STARTLINE_API_KEY"',
    ...(body
      ? [
          "-H 'content-type: application/json'",
          `--data '${JSON.stringify(body.example, null, 2).replaceAll("'", "'\\''")}'`,
        ]
      : []),
  ].join(' \\\n  ');
}

function typescript(operation: DocumentedOperation, url: string): string {
  const { method, path, body, parameters, operationId } = operation;
  const head = [
    `// curl -fO ${url}/client.tgz && npm install ./client.tgz`,
    "import { StartlineClient } from '@startline/client';",
    '',
    'const startline = new StartlineClient({',
    `  baseUrl: '${url}',`,
    '  token: process.env.STARTLINE_API_KEY!,',
    '});',
    '',
  ];
  const query = queryOf(operation);
  if (EXPORTS.has(operationId)) {
    return [
      ...head,
      `for await (const participant of startline.${operationId}()) {`,
      '  console.log(participant.participantId);',
      '}',
    ].join('\n');
  }
  const inPath = Object.fromEntries(
    parameters.filter((each) => each.in === 'path').map((each) => [each.name, exampleOf(each)]),
  );
  const params = {
    ...(Object.keys(inPath).length > 0 && { path: inPath }),
    ...(Object.keys(query).length > 0 && { query: numbered(query) }),
  };
  const given = [
    ...(Object.keys(params).length > 0 ? [`  params: ${literal(params, '  ')},`] : []),
    ...(body ? [`  body: ${literal(body.example, '  ')},`] : []),
  ];
  const argument = given.length ? `, {\n${given.join('\n')}\n}` : '';
  if (isImport(operation)) {
    const [rows] = Object.values(body?.example as Record<string, unknown[]>);
    return [
      ...head,
      `const report = await startline.import('${path}', ${literal(rows, '')});`,
      'console.log(report.succeededRows, report.failed);',
    ].join('\n');
  }
  if (isList(operation)) {
    return [
      ...head,
      `for await (const item of startline.every('${path}'${argument})) {`,
      '  console.log(item);',
      '}',
    ].join('\n');
  }
  return [
    ...head,
    `const answer = await startline.${method.toLowerCase()}('${path}'${argument});`,
    'console.log(answer);',
  ].join('\n');
}

/** Numbers are not quoted, because the types of the client require numbers. */
const numbered = (query: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, /^\d+$/.test(value) ? Number(value) : value]),
  );

/** A JavaScript literal with unquoted property names and single-quoted strings. */
const literal = (value: unknown, by: string): string =>
  indented(value, by)
    .replace(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:')
    .replace(/"((?:[^"\\]|\\.)*)"/g, (whole, text) =>
      text.includes("'") ? whole : `'${text.replaceAll('\\"', '"')}'`,
    );

function python(operation: DocumentedOperation, url: string): string {
  const { method, path, body, parameters, operationId } = operation;
  const head = [
    `# pip install --no-index ${url}${WHEEL_PATH}`,
    'import os',
    'from startline import Client',
    '',
    `client = Client("${url}", os.environ["STARTLINE_API_KEY"])`,
    '',
  ];
  if (EXPORTS.has(operationId)) {
    const name = operationId.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return [...head, `for participant in client.${name}():`, '    print(participant["participantId"])'].join(
      '\n',
    );
  }
  if (isImport(operation)) {
    const [rows] = Object.values(body?.example as Record<string, unknown[]>);
    return [
      ...head,
      `report = client.import_rows("${path}", ${pythonLiteral(rows)})`,
      'print(report.succeeded_rows, report.failed)',
    ].join('\n');
  }
  const query = numbered(queryOf(operation));
  const given = [
    `"${path}"`,
    ...(body ? [pythonLiteral(body.example)] : []),
    ...(Object.keys(query).length > 0 ? [pythonLiteral(query)] : []),
    ...parameters.filter((each) => each.in === 'path').map((each) => `${each.name}="${exampleOf(each)}"`),
  ].join(', ');
  return [
    ...head,
    ...(isList(operation)
      ? [`for item in client.every(${given}):`, '    print(item)']
      : [`answer = client.${method.toLowerCase()}(${given})`, 'print(answer)']),
  ].join('\n');
}

const pythonLiteral = (value: unknown): string =>
  JSON.stringify(value, null, 4).replace(
    /(: |^\s*)(true|false|null)(?=,?$)/gm,
    (_, before, word) => `${before}${{ true: 'True', false: 'False', null: 'None' }[word as 'true']}`,
  );
