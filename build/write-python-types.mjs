/**
 * `npm run python`: writes the types of the Python client from openapi.json: a `TypedDict` for each schema and each query,
 * and the signatures of the operations. With `--check`, fails if the file differs, without Python.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './stamp.mjs';

const FILE = join(ROOT, 'clients/python/src/startline/_operations.py');
const { info, paths, components } = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8'));
for (const operation of Object.values(paths).flatMap((item) => Object.values(item)))
  operation.parameters = operation.parameters?.map(
    (each) => components.parameters[each.$ref?.split('/').at(-1)] ?? each,
  );

/** By name, in the order in which they were first needed. */
const definitions = new Map();
const SCALARS = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' };
const pascal = (text) =>
  text.replace(/(^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, __, letter) => letter.toUpperCase());
const literal = (values) => `Literal[${values.map((value) => JSON.stringify(value)).join(', ')}]`;
const union = (types) => [...new Set(types)].join(' | ');

function define(name, write) {
  if (definitions.has(name)) throw new Error(`There are two types ${name}`);
  definitions.set(name, '');
  definitions.set(name, write());
}

/** @param name the name of the type, if the schema needs one of its own */
function typeOf(schema, name) {
  const { $ref, oneOf, const: only, enum: values, type, properties, additionalProperties, items } = schema;
  if ($ref) return refer($ref.split('/').at(-1));
  if (oneOf) return union(oneOf.map((each) => typeOf(each, name)));
  if (only !== undefined) return literal([only]);
  const types = [type ?? []].flat();
  const ofType = (each) => {
    if (values && each !== 'null') return literal(values.filter((value) => value !== null));
    if (each === 'array') return `list[${typeOf(items, `${name}Item`)}]`;
    if (each !== 'object') return SCALARS[each];
    if (properties) return dictionary(name, schema);
    const other =
      typeof additionalProperties === 'object' ? typeOf(additionalProperties, `${name}Value`) : 'Any';
    return `dict[str, ${other}]`;
  };
  return types.length > 0 ? union(types.map(ofType)) : 'Any';
}

function refer(name) {
  const schema = components.schemas[name];
  if (!definitions.has(name)) {
    if (schema.properties) dictionary(name, schema);
    else define(name, () => `${name}: TypeAlias = ${quoted(typeOf(schema, name))}\n`);
  }
  return name;
}

/** For types that Python evaluates, which may name a class that comes later. */
const quoted = (type) => (/[A-Z]\w*/.test(type) && !/^Literal\[[^\]]*\]$/.test(type) ? `'${type}'` : type);

function dictionary(name, { properties, required = [], description }) {
  define(name, () => {
    const fields = Object.entries(properties).map(([key, each]) => {
      const type = typeOf(each, name + pascal(key));
      return [key, required.includes(key) ? type : `NotRequired[${type}]`];
    });
    const about = description
      ? `    """${description.replaceAll('\\', '\\\\').replaceAll('"""', "'''")}"""\n\n`
      : '';
    if (fields.length === 0) return `class ${name}(TypedDict):\n${about || '    pass\n'}`;
    if (fields.every(([key]) => /^[A-Za-z_]\w*$/.test(key) && key !== 'from' && key !== 'class')) {
      return `class ${name}(TypedDict):\n${about}${fields.map(([key, type]) => `    ${key}: ${type}\n`).join('')}`;
    }
    const lines = fields.map(([key, type]) => `    ${JSON.stringify(key)}: ${quoted(type)},\n`).join('');
    return `${name} = TypedDict("${name}", {\n${lines}})\n`;
  });
  return name;
}

/** Its query with this name, or undefined: what every caller sets itself is left out. */
function queryOf({ operationId, parameters = [] }, omitted = []) {
  const name = `${pascal(operationId)}Query`;
  const given = parameters.filter((each) => each.in === 'query' && !omitted.includes(each.name));
  if (given.length === 0) return undefined;
  if (!definitions.has(name)) {
    dictionary(name, {
      properties: Object.fromEntries(given.map((each) => [each.name, each.schema])),
      required: given.filter((each) => each.required).map((each) => each.name),
    });
  }
  return name;
}

const IMPORT_OPTIONS = [
  'dry_run: bool = False',
  'idempotency_key: str | None = None',
  'batch_rows: int = 10_000',
  'poll_seconds: float = 1',
  'on_progress: Callable[[Progress], None] | None = None',
];
const methods = {
  get: [],
  post: [],
  put: [],
  patch: [],
  delete: [],
  every: [],
  changes: [],
  import_rows: [],
};

function signature(method, path, first, last, answer) {
  const words = [
    'self',
    `path: Literal["${path}"]`,
    ...first,
    '/',
    ...(last.length > 0 ? ['*', ...last] : []),
  ];
  methods[method].push(
    `    @overload\n    def ${method}(\n        ${words.join(', ')},\n    ) -> ${answer}: ...\n`,
  );
}

for (const [path, operations] of Object.entries(paths)) {
  if (path.startsWith('/console/')) continue;
  for (const [method, operation] of Object.entries(operations)) {
    const answer = operation.responses[200]?.content?.['application/json']?.schema;
    if (!answer) continue;
    const name = pascal(operation.operationId);
    const has = (place, key) => operation.parameters?.some((each) => each.in === place && each.name === key);
    const places = (operation.parameters ?? [])
      .filter((each) => each.in === 'path')
      .map((each) => `${each.name}: str`);
    const query = queryOf(operation);
    const asked = query ? [`query: ${query} | None = None`] : ['query: None = None'];
    const body = operation.requestBody?.content['application/json'].schema;
    const sent =
      method === 'get' || method === 'delete'
        ? []
        : [body ? `body: ${typeOf(body, `${name}Body`)}` : 'body: None = None'];
    const headers = has('header', 'Idempotency-Key') ? ['idempotency_key: str | None = None'] : [];
    signature(method, path, [...sent, ...asked], [...places, ...headers], typeOf(answer, `${name}Answer`));

    const page = components.schemas[answer.$ref?.split('/').at(-1)];
    const items = page?.properties.page && (page.properties.data ?? page.properties.events)?.items;
    if (items) {
      const item = typeOf(items, `${name}Item`);
      signature('every', path, asked, places, `Iterator[${item}]`);
      const { updatedAt } = components.schemas[item]?.properties ?? {};
      if (has('query', 'updatedAt[after]') && updatedAt) {
        signature(
          'changes',
          path,
          ['since: str | None = None', ...asked],
          [...places, 'poll_seconds: float = 5'],
          `Iterator[list[${item}]]`,
        );
      }
    }
    if (method === 'post' && path.endsWith('/import')) {
      const [rows] = Object.values(components.schemas[body.$ref.split('/').at(-1)].properties);
      signature(
        'import_rows',
        path,
        [`rows: Iterable[${typeOf(rows.items, `${name}Row`)}]`],
        [
          ...(operations.put ? ['replace: bool = False'] : []),
          ...(has('query', 'cancelled') ? ['cancelled: Literal["import", "skip"] | None = None'] : []),
          ...IMPORT_OPTIONS,
        ],
        'ImportReport',
      );
    }
  }
}
for (const name of [
  'ErrorBody',
  'BodyProblem',
  'ImportRowResult',
  'ChangeEvent',
  'Digest',
  'Participant',
  'TimingParticipant',
]) {
  if (components.schemas[name]) refer(name);
}
const exportQuery = queryOf(paths['/v0/participants/export'].get, ['format']);
const timingQuery = queryOf(paths['/timing-inbound/v1/participants/export'].get, ['format']);

const imports = Object.entries(paths)
  .filter(([path]) => path.endsWith('/import'))
  .map(([path, { post }]) => {
    const [collection] = Object.keys(
      components.schemas[post.requestBody.content['application/json'].schema.$ref.split('/').at(-1)]
        .properties,
    );
    return `    "${path}": ("${post['x-access'].surface}", "${collection}"),\n`;
  });

const RUNS = {
  get: ['query: Any = None, /, **params: Any', 'Any', 'self._ask("GET", path, query, params=params)'],
  delete: ['query: Any = None, /, **params: Any', 'Any', 'self._ask("DELETE", path, query, params=params)'],
  ...Object.fromEntries(
    ['post', 'put', 'patch'].map((method) => [
      method,
      [
        'body: Any = None, query: Any = None, /, *, idempotency_key: str | None = None, **params: Any',
        'Any',
        `self._ask("${method.toUpperCase()}", path, query, body, params, idempotency_key)`,
      ],
    ]),
  ),
  every: ['query: Any = None, /, **params: Any', 'Any', 'self._walk(path, query, params)'],
  changes: [
    'since: str | None = None, query: Any = None, /, *, poll_seconds: float = 5, **params: Any',
    'Any',
    'self._follow(path, since, query, params, poll_seconds)',
  ],
  import_rows: [
    'rows: Iterable[Any], /, **options: Any',
    'ImportReport',
    'self._import(path, rows, **options)',
  ],
};
const ABOUT = {
  get: 'Sends one request, and returns the body of its response.',
  every: 'Every item of a list, over all its pages.',
  changes: `The items of a list, and then those that change, in groups, until the loop is left.

        Store the \`updatedAt\` of the last item of a group as the \`since\` of a later run: items with the same \`updatedAt\` are
        always in one group. Waits while the API is away or overloaded; raises what no wait can heal.`,
  import_rows: `Imports any number of rows: sends them in batches, and waits for all their jobs.

        Raises if a batch is rejected; the jobs of earlier batches continue. The same call with the same \`idempotency_key\`
        and rows within 24 hours imports nothing twice.`,
};

const text = `# Written by \`npm run python\` from openapi.json.
# ruff: noqa
"""The shapes of requests and responses, and the signatures of the operations."""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, overload

from ._reports import ImportReport, Progress

VERSION = "${info.version}"

# The surface of each import, as its jobs name it, and the property of its body that holds the rows.
IMPORTS = {
${imports.join('')}}

${[...definitions.values()].join('\n\n')}

ExportQuery: TypeAlias = ${exportQuery}
TimingExportQuery: TypeAlias = ${timingQuery}


class Operations(ABC):
    """What a client can call, by method and path. The client does it."""

    @abstractmethod
    def _ask(
        self, method: str, path: str, query: Mapping[str, object] | None = None, body: Any = None,
        params: Mapping[str, str] = {}, idempotency_key: str | None = None,
    ) -> Any: ...

    @abstractmethod
    def _walk(self, path: str, query: Mapping[str, object] | None, params: Mapping[str, str]) -> Iterator[Any]: ...

    @abstractmethod
    def _follow(
        self, path: str, since: str | None, query: Mapping[str, object] | None, params: Mapping[str, str], poll_seconds: float,
    ) -> Iterator[list[Any]]: ...

    @abstractmethod
    def _import(
        self, path: str, rows: Iterable[Any], *, replace: bool = False, cancelled: str | None = None,
        ${IMPORT_OPTIONS.join(', ')},
    ) -> ImportReport: ...

${Object.entries(RUNS)
  .map(([method, [words, answer, run]]) => {
    const about = ABOUT[method] ? `        """${ABOUT[method]}"""\n` : '';
    const one = `    def ${method}(self, path: str, ${words}) -> ${answer}:\n${about}        return ${run}\n`;
    return [...methods[method], one].join('\n');
  })
  .join('\n')}`;

if (!process.argv.includes('--check')) writeFileSync(FILE, text);
else if (readFileSync(FILE, 'utf8') !== text) {
  process.stderr.write('The types of the Python client are out of date: run `npm run python`.\n');
  process.exit(1);
}
