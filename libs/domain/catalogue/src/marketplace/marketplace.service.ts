import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database';
import { type JsonText, type ListRequest, Lists } from '#platform/queries';
import { CheckoutLinks } from '../checkout-url';
import { FOUND_EVENTS, MARKETPLACE_EVENTS, REMOVED_EVENTS } from './marketplace.resource';
import { readSearchText } from './search-text';

@Injectable()
export class MarketplaceService {
  constructor(
    private readonly lists: Lists,
    private readonly database: Database,
    private readonly checkoutLinks: CheckoutLinks,
  ) {}

  list(page: ListRequest): Promise<JsonText> {
    return this.lists.page(MARKETPLACE_EVENTS, this.with(page, {}));
  }

  removed(page: ListRequest): Promise<JsonText> {
    return this.lists.page(REMOVED_EVENTS, page);
  }

  async search(page: ListRequest): Promise<JsonText> {
    const query = await readSearchText(this.database, page.caller.organizationId, String(page.values.query));
    return this.lists.page(FOUND_EVENTS, this.with(page, query));
  }

  private with(page: ListRequest, values: object): ListRequest {
    const { countryCode } = page.values as { countryCode?: string };
    const checkoutTemplate = this.checkoutLinks.template(countryCode);
    return { ...page, values: { ...page.values, checkoutTemplate, ...values } };
  }
}
