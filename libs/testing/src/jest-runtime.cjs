const { Script } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/** By path. A file is not transformed in two ways in one process. */
const scripts = new Map();

/**
 * Jest's runtime, which compiles a module for every test file that loads it, and most of them load most of the api. Here a
 * process compiles it once: test files share the code, and nothing else.
 */
module.exports = class SharedCode extends Runtime {
  constructor(...given) {
    super(...given);
    const { executor } = this;
    const compile = executor.compile.bind(executor);
    executor.compile = (source, path) => {
      const context = executor.environment.getVmContext();
      let known = scripts.get(path);
      if (known?.source !== source) {
        const before = `(function (${executor.injectedModuleParameters.join(', ')}) {`;
        try {
          const script = new Script(`${before}${source}\n})`, {
            filename: path,
            columnOffset: -before.length,
          });
          known = { source, script };
        } catch {
          // Jest explains what is wrong.
          return compile(source, path);
        }
        scripts.set(path, known);
      }
      return context && known.script.runInContext(context);
    };
  }
};
