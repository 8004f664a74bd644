/**
 * Loaded into the programs under attack (`--require`). Measures how long their event loop stands still, and how much of that
 * time the thread ran: on a busy machine, the rest is other programs' time. `STILLNESS_PORT` answers with the largest
 * values since the last request, the CPU of the block that as many as OFTEN reach, and the heap after a collection. A
 * period includes up to TICK_MS of work before it.
 */
const { openSync, readSync } = require('node:fs');
const { createServer } = require('node:http');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');
const { isMainThread } = require('node:worker_threads');

const TICK_MS = 5;
const OFTEN = 3;
const NS_PER_MS = 1e6;

if (isMainThread && process.env.STILLNESS_PORT) {
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`);
  const bytes = Buffer.alloc(64);
  const ranMs = () => Number.parseInt(bytes.latin1Slice(0, readSync(file, bytes, 0, 64, 0)), 10) / NS_PER_MS;
  let [at, ran] = [performance.now(), ranMs()];
  let wallMs = 0;
  let longest = new Array(OFTEN).fill(0);
  const look = () => {
    const [now, used] = [performance.now(), ranMs()];
    wallMs = Math.max(wallMs, now - at - TICK_MS);
    longest = [...longest, used - ran].sort((a, b) => b - a).slice(0, OFTEN);
    [at, ran] = [now, used];
  };
  setFlagsFromString('--expose_gc');
  const collect = runInNewContext('gc');
  setInterval(look, TICK_MS).unref();
  createServer((_, response) => {
    look();
    collect();
    const heapMb = process.memoryUsage().heapUsed / 1e6;
    const [cpuMs, oftenCpuMs] = [longest[0], longest.at(-1)];
    response.setHeader('connection', 'close').end(JSON.stringify({ wallMs, cpuMs, oftenCpuMs, heapMb }));
    wallMs = 0;
    longest.fill(0);
    [at, ran] = [performance.now(), ranMs()];
  })
    .listen(Number(process.env.STILLNESS_PORT), '127.0.0.1')
    .unref();
}
