import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Readiness } from '#libs/operations';
import { PublicRoute } from '../operation';

@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** The process runs, whatever it depends on: restarting it would help nothing. */
  @Get('live')
  @PublicRoute()
  live(): { live: true } {
    return { live: true };
  }

  /** Whether to send requests here. */
  @Get('ready')
  @PublicRoute()
  async ready(@Res() response: Response): Promise<void> {
    const state = await this.readiness.state();
    response.status(state.ready ? 200 : 503).json(state);
  }
}
