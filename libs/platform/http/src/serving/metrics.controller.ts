import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Metrics } from '#platform/process';
import { PublicRoute } from '../operation';

@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @PublicRoute()
  async read(@Res() response: Response): Promise<void> {
    response.type(this.metrics.contentType).end(await this.metrics.text());
  }
}
