import { Agent, get } from 'node:http';
import { createInterface } from 'node:readline';
import type { SteadyJob, SteadySeen } from './steady';

/** Its first line of input is the job; a blank comes out once it is warm; it ends, and says what it saw, with the input. */
const WARM = 50;

async function main(): Promise<void> {
  const lines = createInterface({ input: process.stdin });
  const { value } = await lines[Symbol.asyncIterator]().next();
  const { url, requests, everyMs } = JSON.parse(value as string) as SteadyJob;
  const agent = new Agent({ keepAlive: true });
  let errors = 0;
  let sent = 0;
  const ask = async (): Promise<number> => {
    const { path, headers } = requests[sent++ % requests.length] ?? { path: '/' };
    const began = performance.now();
    const status = await new Promise<number | undefined>((resolve) => {
      get(url + path, { agent, headers }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode));
      }).on('error', () => resolve(undefined));
    });
    if (status !== 200) errors += 1;
    return performance.now() - began;
  };
  for (let n = 0; n < WARM; n++) await ask();
  const asked: Promise<number>[] = [];
  const timer = setInterval(() => asked.push(ask()), everyMs);
  process.stdout.write(' ');
  lines.on('close', async () => {
    clearInterval(timer);
    const times = (await Promise.all(asked)).sort((a, b) => a - b);
    const at = (part: number) => times[Math.floor((times.length - 1) * part)] ?? 0;
    const seen: SteadySeen = {
      p50: at(0.5),
      p99: at(0.99),
      worst: at(1),
      requests: times.length,
      errors,
    };
    process.stdout.write(JSON.stringify(seen));
    agent.destroy();
  });
}

void main();
