import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestApi } from '../../harness';

export const PUBLIC_URL = 'https://console.example.com';
export const CALLBACK = `${PUBLIC_URL}/console/sign-in/callback`;
export const CLIENT = {
  OIDC_CLIENT_ID: 'startline',
  OIDC_CLIENT_SECRET: 'a secret of the test, which is long enough',
  PUBLIC_URL,
};

/** Who signs in at the provider. */
export interface Claims {
  email?: string;
  email_verified?: unknown;
}

/** A running provider. */
export class RunningProvider {
  private constructor(
    readonly issuer: string,
    private readonly child: ChildProcess,
  ) {}

  static async start(environment: Record<string, string> = {}): Promise<RunningProvider> {
    const child = spawn(process.execPath, [join(__dirname, 'oidc-provider.mjs')], {
      env: { PATH: process.env.PATH, REDIRECT_URI: CALLBACK, ...environment },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = await once(child.stdout as NodeJS.ReadableStream, 'data');
    return new RunningProvider(String(line).trim(), child);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }
}

/** A browser that follows redirects between the console and the provider, and keeps cookies for each. */
export class Visitor {
  readonly cookies = new Map<string, Map<string, string>>();
  landedAt = '';

  constructor(private readonly api: Pick<TestApi, 'url'>) {}

  /** The console's cookies, which the sign-in and its sessions are in. */
  get consoleCookies(): Map<string, string> {
    return this.cookiesOf(this.api.url);
  }

  /** One request. The console's public address is served by the api of the test. */
  async open(address: string): Promise<Response> {
    const url = this.real(address);
    const cookies = [...this.cookiesOf(url)].map((pair) => pair.join('=')).join('; ');
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { ...(cookies && { cookie: cookies }), 'sec-fetch-site': 'cross-site' },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const over = /max-age=0|expires=Thu, 01 Jan 1970/i.test(line);
      if (over) this.cookiesOf(url).delete(name);
      else this.cookiesOf(url).set(name, value);
    }
    return response;
  }

  /** Begins a sign-in and returns the address of the provider, with who signs in there. */
  async begin(organization: string, claims: Claims | 'deny', next?: string): Promise<string> {
    const query = new URLSearchParams({ organization, ...(next !== undefined && { next }) });
    const response = await this.open(`${PUBLIC_URL}/console/sign-in/provider?${query}`);
    const address = response.headers.get('location') ?? '';
    if (!address.startsWith('http')) return address;
    const url = new URL(address);
    const hint = claims === 'deny' ? claims : Buffer.from(JSON.stringify(claims)).toString('base64url');
    url.searchParams.set('login_hint', hint);
    return url.href;
  }

  /** Signs in at the provider, and returns the address of the console to which the provider sends the browser. */
  async answered(organization: string, claims: Claims | 'deny', next?: string): Promise<string> {
    let address = await this.begin(organization, claims, next);
    for (let hops = 0; address && !address.startsWith(CALLBACK); hops++) {
      if (hops > 10) throw new Error(`The provider did not come to an end: ${address}`);
      const response = await this.open(address);
      const location = response.headers.get('location');
      if (!location) throw new Error(`${address} answered ${response.status}: ${await response.text()}`);
      address = new URL(location, address).href;
    }
    return address;
  }

  /** The whole way, and where it ends. */
  async signIn(organization: string, claims: Claims | 'deny', next?: string): Promise<string> {
    return this.landing(await this.answered(organization, claims, next));
  }

  /** Where the console sends the browser, without the fragment, which `landedAt` has. */
  async landing(address: string): Promise<string> {
    const response = await this.open(address);
    if (response.status !== 303) return `${response.status}`;
    this.landedAt = response.headers.get('location') ?? '';
    return this.landedAt.split('#')[0] ?? '';
  }

  private real(address: string): string {
    return address.startsWith(PUBLIC_URL) ? this.api.url + address.slice(PUBLIC_URL.length) : address;
  }

  private cookiesOf(url: string): Map<string, string> {
    const { host } = new URL(url);
    const cookies = this.cookies.get(host) ?? new Map<string, string>();
    this.cookies.set(host, cookies);
    return cookies;
  }
}
