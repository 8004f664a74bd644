/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'apps-stay-apart',
      comment: 'Apps never import each other: what two of them need is a lib.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'libs-know-no-app',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^apps/' },
    },
    {
      name: 'groups-through-their-module',
      comment: 'A resource group reaches another through its module, and what that exports.',
      severity: 'error',
      from: { path: '^apps/api/src/([^/]+)/' },
      to: { path: '^apps/api/src/[^/]+/', pathNot: ['^apps/api/src/$1/', '\\.module\\.ts$'] },
    },
    {
      name: 'libs-through-their-index',
      comment: 'Another lib is `#libs/<name>`; its files are its own business.',
      severity: 'error',
      from: { path: '^(apps|libs)/([^/]+)/', pathNot: '^libs/testing/src/global-' },
      to: { path: '^libs/([^/]+)/src/.+', pathNot: ['^libs/[^/]+/src/index\\.ts$', '^$1/$2/'] },
    },
    {
      name: 'client-stands-alone',
      comment: 'It is published as a package of its own, with what its package.json names.',
      severity: 'error',
      from: { path: '^libs/client/' },
      to: { pathNot: ['^libs/client/', '^node_modules/openapi-fetch/'], dependencyTypesNot: ['core'] },
    },
    {
      name: 'tests-are-not-shipped',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: ['\\.test\\.ts$', '^libs/testing/'] },
      to: { path: '^(test|libs/testing)/' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'nothing-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|node_modules)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ['source', 'import', 'require', 'node', 'default'],
      extensions: ['.ts', '.js', '.json'],
    },
  },
};
