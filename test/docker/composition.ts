import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';

/** A service, as far as the test starts it. */
export interface Service {
  image?: string;
  command?: string[];
  entrypoint?: string[];
  environment?: Record<string, string>;
  deploy?: { replicas?: number; resources?: { limits?: Record<string, unknown> } };
  depends_on?: Record<string, { condition: string }>;
  profiles?: string[];
  read_only?: boolean;
  stop_grace_period?: string;
  [other: string]: unknown;
}

export type Services = Record<string, Service>;

const DOCKER = resolve(__dirname, '../../docker');

/**
 * The services of compose files, later files overriding earlier ones like Docker Compose, with variables replaced
 * from the environment.
 *
 * @throws Error for a required variable without a value
 */
export function services(files: string[], environment: Record<string, string>): Services {
  const all: Services = {};
  for (const file of files) {
    const text = readFileSync(join(DOCKER, file), 'utf8');
    // `!override` replaces the value; here everything except `environment` is replaced.
    const found = parse(text.replaceAll('!override', ''), { merge: true }).services as Services;
    for (const [name, service] of Object.entries(found)) {
      const before = all[name];
      all[name] = {
        ...before,
        ...service,
        environment: filled({ ...before?.environment, ...service.environment }, environment),
      };
    }
  }
  return all;
}

const filled = (values: Record<string, string>, environment: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value.replace(/\$\{(\w+):([?-])([^}]*)\}/g, (_, variable: string, sign: string, words: string) => {
        const given = environment[variable];
        if (!given && sign === '?') throw new Error(`${variable}: ${words}`);
        return given || words;
      }),
    ]),
  );

/** Names in start order. */
export function inOrder(of: Services): string[] {
  const ordered: string[] = [];
  const add = (name: string) => {
    if (ordered.includes(name)) return;
    for (const needed of Object.keys(of[name]?.depends_on ?? {})) add(needed);
    ordered.push(name);
  };
  for (const name of Object.keys(of)) add(name);
  return ordered;
}
