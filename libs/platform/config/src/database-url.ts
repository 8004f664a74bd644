/** The servers that a database URL names. */
export interface DatabaseServers {
  /** A URL for each server. */
  urls: [string, ...string[]];
  /** Which of them to connect to. Undefined: there is only one, whatever it is. */
  wants: 'primary' | 'standby' | 'any' | undefined;
}

/** pg takes these as `verify-full`, and warns that a later release will not. */
const TLS_MODES = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/;

const ATTRIBUTE = 'target_session_attrs';
const WANTS: Record<string, DatabaseServers['wants']> = {
  'read-write': 'primary',
  primary: 'primary',
  'read-only': 'standby',
  standby: 'standby',
  any: 'any',
};

/** The scheme with user and password, the hosts, and the rest. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/;

/**
 * Reads a URL as libpq does: `postgres://user:password@a:5432,b:5432/name?target_session_attrs=read-write`. Several servers
 * without `target_session_attrs` mean the primary, because Startline writes.
 *
 * @throws Error if it is not such a URL, with the rule
 */
export function databaseServers(setting: string): DatabaseServers {
  const url = setting.replace(TLS_MODES, '$1verify-full');
  const [, start = '', hosts = '', rest = ''] = PARTS.exec(url) ?? [];
  const servers = hosts.split(',').map((host) => start + host + rest);
  if (!servers.every((each) => URL.canParse(each)))
    throw new Error('must be a URL such as postgres://user:password@a:5432,b:5432/name');
  const [first = '', ...others] = servers.map((each) => new URL(each).href);
  const asked = new URL(first).searchParams.get(ATTRIBUTE);
  if (asked !== null && !WANTS[asked]) {
    throw new Error(`${ATTRIBUTE} must be one of ${Object.keys(WANTS).join(', ')}`);
  }
  if (asked === null && others.length === 0) return { urls: [url], wants: undefined };
  return { urls: [first, ...others], wants: asked === null ? 'primary' : WANTS[asked] };
}
