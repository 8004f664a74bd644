import { Column, Entity } from 'typeorm';
import { Holds } from './holds';
import { OwnedIndex, OwnedRow } from './owned-row';

/**
 * Requests with API keys, for REQUEST_LOG_DAYS. Rows are written by `record_requests` only. There is no foreign key to the
 * key or the organization: writing the log must neither wait for their locks nor fail because of them.
 */
@Entity('request_log')
@OwnedIndex('request_log_organization_idx', ['at', 'id'])
@OwnedIndex('request_log_key_idx', ['apiKeyId', 'at', 'id'])
@OwnedIndex('request_log_route_idx', ['route', 'at', 'id'])
@OwnedIndex('request_log_refused_idx', ['at', 'id'], { where: 'status >= 400' })
export class RequestRecord extends OwnedRow {
  /** When the request arrived. */
  @Column('timestamptz') at: Date;
  @Column('uuid') apiKeyId: string;
  @Holds('platform', 'text') operation: string;
  @Holds('platform', 'text') method: string;

  /** The pattern of the path, such as `/v0/bookings/{id}`: without values. */
  @Holds('platform', 'text') route: string;
  @Column('smallint') status: number;

  /** From the first byte read to the last byte written. */
  @Column('real') ms: number;
  @Holds('platform', 'text') requestId: string;
}
