import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Holds } from './holds';
import { Organization } from './organizations';
import { NOW, OwnedIndex, OwnedRow } from './owned-row';

export const DELIVERY_STATES = ['PENDING', 'DELIVERED', 'FAILED'] as const;
export const DISABLED_REASONS = ['MANUAL', 'GONE', 'FAILING'] as const;

@Entity('webhook_endpoints')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
export class WebhookEndpoint extends OwnedRow {
  @Column(NOW) createdAt: Date;

  /** When the owner last changed the endpoint. Deliveries do not change it. */
  @Column(NOW) changedAt: Date;
  @Holds('organizer', 'text') url: string;
  @Holds('remarks', 'text', { nullable: true }) description: string | null;
  @Holds('platform', 'text', { array: true }) types: string[];

  /** Absent or non-empty. */
  @Column('uuid', { array: true, nullable: true }) eventOccurrenceIds: string[] | null;

  /** The key that made it. Once the key has permissions, the endpoint gets what the key can read, and ends with it. */
  @Column('uuid', { nullable: true }) apiKeyId: string | null;

  /** Encrypted; see #domain/webhooks. */
  @Holds('platform', 'text') secret: string;

  /** Until this time, the previous secret also signs. */
  @Holds('platform', 'text', { nullable: true }) previousSecret: string | null;
  @Column('timestamptz', { nullable: true }) previousSecretUntil: Date | null;
  @Column('timestamptz', { nullable: true }) disabledAt: Date | null;
  @Holds('platform', 'text', { nullable: true }) disabledReason: (typeof DISABLED_REASONS)[number] | null;

  /** The first failure since the last success. */
  @Column('timestamptz', { nullable: true }) failingSince: Date | null;
  @Column('int', { default: 0 }) failuresInRow: number;

  /** With `behindId`, the position up to which events are deliveries; null: that of the organization. */
  @Column('timestamptz', { nullable: true }) behindAt: Date | null;
  @Column('uuid', { nullable: true }) behindId: string | null;

  /** Events before it were deleted before they became deliveries. */
  @Column('timestamptz', { nullable: true }) missedUntil: Date | null;

  /** The run of a worker that delivers to the endpoint; only one at a time. */
  @Column('uuid', { nullable: true }) lease: string | null;
  @Column('timestamptz', { nullable: true }) leasedUntil: Date | null;
  @Column('timestamptz', { nullable: true }) deletedAt: Date | null;
}

/** A delivery of an event to an endpoint. */
@Entity('webhook_deliveries')
@OwnedIndex('webhook_deliveries_created_idx', ['createdAt', 'id'])
@OwnedIndex('webhook_deliveries_due_idx', ['endpointId', 'nextAttemptAt'], { where: "state = 'PENDING'" })
export class WebhookDelivery extends OwnedRow {
  @Column(NOW) createdAt: Date;
  @Column('uuid') endpointId: string;
  @Column('uuid') eventId: string;
  @Holds('platform', 'text') type: string;
  @Holds('platform', 'text', { default: 'PENDING' }) state: (typeof DELIVERY_STATES)[number];

  /** Attempts that failed since it was created or last retried by hand. */
  @Column('int', { default: 0 }) failures: number;
  @Column('timestamptz', { nullable: true }) nextAttemptAt: Date | null;
}

@Entity('webhook_attempts')
export class WebhookAttempt {
  @PrimaryColumn('uuid') organizationId: string;
  @PrimaryColumn('uuid') deliveryId: string;
  @PrimaryColumn('uuid') id: string;
  @Column('timestamptz') attemptedAt: Date;
  @Column('int') durationMs: number;

  /** The response's status, if there was a response. */
  @Column('int', { nullable: true }) status: number | null;

  /** Why there was no response. */
  @Holds('platform', 'text', { nullable: true }) error: string | null;

  /** The beginning of the response's body. */
  @Holds('foreign', 'text', { nullable: true }) response: string | null;
}
