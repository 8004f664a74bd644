import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Readiness } from '#platform/process';
import { PublicRoute } from '../operation';

@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** Liveness: does not depend on other services, because a restart would not help. */
  @Get('live')
  @PublicRoute()
  live(): { live: true } {
    return { live: true };
  }

  /** Readiness: whether the process can serve requests. */
  @Get('ready')
  @PublicRoute()
  async ready(@Res() response: Response): Promise<void> {
    const state = await this.readiness.state();
    response.status(state.ready ? 200 : 503).json(state);
  }
}
