import { createServer, type ServerResponse } from 'node:http';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { SETTINGS, type Settings } from '#platform/config';
import { Readiness } from './health/readiness';
import { Metrics } from './metrics/metrics';

export interface OperationsAnswer {
  status: number;
  type: string;
  body: string;
}

/** Serves metrics and health on METRICS_PORT: for workers, and to hide metrics from clients. */
@Injectable()
export class OperationsServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly server = createServer((request, response) => {
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const answer = this.answers[`${method} ${request.url?.split('?')[0]}`];
    if (answer) answer(response).catch(() => response.destroy());
    else send(response, 404, 'text/plain', `Try ${Object.keys(this.answers).join(', ')}.\n`);
  });

  private readonly answers: Record<string, (response: ServerResponse) => Promise<void>> = {
    'GET /metrics': async (response) =>
      send(response, 200, this.metrics.contentType, await this.metrics.text()),
    'GET /health/live': async (response) => sendJson(response, 200, { live: true }),
    'GET /health/ready': async (response) => {
      const state = await this.readiness.state();
      sendJson(response, state.ready ? 200 : 503, state);
    },
  };

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly metrics: Metrics,
    private readonly readiness: Readiness,
  ) {}

  /** @param operation such as `GET /workers` */
  answer(operation: `GET /${string}`, answer: () => OperationsAnswer): void {
    this.answers[operation] = async (response) => {
      const { status, type, body } = answer();
      send(response, status, type, body);
    };
  }

  async onApplicationBootstrap(): Promise<void> {
    const { METRICS_PORT, HOST } = this.settings;
    if (METRICS_PORT === undefined) return;
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject).listen(METRICS_PORT, HOST, resolve);
    });
  }

  onApplicationShutdown(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type }).end(body);
}

const sendJson = (response: ServerResponse, status: number, body: object): void =>
  send(response, status, 'application/json; charset=utf-8', JSON.stringify(body));
