import type { Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { SETTINGS, type Settings } from '#libs/config';

const LOOK_EVERY_MS = 50;

/**
 * The end of a process: for DRAIN_MS it isn't ready, and each answer closes its connection, so that balancers turn
 * to others before they are refused. Then no new connections, what is under way gets its answer and then its
 * connection is closed, and what takes longer than SHUTDOWN_MS is cut off. Pools are closed after that.
 */
@Injectable()
export class Shutdown implements BeforeApplicationShutdown {
  /** Whether the process is about to end. */
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

  /** Nest stops listening right after this, and waits until the last connection is gone. */
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
