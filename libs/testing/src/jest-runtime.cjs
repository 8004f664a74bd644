const { default: Runtime } = require('jest-runtime');

/** By path. */
const modules = new Map();
let current;

const isTest = (path) => path.endsWith('.test.ts');

/**
 * Jest's runtime, which loads all modules again for each test file, and most of them load most of the API. Here the files of a
 * process share what is not a test itself, as the parts of a program do.
 */
module.exports = class SharedModules extends Runtime {
  constructor(...given) {
    super(...given);
    current = this;
    const { executor, registries } = this;
    for (const [path, module] of modules) registries.moduleRegistry.set(path, module);
    const compile = executor.compile.bind(executor);
    executor.compile = (source, path) => {
      const compiled = compile(source, path);
      if (!compiled || isTest(path)) return compiled;
      return function (module, exports, require, ...others) {
        // What a module requires later, it requires from the runtime of that time: its first one is over.
        const requireLater = (name) => current.requireModuleOrMock(path, name);
        return compiled.call(this, module, exports, Object.assign(requireLater, require), ...others);
      };
    };
  }

  setMock() {
    throw new Error(
      'jest.mock has no effect on modules that another test file has loaded: use jest.spyOn or jest.replaceProperty',
    );
  }

  teardown() {
    for (const [path, module] of this.registries.moduleRegistry)
      if (module.loaded && !isTest(path)) modules.set(path, module);
    return super.teardown();
  }
};
