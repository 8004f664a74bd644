import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Holds } from './holds';

/**
 * Requests with API keys, for REQUEST_LOG_DAYS. Rows are written by `record_requests` only. There is no foreign key to the
 * key or the organization: writing the log must neither wait for their locks nor fail because of them.
 */
@Entity('request_log')
@Index('request_log_organization_idx', ['organizationId', 'at', 'id'])
@Index('request_log_key_idx', ['organizationId', 'apiKeyId', 'at', 'id'])
@Index('request_log_route_idx', ['organizationId', 'route', 'at', 'id'])
@Index('request_log_refused_idx', ['organizationId', 'at', 'id'], { where: 'status >= 400' })
export class RequestRecord {
  @PrimaryColumn('uuid')
  organizationId: string;

  @PrimaryColumn('uuid')
  id: string;

  /** When the request arrived. */
  @Column('timestamptz')
  at: Date;

  @Column('uuid')
  apiKeyId: string;

  @Column('text')
  @Holds('platform')
  operation: string;

  @Column('text')
  @Holds('platform')
  method: string;

  /** The pattern of the path, such as `/v0/bookings/{id}`: without values. */
  @Column('text')
  @Holds('platform')
  route: string;

  @Column('smallint')
  status: number;

  /** From the first byte read to the last byte written. */
  @Column('real')
  ms: number;

  @Column('text')
  @Holds('platform')
  requestId: string;
}
