import {
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsISO8601,
  IsNotEmpty,
  IsOptional,
  IsString,
  IsUUID,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { KEY_KINDS, type KeyKind, PERMISSIONS, type Permission } from '#platform/access';

/** An API key, without its token. */
export class ApiKeyItem {
  /** @format uuid */
  id: string;

  /** @example website */
  name: string;

  /** What the key may call: `ORGANIZER`, `MARKETPLACE` or `TIMING` paths. */
  kind: KeyKind;

  /**
   * The last four characters of its token.
   * @example x7Qk
   */
  last4: string;

  /**
   * The occurrences that the key is restricted to; `null`: no such restriction.
   * @format uuid
   */
  eventOccurrenceIds: string[] | null;

  /**
   * The endpoints that the key is restricted to; `null`: no such restriction.
   * @example ["registrationStatus"]
   */
  endpoints: string[] | null;

  /**
   * What the key is permitted to do; `null`: everything that its kind of key can.
   * @example ["participants:read"]
   */
  permissions: Permission[] | null;

  /** Whether the key may only call operations that change nothing. */
  readOnly: boolean;

  /**
   * Of a timing key: what it may read about participants, such as `names`, `gender` or `field:tShirtSize`; otherwise `null`.
   * @example null
   */
  reads: string[] | null;

  /**
   * The partner that the key belongs to; `null`: the organizer.
   * @format uuid
   * @example null
   */
  partnerId: string | null;

  /** @format date-time */
  createdAt: string;

  /** @format date-time */
  expiresAt: string | null;

  /** @format date-time */
  revokedAt: string | null;

  /**
   * The last use of the key, to the minute.
   * @format date-time
   */
  lastUsedAt: string | null;
}

/** The keys of the organization, newest first. */
export class ApiKeys {
  /** The newest 1,000, fewer if they have many restrictions. The command line lists all. */
  data: ApiKeyItem[];

  /**
   * The number of keys.
   * @integer
   * @example 4
   */
  count: number;
}

/** A key to create. */
export class NewApiKey {
  /**
   * @maxLength 100
   * @example website
   */
  @IsString()
  @IsNotEmpty()
  @MaxLength(100)
  name: string;

  /** What the key may call: `ORGANIZER`, `MARKETPLACE` or `TIMING` paths. */
  @IsIn(KEY_KINDS)
  kind: KeyKind;

  /**
   * The occurrences that the key is restricted to.
   * @format uuid
   * @maxItems 1000
   */
  @IsOptional()
  @IsArray()
  @ArrayNotEmpty()
  @IsUUID('7', { each: true })
  eventOccurrenceIds?: string[] | null;

  /**
   * The endpoints that the key is restricted to.
   * @maxItems 200
   * @maxLength 100
   * @example ["registrationStatus"]
   */
  @IsOptional()
  @IsArray()
  @ArrayNotEmpty()
  @IsString({ each: true })
  endpoints?: string[] | null;

  /**
   * What the key is permitted to do; absent or `null`: everything that its kind of key can.
   * @maxItems 100
   * @example ["participants:read"]
   */
  @IsOptional()
  @IsArray()
  @ArrayNotEmpty()
  @IsIn(PERMISSIONS, { each: true })
  permissions?: Permission[] | null;

  /**
   * With `ORGANIZER`: the partner whose places and runners the key sees and changes, and nothing else; absent or `null`: the whole organization.
   * @format uuid
   */
  @IsOptional()
  @IsUUID()
  partnerId?: string | null;

  /** The key may only call operations that change nothing. */
  @IsOptional()
  @IsBoolean()
  readOnly?: boolean;

  /**
   * With `TIMING`: what it may read about participants: `names`, `gender`, `ageOnRaceDay`, `yearOfBirth`, `team`, `wave`, or `field:<key>` for the
   * answer to a question.
   * @maxItems 200
   * @maxLength 300
   * @example ["names"]
   */
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  reads?: string[] | null;

  /** @format date-time */
  @IsOptional()
  @IsISO8601()
  expiresAt?: string | null;
}

/** New limits of a key. `null` removes a list of a restricted key; an absent list does not change. */
export class ApiKeyRestriction {
  /**
   * The permissions that the key keeps. They must be some of those that it has.
   * @maxItems 100
   * @example ["participants:read"]
   */
  @IsOptional()
  @IsArray()
  @ArrayNotEmpty()
  @IsIn(PERMISSIONS, { each: true })
  permissions?: Permission[];

  /**
   * What a timing key still reads. It must be some of what it reads.
   * @maxItems 200
   * @maxLength 300
   * @example ["names"]
   */
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  reads?: string[];

  /**
   * @format uuid
   * @maxItems 1000
   */
  @IsOptional()
  @IsArray()
  @IsUUID('7', { each: true })
  eventOccurrenceIds?: string[] | null;

  /**
   * The endpoints that the key is restricted to.
   * @maxItems 200
   * @maxLength 100
   * @example ["registrationStatus"]
   */
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  endpoints?: string[] | null;
}

/** How to replace a key. */
export class ApiKeyRotation {
  /**
   * How long the old key continues to work, in hours.
   * @integer
   * @minimum 0
   * @maximum 720
   * @example 24
   */
  @IsInt()
  @Min(0)
  @Max(720)
  overlapHours: number;

  /**
   * When the new key expires; `null`: never.
   * @format date-time
   */
  @IsOptional()
  @IsISO8601()
  expiresAt?: string | null;
}

/** A key and its token. The token is shown once: it is not stored. */
export class IssuedApiKey {
  key: ApiKeyItem;

  /**
   * Send it as `Authorization: Bearer <token>`.
   * @example eyJ0eXAiOiJzdGFydGxpbmUta2V5K2p3dCIs…
   */
  token: string;
}
