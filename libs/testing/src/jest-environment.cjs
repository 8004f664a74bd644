const { TestEnvironment } = require('jest-environment-node');

/** After each file, mocks are restored, and timers and environment variables are what they were. */
class KeptEnvironment extends TestEnvironment {
  constructor(...given) {
    super(...given);
    this.symbols = new Set(Object.getOwnPropertySymbols(this.global));
    this.variables = { ...this.global.process.env };
  }

  async teardown() {
    const { global, symbols, variables } = this;
    this.moduleMocker.restoreAllMocks();
    this.fakeTimers.dispose();
    this.fakeTimersModern.dispose();
    // Jest keeps the tests and listeners of a file there.
    for (const symbol of Object.getOwnPropertySymbols(global))
      if (!symbols.has(symbol)) delete global[symbol];
    const { env } = global.process;
    for (const name of Object.keys(env)) if (!(name in variables)) delete env[name];
    Object.assign(env, variables);
  }
}

let kept;

/**
 * The environment of Node, one for all test files of a process: what is loaded into it (`jest-runtime.cjs`) stays loaded and
 * compiled.
 */
module.exports = function environment(...given) {
  kept ??= new KeptEnvironment(...given);
  return kept;
};
