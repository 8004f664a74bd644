import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { type ApiRequest, PublicRoute } from '#platform/http';
import { SingleSignOnService } from './single-sign-on.service';

/** Addresses that a browser opens, not operations of the API (docs/console.md). */
@Controller('console/sign-in')
export class SingleSignOnController {
  constructor(private readonly singleSignOn: SingleSignOnService) {}

  @Get('provider')
  @PublicRoute()
  begin(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    return this.singleSignOn.begin(request, response);
  }

  @Get('callback')
  @PublicRoute()
  finish(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    return this.singleSignOn.finish(request, response);
  }
}
