import { Inject, Injectable } from '@nestjs/common';
import { InjectThrottlerStorage, type ThrottlerStorage } from '@nestjs/throttler';
import type { Response } from 'express';
import type { EntityManager } from 'typeorm';
import {
  consolePathOf,
  endSession,
  endSessions,
  memberByEmail,
  type OpenedSession,
  ResetTokens,
  redeemLink,
  setPassword,
  signIn,
} from '#domain/staff';
import { type Caller, StaffSessions } from '#platform/access';
import { SETTINGS, type Settings } from '#platform/config';
import { Database, NIL_ID, Organization, Partner, StaffMember } from '#platform/database';
import { type ApiRequest, counterUse, setStaffCookie, staffCookieOf, uuidOf } from '#platform/http';
import { errors, normalizeEmail } from '#platform/validation';
import { consoleErrors } from '../console.errors';
import { Devices } from './devices';
import { forgottenMail } from './forgotten-mail';
import { Mailer } from './mailer';
import type {
  ForgottenPassword,
  LinkRedemption,
  NewPassword,
  SignIn,
  SignInOptions,
  StaffIdentity,
} from './session.dto';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Opens, reads and ends staff sessions. */
@Injectable()
export class SessionService {
  private readonly devices: Devices;
  private readonly resets: ResetTokens;

  constructor(
    private readonly database: Database,
    private readonly sessions: StaffSessions,
    @Inject(SETTINGS) private readonly settings: Settings,
    @InjectThrottlerStorage() private readonly allowances: ThrottlerStorage,
    private readonly mailer: Mailer,
  ) {
    this.devices = new Devices(settings.SIGNING_SECRETS);
    this.resets = new ResetTokens(settings.SIGNING_SECRETS);
  }

  /** @throws ApiError 403 for a link that was used, has expired, or does not exist */
  async redeem(
    request: ApiRequest,
    response: Response,
    { organization: slug, token }: LinkRedemption,
  ): Promise<StaffIdentity> {
    const { resets } = this;
    const session = await redeemLink(this.database, { slug, token, origin: request.ip ?? null, resets });
    if (!session) throw consoleErrors.linkNotValid();
    return this.opened(request, response, session);
  }

  /**
   * Attempts are also counted per email, against guesses from many addresses; those in a browser where the member has signed in
   * before, per browser.
   *
   * @throws ApiError 403 if email and password do not match, 429 after too many attempts
   */
  async signIn(
    request: ApiRequest,
    response: Response,
    { organization: slug, email, password }: SignIn,
  ): Promise<StaffIdentity> {
    if (!this.settings.STAFF_PASSWORDS) throw consoleErrors.noPasswords();
    const who = `${slug}/${normalizeEmail(email)}`;
    const device = this.devices.nameOf(request, who);
    if (device) await this.countAttempt('signInOfDevice', device);
    else await this.countAttempt('signInOfEmail', who);
    const origin = request.ip ?? null;
    const session = await signIn(this.database, { slug, email, password, origin });
    if (!session) throw consoleErrors.notSignedIn();
    return this.opened(request, response, session);
  }

  options(): SignInOptions {
    const { OIDC_ISSUER, STAFF_PASSWORDS } = this.settings;
    const singleSignOn = OIDC_ISSUER !== undefined;
    return { passwords: STAFF_PASSWORDS, singleSignOn, mail: STAFF_PASSWORDS && this.mailer.isSet };
  }

  /**
   * Mails a member who forgot the password a link, after the response.
   *
   * @throws ApiError 403 without a mail server or where passwords are not in use, 429 after as many mails to an address within an hour as there may be attempts within a minute
   */
  async mailLink(request: ApiRequest, { organization: slug, email }: ForgottenPassword): Promise<void> {
    const { STAFF_PASSWORDS, PUBLIC_URL } = this.settings;
    if (!STAFF_PASSWORDS) throw consoleErrors.noPasswords();
    if (this.mailer.isSet)
      await this.countAttempt('mailOfEmail', `${slug}/${normalizeEmail(email)}`, HOUR_MS);
    const language = request.acceptsLanguages('en', 'de') === 'de' ? 'de' : 'en';
    this.mailer.sendLater(async () => {
      const member = await memberByEmail(this.database, slug, email);
      const link = member && `${PUBLIC_URL}${consolePathOf(slug, this.resets.newFor(member))}`;
      return link ? forgottenMail(language, { to: member.email, slug, link }) : undefined;
    });
  }

  async signOut(
    request: ApiRequest,
    response: Response,
    { organizationId, keyId: id }: Caller,
    everywhere = false,
  ): Promise<void> {
    const { secret = '' } = staffCookieOf(request) ?? {};
    await this.within(organizationId, (manager) =>
      everywhere ? endSessions(manager, { organizationId, id }) : endSession(manager, organizationId, secret),
    );
    this.sessions.forget(organizationId);
    setStaffCookie(request, response, organizationId, undefined, 0);
  }

  /** @throws ApiError 403 where passwords are not in use, or if the current password does not match */
  async setPassword(
    request: ApiRequest,
    caller: Caller,
    { currentPassword: current, password }: NewPassword,
  ): Promise<void> {
    if (!this.settings.STAFF_PASSWORDS) throw consoleErrors.noPasswords();
    const { organizationId, keyId: memberId } = caller;
    const secret = staffCookieOf(request)?.secret ?? '';
    const by = { type: 'STAFF', id: memberId, origin: request.ip ?? null } as const;
    const asked = { organizationId, memberId, current, password, secret };
    if (!(await setPassword(this.database, asked, by))) throw consoleErrors.wrongPassword();
  }

  async identity({ organizationId, keyId: id }: Caller): Promise<StaffIdentity> {
    return this.within(organizationId, async (manager) => {
      const member = await manager.findOneByOrFail(StaffMember, { organizationId, id });
      const organization = await manager.findOneByOrFail(Organization, { id: organizationId });
      return identityOf({ member, organization, partner: await partnerOf(manager, member) });
    });
  }

  private within<T>(organizationId: string, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.database.of(organizationId).transaction(work);
  }

  /** Sets the cookie of a session that was opened. */
  async opened(request: ApiRequest, response: Response, session: OpenedSession): Promise<StaffIdentity> {
    const { STAFF_SESSION_HOURS } = this.settings;
    const { member, secret } = session;
    setStaffCookie(request, response, member.organizationId, secret, STAFF_SESSION_HOURS * 3_600);
    this.devices.remember(request, response, `${session.organization.slug}/${member.emailNormalized}`);
    const { organizationId } = member;
    const partner = await this.within(organizationId, (manager) => partnerOf(manager, member));
    return identityOf({ ...session, partner });
  }

  /** @throws ApiError 429 */
  async countAttempt(what: string, who: string, within = MINUTE_MS): Promise<void> {
    const { isBlocked, timeToExpire } = await this.allowances.increment(
      counterUse({ organizationId: NIL_ID, keyId: uuidOf(who), operation: what }, 'signIn'),
      within,
      this.settings.RATE_SIGN_IN,
      0,
      'default',
    );
    if (isBlocked) throw errors.tooMany(timeToExpire);
  }
}

async function partnerOf(
  manager: EntityManager,
  { organizationId, partnerId: id }: StaffMember,
): Promise<Partner | null> {
  return id ? manager.findOneByOrFail(Partner, { organizationId, id }) : null;
}

const identityOf = ({
  member: { id, email, role, passwordHash },
  organization,
  partner,
}: Pick<OpenedSession, 'member' | 'organization'> & { partner: Partner | null }): StaffIdentity => ({
  id,
  email,
  role,
  hasPassword: passwordHash !== null,
  organization: {
    id: organization.id,
    slug: organization.slug,
    name: organization.name,
    sandbox: organization.sandbox,
  },
  partner: partner && { id: partner.id, name: partner.name },
});
