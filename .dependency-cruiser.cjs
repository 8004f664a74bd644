/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'apps-stay-apart',
      comment: 'Apps never import each other: shared code is a lib.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    { name: 'libs-know-no-app', severity: 'error', from: { path: '^libs/' }, to: { path: '^apps/' } },
    {
      name: 'platform-knows-no-domain',
      comment: 'The platform is what every domain stands on (docs/ARCHITECTURE.md).',
      severity: 'error',
      from: { path: '^libs/platform/', pathNot: '\\.test\\.ts$' },
      to: { path: '^libs/domain/' },
    },
    {
      name: 'domains-know-no-http',
      comment: 'A command throws an error by name, and does not depend on an HTTP server.',
      severity: 'error',
      from: { path: '^libs/', pathNot: ['^libs/platform/http/', '^libs/testing/'] },
      to: { path: '^libs/platform/http/' },
    },
    {
      name: 'libraries-without-circles',
      comment: 'Libraries never import each other in a circle.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^libs/(platform|domain)/[^/]+(/src)?$' },
      to: { circular: true },
    },
    {
      name: 'groups-through-their-module',
      comment: 'A resource group uses another one through the exports of its module.',
      severity: 'error',
      from: { path: '^apps/api/src/([^/]+)/' },
      to: { path: '^apps/api/src/[^/]+/', pathNot: ['^apps/api/src/$1/', '\\.module\\.ts$'] },
    },
    {
      name: 'libraries-through-their-index',
      comment:
        'Import another library as `#domain/<name>` or `#platform/<name>`, and what the checking thread needs as `#domain/<name>/import-definitions`.',
      severity: 'error',
      // Browsers load the part of the client that needs no Node.
      from: {
        path: '^(apps/[^/]+|libs/(?:(?:platform|domain)/)?[^/]+)/',
        pathNot: ['^libs/testing/src/global-', '^apps/console/src/(api|upload/read-file)\\.ts$'],
      },
      to: {
        path: '^libs/.+/src/.+',
        pathNot: ['^libs/((platform|domain)/)?[^/]+/src/(index|import-definitions)\\.ts$', '^$1/'],
      },
    },
    {
      name: 'client-stands-alone',
      comment: 'The client is a separate package, with the dependencies of its package.json.',
      severity: 'error',
      from: { path: '^libs/client/' },
      to: {
        pathNot: [
          '^libs/(client|sheets)/',
          '^node_modules/(openapi-fetch|cli-progress|@types/cli-progress|@modelcontextprotocol/sdk)/',
        ],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'sheets-run-anywhere',
      comment:
        'Tables are read in browsers, in Node and in the packed client: no module of Node, and no other library.',
      severity: 'error',
      from: { path: '^libs/sheets/', pathNot: '\\.test\\.ts$' },
      to: {
        pathNot: ['^libs/sheets/', '^node_modules/(csv-parse|fastest-levenshtein|fflate|numfmt)/'],
      },
    },
    {
      name: 'tests-are-not-shipped',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: ['\\.test\\.ts$', '^libs/testing/'] },
      to: { path: '^(test|libs/testing)/' },
    },
    {
      name: 'no-cycles',
      comment: 'No circular imports, not even for types.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'nothing-unresolvable',
      severity: 'error',
      from: {},
      // Of a page: what the api serves; and the address of a file.
      to: { couldNotResolve: true, pathNot: '^(virtual:|/docs/)|[?]url$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: {
      path: ['^(dist|node_modules)/', '^apps/console/([^/]+\\.|build/)', '^apps/console/src/env\\.d\\.ts$'],
    },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'require', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.json'],
    },
  },
};
