import { Body, Controller, Delete, Get, Post, Put, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '#platform/access';
import { type ApiRequest, Call, NEVER_REFUSED, Operation, QueryValues } from '#platform/http';
import { boolean } from '#platform/queries';
import { MEMBERS, SIGNING_IN } from '../roles';
import {
  Done,
  ForgottenPassword,
  LinkRedemption,
  NewPassword,
  SignIn,
  SignInOptions,
  StaffIdentity,
} from './session.dto';
import { SessionService } from './session.service';

const DONE: Done = { success: true };

@Controller('console/v1')
export class SessionController {
  constructor(private readonly sessions: SessionService) {}

  @Post('session/redeem')
  @Operation({
    ...SIGNING_IN,
    name: 'redeemStaffLink',
    summary: 'Sign in with a one-time link',
    description: 'The response sets the session cookie. A link works once.',
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
    ...SIGNING_IN,
    name: 'signIn',
    summary: 'Sign in with email and password',
    description: 'The response sets the session cookie.',
    body: SignIn,
    answers: StaffIdentity,
  })
  signIn(@Req() request: ApiRequest, @Res({ passthrough: true }) response: Response, @Body() body: SignIn) {
    return this.sessions.signIn(request, response, body);
  }

  @Post('session/forgotten')
  @Operation({
    ...SIGNING_IN,
    name: 'mailSignInLink',
    writes: NEVER_REFUSED,
    summary: 'Mail a sign-in link to a member who forgot the password',
    description:
      'The response is the same whether there is such a member or not. The link works once, within an hour, and ends the present password and all sessions. ' +
      'There are at most as many mails an hour for an email address as attempts to sign in a minute; then `429`. Without a mail server (SMTP_URL), `403`.',
    body: ForgottenPassword,
    answers: Done,
  })
  async forgotten(@Req() request: ApiRequest, @Body() body: ForgottenPassword): Promise<Done> {
    await this.sessions.mailLink(request, body);
    return DONE;
  }

  @Get('session/options')
  @Operation({
    ...SIGNING_IN,
    name: 'getSignInOptions',
    summary: 'Read how staff may sign in',
    rate: 'wide',
    answers: SignInOptions,
  })
  options(): SignInOptions {
    return this.sessions.options();
  }

  @Delete('session')
  @Operation({
    ...MEMBERS,
    name: 'signOut',
    summary: 'Sign out',
    query: { everywhere: boolean('In every browser, not only in this one.') },
    answers: Done,
  })
  async signOut(
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
    @Call() caller: Caller,
    @QueryValues() { everywhere }: { everywhere?: boolean },
  ): Promise<Done> {
    await this.sessions.signOut(request, response, caller, everywhere);
    return DONE;
  }

  @Get('me')
  @Operation({
    ...MEMBERS,
    name: 'getStaffIdentity',
    summary: 'Read who is signed in',
    answers: StaffIdentity,
  })
  me(@Call() caller: Caller) {
    return this.sessions.identity(caller);
  }

  @Put('me/password')
  @Operation({
    ...MEMBERS,
    name: 'setPassword',
    writes: NEVER_REFUSED,
    summary: 'Set the password',
    description:
      'All other sessions of the member end. A member who has a password must send it as `currentPassword`; without it, the response is `403`.',
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
