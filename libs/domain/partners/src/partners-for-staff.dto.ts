import { DateTime, Id, Int, Text } from '#platform/validation';
import type { PartnerType } from './partners.dto';

/** A partner with the use of its places. */
export class ListedPartner {
  @Id() id: string;
  @Text({ example: 'Harbour Hospice' }) name: string;
  type: PartnerType | null;

  /** The partner that this is a sub-partner of. */
  @Id() parentPartnerId: string | null;

  /** The name of that partner. */
  @Text({ example: 'Harbour Charities' }) parentName: string | null;

  /** The number of sub-partners. */
  @Int({ example: 3 }) subPartners: number;

  /** The number of reserved groups. */
  @Int({ example: 2 }) groups: number;

  /** The places of these groups. */
  @Int({ example: 40 }) maxCapacity: number;

  /** The claimed places of these groups. */
  @Int({ example: 12 }) usedCapacity: number;
  @DateTime() createdAt: string;
}
