import { countProcesses, Shared } from '#libs/testing';

/** By suite, the paths of its files from the root. jest.config.cjs sets them. */
declare const suites: string[][];

/**
 * Runs the files of a suite one after the other. They share the modules that they load, and what they use of `Shared`; Jest alone
 * loads most of the API again for each file. After each file, mocks, timers and environment variables are what they were.
 */
export function runSuite(place: number): void {
  countProcesses();
  const closeShared = Shared.keepAll();
  for (const path of suites[place] ?? []) {
    describe(path, () => {
      let variables: NodeJS.ProcessEnv;
      beforeAll(() => {
        variables = { ...process.env };
      });
      require(`../../${path}`);
      afterAll(() => {
        jest.restoreAllMocks();
        jest.useRealTimers();
        for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
        Object.assign(process.env, variables);
      });
    });
  }
  afterAll(closeShared);
}
