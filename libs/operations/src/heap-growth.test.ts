import { spawnSync } from 'node:child_process';

/** How often V8 collects the whole heap of a process that keeps some objects and replaces others. */
function collections(percent: number): number {
  const script = `
    require('./libs/operations/src/heap-growth').limitHeapGrowth(${percent});
    const { constants, PerformanceObserver } = require('node:perf_hooks');
    let count = 0;
    new PerformanceObserver((list) => {
      count += list.getEntries().filter(({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR).length;
    }).observe({ entryTypes: ['gc'] });
    const kept = Array.from({ length: 400_000 }, (_, i) => ({ i, text: 'kept ' + i }));
    const replaced = new Array(100_000);
    let rounds = 0;
    const timer = setInterval(() => {
      for (let i = 0; i < 400_000; i++) replaced[i % replaced.length] = { i, text: 'replaced ' + i };
      if (++rounds < 25) return;
      clearInterval(timer);
      setTimeout(() => console.log(kept.length && count), 50);
    });
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
