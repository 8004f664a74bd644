import { spawnSync } from 'node:child_process';

/** How often V8 collects the whole heap of a process that keeps some objects and replaces others. */
function collections(percent: number): number {
  const script = `
    require('./libs/platform/process/src/heap-growth').limitHeapGrowth(${percent});
    const { constants, PerformanceObserver } = require('node:perf_hooks');
    let count = 0;
    const take = (entries) => {
      count += entries.filter(({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR).length;
    };
    const observer = new PerformanceObserver((list) => take(list.getEntries()));
    observer.observe({ entryTypes: ['gc'] });
    const kept = Array.from({ length: 400_000 }, (_, i) => ({ i, text: 'kept ' + i }));
    const replaced = new Array(100_000);
    let rounds = 0;
    const replace = () => {
      for (let i = 0; i < 400_000; i++) replaced[i % replaced.length] = { i, text: 'replaced ' + i };
      if (++rounds < 25) return setImmediate(replace);
      setImmediate(() => {
        take(observer.takeRecords());
        console.log(kept.length && count);
      });
    };
    replace();
  `;
  const args = ['-C', 'source', '-r', '@swc-node/register', '-e', script];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stderr).toBe('');
  return Number(stdout);
}

describe('limitHeapGrowth', () => {
  it('determines how often V8 collects garbage', () => {
    const often = collections(10);
    const seldom = collections(400);
    expect(often).toBeGreaterThan(2 * seldom);
  });
});
