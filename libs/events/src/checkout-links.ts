import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '#libs/config';

/** The country whose checkout is linked to unless another is asked for (contract, "Marketplace"). */
export const DEFAULT_COUNTRY = 'gb';

/** Chooses the template of checkout links: CHECKOUT_URL, or a country's own from CHECKOUT_URL_BY_COUNTRY. */
@Injectable()
export class CheckoutLinks {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /**
   * @param countryCode ISO 3166, two lower case letters
   * @returns a URL with the placeholder `{slug}`, for `checkoutUrl()`
   */
  template(countryCode: string = DEFAULT_COUNTRY): string {
    const { CHECKOUT_URL, CHECKOUT_URL_BY_COUNTRY } = this.settings;
    const template = CHECKOUT_URL_BY_COUNTRY?.get(countryCode) ?? CHECKOUT_URL;
    return template.replaceAll('{countryCode}', countryCode);
  }
}
