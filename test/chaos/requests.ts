/** What a client does again and again, with a pause in milliseconds. */
export type Loop = readonly [step: () => Promise<unknown>, pauseMs: number];

/** The kinds of requests that clients send all the time. */
export const KINDS = [
  'partner created',
  'partner read',
  'newest partners',
  'bookings imported',
  'credits imported',
  'key used again',
  'timing',
  'race-day update',
  'registration check',
  'staff read',
  'participants read',
  'staff cancelled a booking',
  'import job read by staff',
  'import undone',
  'change events',
  'partner with its ETag',
  'partner renamed',
  'page of partners',
  'stranger’s read',
  'stranger’s list',
  'poller',
] as const;
type Kind = (typeof KINDS)[number] | 'total';

export interface Reply {
  status: number;
  headers: Headers;
  body: any;
}

export interface Asked {
  method?: string;
  body?: unknown;
  token?: string;
  headers?: Record<string, string>;
  /** The statuses that a client can get without a fault; the default is 200. */
  expected?: readonly number[];
}

const PATIENCE_MS = 30_000;
const EXAMPLES = 10;
const OK = [200];

/** Sends requests to any of the APIs, and records what should not have been answered. */
export class Requests {
  /** Expected responses by kind. */
  readonly answered: Partial<Record<Kind, number>> = {};
  /** Without a response, or 503: permitted while faults last. */
  unavailable = 0;
  /** Responses that no fault explains: neither expected nor 503 with `retry-after`. */
  refusedWrongly = 0;
  readonly examples: string[] = [];
  /** Requests that are sent from here on may not be unavailable. */
  healed = false;
  unavailableLater = 0;
  private turn = 0;

  constructor(
    private readonly urls: readonly string[],
    private readonly token: string,
  ) {}

  /** @returns the response, if it is expected; otherwise undefined: without a response, the request may have succeeded */
  async ask(kind: Kind, path: string, asked: Asked = {}): Promise<Reply | undefined> {
    const { method = 'GET', body, token = this.token, headers, expected = OK } = asked;
    this.turn += 1;
    const { healed } = this;
    const url = this.urls[this.turn % this.urls.length] as string;
    try {
      const response = await fetch(url + path, {
        method,
        headers: {
          ...(token !== '' && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      const text = await response.text();
      const reply = {
        status: response.status,
        headers: response.headers,
        body: text === '' ? undefined : JSON.parse(text),
      };
      return this.isExpected(kind, reply, expected, healed) ? reply : undefined;
    } catch (error) {
      this.away(`${kind}: ${error} ${(error as Error).cause ?? ''}`, healed);
      return undefined;
    }
  }

  /** The status of each API. */
  everywhere(path: string, token: string): Promise<number[]> {
    const headers = { authorization: `Bearer ${token}` };
    return Promise.all(this.urls.map(async (url) => (await fetch(url + path, { headers })).status));
  }

  example(text: string): void {
    if (this.examples.length < EXAMPLES) this.examples.push(text);
  }

  private isExpected(
    kind: Kind,
    { status, headers, body }: Reply,
    expected: readonly number[],
    healed: boolean,
  ) {
    if (expected.includes(status)) {
      this.answered[kind] = (this.answered[kind] ?? 0) + 1;
      return true;
    }
    if (status === 503 && headers.get('retry-after')) this.away(`${kind}: 503`, healed);
    else {
      this.refusedWrongly += 1;
      this.example(`${kind}: ${status} ${JSON.stringify(body)}`);
    }
    return false;
  }

  private away(example: string, healed: boolean): void {
    this.unavailable += 1;
    if (!healed) return;
    this.unavailableLater += 1;
    this.example(`after healing: ${example}`);
  }
}
