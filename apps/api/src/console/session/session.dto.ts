import { PASSWORD_LENGTH } from '#domain/staff';
import type { StaffRole } from '#platform/database';
import { Email, Id, Text, Value } from '#platform/validation';

/** The one-time link of a new member. */
export class LinkRedemption {
  /** The organization's slug, from the link. */
  @Text({ min: 1, max: 100, example: 'demo' }) organization: string;

  /** The token, from the link's fragment. */
  @Text({ min: 1, max: 100, example: 'J5V0bZ4m1gq3s1xqzZcC8n0z0m9o9f2yJv8n3lq2R1w' }) token: string;
}

/** A sign-in with email and password. */
export class SignIn {
  /** The organization's slug. */
  @Text({ min: 1, max: 100, example: 'demo' }) organization: string;
  @Email({ max: 255 }) email: string;

  /** The member’s password. */
  @Text({ min: 1, max: PASSWORD_LENGTH.max, example: 'correct horse battery staple' }) password: string;
}

/** A member who forgot the password. */
export class ForgottenPassword {
  /** The organization's slug. */
  @Text({ min: 1, max: 100, example: 'demo' }) organization: string;
  @Email({ max: 255 }) email: string;
}

/** How staff may sign in here, besides with one-time links. */
export class SignInOptions {
  /** With email and password: `POST /console/v1/session`. */
  passwords: boolean;

  /** With the identity provider: the browser opens `/console/sign-in/provider?organization=<slug>`. */
  singleSignOn: boolean;

  /** Whether this server mails a link to members who forgot their password: `POST /console/v1/session/forgotten`. */
  mail: boolean;
}

/** A new password. */
export class NewPassword {
  /** The present password; required if the member has one. */
  @Text({ max: PASSWORD_LENGTH.max, example: 'wrong pony battery staple' }) currentPassword?: string;

  /** 12 to 128 characters. Length matters, special characters do not. */
  @Text({ min: PASSWORD_LENGTH.min, max: PASSWORD_LENGTH.max, example: 'correct horse battery staple' })
  password: string;
}

/** The organization that a staff member works for. */
export class StaffOrganization {
  @Id() id: string;

  /** Its short name, which links and sign-in use. */
  @Text({ example: 'demo' }) slug: string;
  @Text({ example: 'City Runs' }) name: string;

  /** Whether it is for testing. */
  sandbox: boolean;
}

/** The partner that a member works for. */
export class StaffPartner {
  @Id() id: string;
  @Text({ example: 'River Trust' }) name: string;
}

/** The signed-in member. */
export class StaffIdentity {
  @Id() id: string;
  @Email() email: string;
  role: StaffRole;

  /** Whether the member has set a password. */
  hasPassword: boolean;
  organization: StaffOrganization;

  /** For the role `PARTNER`; otherwise `null`. */
  partner: StaffPartner | null;
}

/** Confirms that the request succeeded. */
export class Done {
  /** Always `true`: a failure is an error. */
  @Value({ example: true }) success: boolean;
}
