import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';

/** A service, as far as we start it. */
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
 * The services of compose files, later ones over earlier ones as Docker Compose lays them, with what the
 * environment holds in place of its variables.
 *
 * @throws Error for a variable that has to be set
 */
export function services(files: string[], environment: Record<string, string>): Services {
  const all: Services = {};
  for (const file of files) {
    const text = readFileSync(join(DOCKER, file), 'utf8');
    // `!override` replaces what it stands before; as everything is replaced here but `environment`.
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

/** Names in the order in which they may start. */
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
