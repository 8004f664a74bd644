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
}

const PATIENCE_MS = 30_000;
const EXAMPLES = 5;

/** Sends requests to any of the APIs, and records what should not have been answered. */
export class Requests {
  /** Responses with 200 by kind. */
  readonly answered: Record<string, number> = {};
  /** Without a response, or 503: permitted while faults last. */
  unavailable = 0;
  /** Responses that no fault explains: neither 200 nor 503 with `retry-after`. */
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

  /** @returns undefined if there was no response; the request may have succeeded */
  async ask(
    kind: string,
    path: string,
    { method = 'GET', body, token, headers }: Asked = {},
  ): Promise<Reply | undefined> {
    this.turn += 1;
    const { healed } = this;
    const url = this.urls[this.turn % this.urls.length] as string;
    try {
      const response = await fetch(url + path, {
        method,
        headers: {
          ...(token !== '' && { authorization: `Bearer ${token ?? this.token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      const reply = {
        status: response.status,
        headers: response.headers,
        body: (await response.json()) as any,
      };
      this.note(kind, reply, healed);
      return reply;
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

  private note(kind: string, { status, headers, body }: Reply, healed: boolean): void {
    if (status === 200) this.answered[kind] = (this.answered[kind] ?? 0) + 1;
    else if (status === 503 && headers.get('retry-after')) this.away(`${kind}: 503`, healed);
    else {
      this.refusedWrongly += 1;
      this.example(`${kind}: ${status} ${JSON.stringify(body)}`);
    }
  }

  private away(example: string, healed: boolean): void {
    this.unavailable += 1;
    if (!healed) return;
    this.unavailableLater += 1;
    this.example(`after healing: ${example}`);
  }

  private example(text: string): void {
    if (this.examples.length < EXAMPLES) this.examples.push(text);
  }
}
