import { Injectable } from '@nestjs/common';
import { CheckoutLinks } from '#domain/catalogue';
import type { Caller } from '#platform/access';
import { Database, statement } from '#platform/database';
import { type JsonText, type ListRequest, Lists } from '#platform/queries';
import { errors } from '#platform/validation';
import { REFERRALS_OF_REFERRER, REFERRERS_OF_PROGRAM } from './referrals.resource';

const REFERRER_OF_BOOKING = statement({
  parameters: ['uuid', 'uuid', 'uuid'],
  columns: { id: 'uuid' },
  sql: `
    SELECT r.id FROM referrer_owner_bookings o
    JOIN referrers r ON r.organization_id = o.organization_id AND r.id = o.referrer_id
    WHERE o.organization_id = $1 AND o.booking_id = $2 AND r.referral_program_id = $3
    ORDER BY r.created_at, r.id LIMIT 1
  `,
  prepared: true,
});

@Injectable()
export class ReferralsService {
  constructor(
    private readonly database: Database,
    private readonly lists: Lists,
    private readonly checkoutLinks: CheckoutLinks,
  ) {}

  /** A program's referrers, with links to the checkout of its occurrence. */
  referrers(page: ListRequest): Promise<JsonText> {
    const checkout = this.checkoutLinks.template();
    const inviteTemplate = `${checkout}${checkout.includes('?') ? '&' : '?'}referral=`;
    return this.lists.page(REFERRERS_OF_PROGRAM, { ...page, values: { ...page.values, inviteTemplate } });
  }

  /**
   * The referrals of the code that the booking owns.
   *
   * @throws ApiError 404 if the program or the referrer does not exist
   */
  async ofReferrer(
    { organizationId }: Caller,
    referralProgramId: string,
    ownerBookingId: string,
    page: ListRequest,
  ): Promise<JsonText> {
    const referrer = await REFERRER_OF_BOOKING.first(this.database.of(organizationId), [
      organizationId,
      ownerBookingId,
      referralProgramId,
    ]);
    if (!referrer) throw errors.notFound();
    return this.lists.page(REFERRALS_OF_REFERRER, { ...page, withinId: referrer.id });
  }
}
