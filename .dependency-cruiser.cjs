/** From the lowest layer: a lib imports libs of its own layer or of lower ones (docs/ARCHITECTURE.md). */
const LAYERS = [
  ['bodies', 'embedded-postgres', 'errors', 'fair-share', 'input', 'timers'],
  ['config'],
  ['database', 'redis'],
  ['access', 'audit', 'idempotency', 'jobs', 'operations', 'resources'],
  ['change-events'],
  ['import-rows'],
  [
    ...['bookings', 'catalogue', 'credits', 'discounts', 'events', 'partners', 'race-day', 'referrals'],
    ...['reserved-entries', 'staff', 'start-list', 'webhooks'],
  ],
  ['imports', 'personal-data', 'start-list-files'],
  ['http'],
  ['openapi'],
];

const pathOf = (libs) => `^libs/(${libs.join('|')})/`;

/** @returns a rule for each layer, and one that every lib has a layer */
function layersBelow() {
  const outside = ['client', 'testing'];
  const rules = LAYERS.slice(0, -1).map((layer, i) => ({
    name: `layer-of-${layer[0]}`,
    comment: 'A lib never imports a lib of a higher layer.',
    severity: 'error',
    from: { path: pathOf(layer), pathNot: '\\.test\\.ts$' },
    to: { path: pathOf(LAYERS.slice(i + 1).flat()) },
  }));
  const placed = {
    name: 'every-lib-has-a-layer',
    severity: 'error',
    from: { path: '^libs/', pathNot: pathOf([...LAYERS.flat(), ...outside]) },
    to: {},
  };
  return [...rules, placed];
}

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
    {
      name: 'libs-know-no-app',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^apps/' },
    },
    {
      name: 'groups-through-their-module',
      comment: 'A resource group uses another one through the exports of its module.',
      severity: 'error',
      from: { path: '^apps/api/src/([^/]+)/' },
      to: { path: '^apps/api/src/[^/]+/', pathNot: ['^apps/api/src/$1/', '\\.module\\.ts$'] },
    },
    {
      name: 'libs-through-their-index',
      comment: 'Import another lib as `#libs/<name>`, not by its files.',
      severity: 'error',
      // The thread that checks batches loads definitions of imports without the rest of their domain.
      from: {
        path: '^(apps|libs)/([^/]+)/',
        pathNot: ['^libs/testing/src/global-', '^libs/imports/src/definitions'],
      },
      to: { path: '^libs/([^/]+)/src/.+', pathNot: ['^libs/[^/]+/src/index\\.ts$', '^$1/$2/'] },
    },
    {
      name: 'client-stands-alone',
      comment: 'The client is a separate package, with the dependencies of its package.json.',
      severity: 'error',
      from: { path: '^libs/client/' },
      to: {
        pathNot: [
          '^libs/client/',
          '^node_modules/(openapi-fetch|csv-parse|cli-progress|@types/cli-progress)/',
        ],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'tests-are-not-shipped',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: ['\\.test\\.ts$', '^libs/testing/'] },
      to: { path: '^(test|libs/testing)/' },
    },
    ...layersBelow(),
    {
      name: 'no-cycles',
      comment: 'No circular imports, not even for types.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    { name: 'nothing-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // The console is built by Vite and checked by its own TypeScript configuration.
    exclude: { path: '^(dist|node_modules|apps/console)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ['source', 'import', 'require', 'node', 'default'],
      extensions: ['.ts', '.js', '.json'],
    },
  },
};
