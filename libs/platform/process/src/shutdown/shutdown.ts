import type { Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { SETTINGS, type Settings } from '#platform/config';

const LOOK_EVERY_MS = 50;

/**
 * The shutdown of a process. For DRAIN_MS it is not ready, and each response closes its connection, so that load balancers
 * switch to other processes. Then it refuses connections, finishes requests in progress, and after SHUTDOWN_MS closes the
 * remaining connections. Finally it closes the pools.
 */
@Injectable()
export class Shutdown implements BeforeApplicationShutdown {
  /** Whether the process is shutting down. */
  begun = false;
  private readonly underWay = new Set<ServerResponse>();

  constructor(
    private readonly host: HttpAdapterHost,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  enter(response: ServerResponse): void {
    this.underWay.add(response);
    if (this.begun) response.setHeader('connection', 'close');
  }

  leave(response: ServerResponse): void {
    this.underWay.delete(response);
  }

  get requestsUnderWay(): number {
    return this.underWay.size;
  }

  /** After this, Nest stops listening and waits until the last connection is closed. */
  async beforeApplicationShutdown(): Promise<void> {
    this.begun = true;
    for (const response of this.underWay)
      if (!response.headersSent) response.setHeader('connection', 'close');
    const server = this.host.httpAdapter?.getHttpServer() as Server | undefined;
    if (!server?.listening) return;
    await sleep(this.settings.DRAIN_MS);
    const look = setInterval(() => server.closeIdleConnections(), LOOK_EVERY_MS);
    const cut = setTimeout(() => server.closeAllConnections(), this.settings.SHUTDOWN_MS);
    server.once('close', () => {
      clearInterval(look);
      clearTimeout(cut);
    });
  }
}
