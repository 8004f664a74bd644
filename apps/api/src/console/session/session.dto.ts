import { IsEmail, IsNotEmpty, IsOptional, IsString, Length, MaxLength } from 'class-validator';
import { PASSWORD_LENGTH } from '#domain/staff';
import type { StaffRole } from '#platform/database';

/** The one-time link of a new member. */
export class LinkRedemption {
  /**
   * The organization's slug, from the link.
   * @maxLength 100
   * @example demo
   */
  @IsString()
  @IsNotEmpty()
  @MaxLength(100)
  organization: string;

  /**
   * The token, from the link's fragment.
   * @maxLength 100
   * @example J5V0bZ4m1gq3s1xqzZcC8n0z0m9o9f2yJv8n3lq2R1w
   */
  @IsString()
  @IsNotEmpty()
  @MaxLength(100)
  token: string;
}

/** A sign-in with email and password. */
export class SignIn {
  /**
   * The organization's slug.
   * @maxLength 100
   * @example demo
   */
  @IsString()
  @IsNotEmpty()
  @MaxLength(100)
  organization: string;

  /**
   * @maxLength 255
   * @format email
   */
  @IsEmail()
  @MaxLength(255)
  email: string;

  /**
   * The member’s password.
   * @maxLength 128
   * @example correct horse battery staple
   */
  @IsString()
  @IsNotEmpty()
  @MaxLength(PASSWORD_LENGTH.max)
  password: string;
}

/** How staff may sign in here, besides with one-time links. */
export class SignInOptions {
  /** With email and password: `POST /console/v1/session`. */
  passwords: boolean;

  /** With the identity provider: the browser opens `/console/sign-in/provider?organization=<slug>`. */
  singleSignOn: boolean;
}

/** A new password. */
export class NewPassword {
  /**
   * The present password; required if the member has one.
   * @maxLength 128
   * @example wrong pony battery staple
   */
  @IsOptional()
  @IsString()
  @MaxLength(PASSWORD_LENGTH.max)
  currentPassword?: string;

  /**
   * 12 to 128 characters. Length matters, special characters do not.
   * @minLength 12
   * @maxLength 128
   * @example correct horse battery staple
   */
  @IsString()
  @Length(PASSWORD_LENGTH.min, PASSWORD_LENGTH.max)
  password: string;
}

/** The organization that a staff member works for. */
export class StaffOrganization {
  /** @format uuid */
  id: string;

  /**
   * Its short name, which links and sign-in use.
   * @example demo
   */
  slug: string;

  /** @example City Runs */
  name: string;
}

/** The partner that a member works for. */
export class StaffPartner {
  /** @format uuid */
  id: string;

  /** @example River Trust */
  name: string;
}

/** The signed-in member. */
export class StaffIdentity {
  /** @format uuid */
  id: string;

  /** @format email */
  email: string;

  role: StaffRole;

  /** Whether the member has set a password. */
  hasPassword: boolean;

  organization: StaffOrganization;

  /** For the role `PARTNER`; otherwise `null`. */
  partner: StaffPartner | null;
}

/** Confirms that the request succeeded. */
export class Done {
  /**
   * Always `true`: a failure is an error.
   * @example true
   */
  success: boolean;
}
