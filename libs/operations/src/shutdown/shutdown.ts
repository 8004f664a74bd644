import type { Server, ServerResponse } from 'node:http';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { SETTINGS, type Settings } from '#libs/config';

const LOOK_EVERY_MS = 50;

/**
 * The end of a process: no new connections, what is under way gets its answer and then its connection is
 * closed, and what takes longer than SHUTDOWN_MS is cut off. Pools are closed after that.
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
  beforeApplicationShutdown(): void {
    this.begun = true;
    for (const response of this.underWay)
      if (!response.headersSent) response.setHeader('connection', 'close');
    const server = this.host.httpAdapter?.getHttpServer() as Server | undefined;
    if (!server?.listening) return;
    const look = setInterval(() => server.closeIdleConnections(), LOOK_EVERY_MS);
    const cut = setTimeout(() => server.closeAllConnections(), this.settings.SHUTDOWN_MS);
    server.once('close', () => {
      clearInterval(look);
      clearTimeout(cut);
    });
  }
}
