import { Body, Controller, Delete, Get, Post, Put, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '#platform/access';
import { MEMBER_ROLES } from '#platform/database';
import { type ApiRequest, Call, NEVER_REFUSED, Operation } from '#platform/http';
import { Done, LinkRedemption, NewPassword, SignIn, SignInOptions, StaffIdentity } from './session.dto';
import { SessionService } from './session.service';

const DONE: Done = { success: true };

@Controller('console/v1')
export class SessionController {
  constructor(private readonly sessions: SessionService) {}

  @Post('session/redeem')
  @Operation({
    name: 'redeemStaffLink',
    group: 'Console',
    summary: 'Sign in with a one-time link',
    description: 'The response sets the session cookie. A link works once.',
    keys: [],
    anonymous: true,
    rate: 'signIn',
    body: LinkRedemption,
    answers: StaffIdentity,
  })
  redeem(
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
    @Body() body: LinkRedemption,
  ) {
    return this.sessions.redeem(request, response, body);
  }

  @Post('session')
  @Operation({
    name: 'signIn',
    group: 'Console',
    summary: 'Sign in with email and password',
    description: 'The response sets the session cookie.',
    keys: [],
    anonymous: true,
    rate: 'signIn',
    body: SignIn,
    answers: StaffIdentity,
  })
  signIn(@Req() request: ApiRequest, @Res({ passthrough: true }) response: Response, @Body() body: SignIn) {
    return this.sessions.signIn(request, response, body);
  }

  @Get('session/options')
  @Operation({
    name: 'getSignInOptions',
    group: 'Console',
    summary: 'Read how staff may sign in',
    keys: [],
    anonymous: true,
    rate: 'wide',
    answers: SignInOptions,
  })
  options(): SignInOptions {
    return this.sessions.options();
  }

  @Delete('session')
  @Operation({
    name: 'signOut',
    group: 'Console',
    summary: 'Sign out',
    keys: [],
    roles: MEMBER_ROLES,
    rate: 'wide',
    answers: Done,
  })
  async signOut(@Req() request: ApiRequest, @Res({ passthrough: true }) response: Response): Promise<Done> {
    await this.sessions.signOut(request, response);
    return DONE;
  }

  @Delete('sessions')
  @Operation({
    name: 'signOutEverywhere',
    group: 'Console',
    summary: 'Sign out in every browser',
    keys: [],
    roles: MEMBER_ROLES,
    rate: 'wide',
    answers: Done,
  })
  async signOutEverywhere(
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
    @Call() caller: Caller,
  ): Promise<Done> {
    await this.sessions.signOutEverywhere(request, response, caller);
    return DONE;
  }

  @Get('me')
  @Operation({
    name: 'getStaffIdentity',
    group: 'Console',
    summary: 'Read who is signed in',
    keys: [],
    roles: MEMBER_ROLES,
    rate: 'wide',
    answers: StaffIdentity,
  })
  me(@Call() caller: Caller) {
    return this.sessions.identity(caller);
  }

  @Put('me/password')
  @Operation({
    name: 'setPassword',
    writes: NEVER_REFUSED,
    group: 'Console',
    summary: 'Set the password',
    description:
      'All other sessions of the member end. A member who has a password must send it as `currentPassword`; without it, the response is `403`.',
    keys: [],
    roles: MEMBER_ROLES,
    rate: 'signIn',
    body: NewPassword,
    answers: Done,
  })
  async setPassword(
    @Req() request: ApiRequest,
    @Call() caller: Caller,
    @Body() body: NewPassword,
  ): Promise<Done> {
    await this.sessions.setPassword(request, caller, body);
    return DONE;
  }
}
