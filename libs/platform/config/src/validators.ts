import { bool, EnvError, host, makeValidator, port, str, url } from 'envalid';
import ipaddr from 'ipaddr.js';
import { databaseServers } from './database-url';

/** Descriptions of permitted values, by validator, for the reference of settings. */
export const SHAPES = new Map<unknown, string>();

function shaped<V extends (spec: Record<string, never>) => unknown>(shape: string, validator: V): V {
  SHAPES.set((validator({}) as { _parse: unknown })._parse, shape);
  return validator;
}
/** Settings that matter to most operators: `docs/configuration.md` begins with them. */
export const LEADING = new Set<unknown>();

export function leading<S>(declaration: S): S {
  LEADING.add(declaration);
  return declaration;
}

shaped('text', str);
shaped('a host', host);
shaped('1–65535', port);
shaped('a URL', url);
shaped('true or false', bool);
/** What the library parses, whose errors do not say what is permitted. */
export const LIBRARY_TYPES: ReadonlySet<unknown> = new Set(SHAPES.keys());

/** A whole number. */
export const between = (min: number, max: number, spec: { default: number; desc: string }) =>
  shaped(
    max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `${min}–${max}`,
    makeValidator<number>((input) => {
      const value = Number(input);
      if (!Number.isInteger(value) || value < min || value > max) {
        throw new EnvError(`must be a whole number from ${min} to ${max}`);
      }
      return value;
    }),
  )(spec);

/** Words of examples and of secrets that people type. */
const PLACEHOLDER = /secret|passw|change.?me|example|default|placeholder|replace.?me|random|[<>…]/i;

/** 32 random bytes in base64. One in a million contains one of the words. */
const BASE64 = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[\w+/-]{43}=?$/;

/** The fewest distinct characters, and distinct differences between neighbors: `xxxx…`, `0101…` and `abcd…` have fewer. */
const FEWEST_KINDS = 8;

/** A guessed secret lets an attacker sign keys for every organization. */
function isGuessable(secret: string): boolean {
  const codes = [...Buffer.from(secret)];
  const steps = codes.slice(1).map((code, i) => code - (codes[i] as number));
  const repeated = `${secret}${secret}`.indexOf(secret, 1) < secret.length;
  return (
    repeated ||
    (PLACEHOLDER.test(secret) && !BASE64.test(secret)) ||
    new Set(codes).size < FEWEST_KINDS ||
    new Set(steps).size < FEWEST_KINDS
  );
}

const LEAST_CHARACTERS = 32;

export const longSecret = shaped(
  'text of at least 32 characters',
  makeValidator<string>((input) => {
    if (input.length < LEAST_CHARACTERS) throw new EnvError('must be at least 32 characters long');
    return input;
  }),
);

/** `kid:secret` pairs, comma separated. */
export const signingSecrets = shaped(
  '`kid:secret`, comma separated',
  makeValidator<{ kid: string; secret: string }[]>((input) => {
    const pairs = input.split(',').map((pair) => {
      const [kid = '', ...rest] = pair.split(':');
      const secret = rest.join(':');
      if (!/^[\w-]{1,32}$/.test(kid)) throw new EnvError('must be kid:secret pairs, comma separated');
      if (Buffer.byteLength(secret) < 32) throw new EnvError(`secret ${kid} must be at least 32 bytes long`);
      if (isGuessable(secret)) {
        throw new EnvError(`secret ${kid} is guessable; generate one with \`openssl rand -hex 32\``);
      }
      return { kid, secret };
    });
    const twice = pairs.find(({ kid }, i) => pairs.findIndex((pair) => pair.kid === kid) !== i);
    if (twice) throw new EnvError(`kid ${twice.kid} is given twice; each secret needs its own kid`);
    return pairs;
  }),
);

const CHECKOUT_PLACEHOLDERS = ['{countryCode}', '{organizationSlug}', '{slug}'];

const checkoutTemplate = (text: string): string => {
  const placeholders = text.match(/\{\w*\}/g) ?? [];
  if (!URL.canParse(text.replace(/\{\w+\}/g, 'x')) || !text.includes('{slug}')) {
    throw new EnvError('must be a URL that contains {slug}');
  }
  const unknown = placeholders.find((name) => !CHECKOUT_PLACEHOLDERS.includes(name));
  if (unknown) throw new EnvError(`may contain ${CHECKOUT_PLACEHOLDERS.join(', ')}, but not ${unknown}`);
  return text;
};
export const urlTemplate = shaped('a URL with `{slug}`', makeValidator<string>(checkoutTemplate));

/** `country=template` pairs, comma separated; by country, in lower case. */
export const urlTemplatesByCountry = shaped(
  '`country=URL`, comma separated',
  makeValidator<ReadonlyMap<string, string>>((input) => {
    const templates = new Map<string, string>();
    for (const pair of input.split(',').filter(Boolean)) {
      const [, country, template] = /^\s*([A-Za-z]{2})\s*=\s*(\S+)\s*$/.exec(pair) ?? [];
      if (!country || !template) throw new EnvError('must be country=URL pairs, comma separated');
      templates.set(country.toLowerCase(), checkoutTemplate(template));
    }
    return templates;
  }),
);

/** Plain http is permitted only for this machine: with it, a person in the network path could sign in as staff. */
export const issuer = shaped(
  'an https URL',
  makeValidator<string>((input) => {
    const { protocol, hostname } = URL.canParse(input) ? new URL(input) : { protocol: '', hostname: '' };
    const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
    if (protocol === 'https:' || (protocol === 'http:' && isLocal)) return input;
    throw new EnvError('must be an https URL');
  }),
);

/** Without a slash at its end, because paths follow it. */
export const baseUrl = shaped(
  'a URL',
  makeValidator<string>((input) => {
    if (!URL.canParse(input)) throw new EnvError('must be a URL');
    return input.replace(/\/+$/, '');
  }),
);

/** As security.txt names it (RFC 9116): `mailto:` or an https URL. */
export const contact = shaped(
  'an email address or an https URL',
  makeValidator<string>((input) => {
    if (/^[^\s@:/]+@[^\s@]+\.[^\s@]+$/.test(input)) return `mailto:${input}`;
    if (URL.canParse(input) && new URL(input).protocol === 'https:') return input;
    throw new EnvError('must be an email address or an https URL');
  }),
);

export const share = shaped(
  '0–1',
  makeValidator<number>((input) => {
    const value = Number(input);
    if (!(value >= 0 && value <= 1)) throw new EnvError('must be a number from 0 to 1');
    return value;
  }),
);

/** `kid:key` pairs, comma separated: AES-256 keys in hexadecimal. */
export const secretsKeys = shaped(
  '`kid:key`, comma separated',
  makeValidator<{ kid: string; key: Buffer }[]>((input) =>
    input.split(',').map((pair) => {
      const [, kid, hex] = /^([\w-]{1,32}):([0-9a-fA-F]{64})$/.exec(pair.trim()) ?? [];
      if (!kid || !hex) throw new EnvError('must be kid:key pairs, comma separated; a key is 64 hex digits');
      if (isGuessable(hex)) {
        throw new EnvError(`key ${kid} is guessable; generate one with \`openssl rand -hex 32\``);
      }
      return { kid, key: Buffer.from(hex, 'hex') };
    }),
  ),
);

/** Networks as `address/bits`, comma separated. */
export const networks = shaped(
  'networks, comma separated',
  makeValidator<ReturnType<typeof ipaddr.parseCIDR>[]>((input) =>
    input.split(',').map((text) => {
      if (!ipaddr.isValidCIDR(text.trim()))
        throw new EnvError(`must be networks such as 10.0.0.0/8, not ${text}`);
      return ipaddr.parseCIDR(text.trim());
    }),
  ),
);

/** Networks, addresses, or Express's names of networks, comma separated; as text. */
export const proxies = shaped(
  'networks or addresses, comma separated',
  makeValidator<string>((input) => {
    const wrong = input
      .split(',')
      .map((text) => text.trim())
      .find(
        (text) =>
          !ipaddr.isValidCIDR(text) &&
          !ipaddr.isValid(text) &&
          !['', 'loopback', 'linklocal', 'uniquelocal'].includes(text),
      );
    if (wrong) throw new EnvError(`must be networks such as loopback,10.0.0.0/8, not ${wrong}`);
    return input;
  }),
);

const REDIS_SCHEMES = ['redis:', 'rediss:'];
export const smtpUrl = shaped(
  'a URL',
  makeValidator<string>((input) => {
    if (URL.canParse(input) && ['smtp:', 'smtps:'].includes(new URL(input).protocol)) return input;
    throw new EnvError(
      'must be a URL such as smtps://user:password@mail.example.com, or smtp:// with STARTTLS',
    );
  }),
);

export const redisUrl = shaped(
  'a URL',
  makeValidator<string>((input) => {
    if (URL.canParse(input) && REDIS_SCHEMES.includes(new URL(input).protocol)) return input;
    throw new EnvError('must be a URL such as redis://user:password@host:6379/0, or rediss:// with TLS');
  }),
);

/** One server, or several of which one is the primary. */
export const databaseUrl = shaped(
  'a URL, with one host or several',
  makeValidator<string>((input) => {
    try {
      databaseServers(input);
      return input;
    } catch (error) {
      throw new EnvError((error as Error).message);
    }
  }),
);

/** `host:port`, comma separated; an IPv6 address is in brackets. */
export const sentinels = shaped(
  '`host:port`, comma separated',
  makeValidator<{ host: string; port: number }[]>((input) =>
    input.split(',').map((text) => {
      const [, host = '', port] = /^\[?([^\s[\]]+?)\]?:(\d{1,5})$/.exec(text.trim()) ?? [];
      if (!host || !(Number(port) > 0 && Number(port) < 65_536))
        throw new EnvError('must be host:port, comma separated');
      return { host, port: Number(port) };
    }),
  ),
);

export const seconds = shaped(
  'seconds, comma separated',
  makeValidator<number[]>((input) =>
    input.split(',').map((text) => {
      const value = Number(text);
      if (!text.trim() || !(value >= 0 && value <= 31_536_000))
        throw new EnvError('must be seconds, comma separated');
      return value;
    }),
  ),
);

export const QUEUES = ['imports', 'race-day', 'persons', 'webhooks'] as const;
export const queues = shaped(
  'queues, comma separated',
  makeValidator<(typeof QUEUES)[number][]>((input) =>
    input.split(',').map((text) => {
      const queue = QUEUES.find((name) => name === text.trim());
      if (!queue) throw new EnvError(`must be some of ${QUEUES.join(', ')}, comma separated`);
      return queue;
    }),
  ),
);

type WholeNumber = Parameters<typeof between>[2];
export const rate = (spec: WholeNumber) => between(1, 10_000_000, spec);
/** `docs/configuration.md` names their values once. */
export const milliseconds = (spec: WholeNumber) => {
  const declared = between(1, 3_600_000, spec);
  SHAPES.set((declared as unknown as { _parse: unknown })._parse, '');
  return declared;
};
