import type { PartnerType } from './partners.dto';

/** A partner with the use of its places. */
export class ListedPartner {
  /** @format uuid */
  id: string;

  /** @example Harbour Hospice */
  name: string;

  type: PartnerType | null;

  /**
   * The partner that this is a sub-partner of.
   * @format uuid
   */
  parentPartnerId: string | null;

  /**
   * The name of that partner.
   * @example Harbour Charities
   */
  parentName: string | null;

  /**
   * The number of sub-partners.
   * @integer
   * @example 3
   */
  subPartners: number;

  /**
   * The number of reserved groups.
   * @integer
   * @example 2
   */
  groups: number;

  /**
   * The places of these groups.
   * @integer
   * @example 40
   */
  maxCapacity: number;

  /**
   * The claimed places of these groups.
   * @integer
   * @example 12
   */
  usedCapacity: number;

  /** @format date-time */
  createdAt: string;
}
