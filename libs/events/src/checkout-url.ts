import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '#libs/config';

/** The country whose checkout is linked to unless another is asked for (contract, "Marketplace"). */
export const DEFAULT_COUNTRY = 'gb';

/** Chooses the template of checkout links: CHECKOUT_URL, or a country's own from CHECKOUT_URL_BY_COUNTRY. */
@Injectable()
export class CheckoutLinks {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /**
   * @param countryCode ISO 3166, two letters
   * @returns a URL that holds `{slug}`, and may hold `{organizationSlug}`, for `checkoutUrl`
   */
  template(countryCode: string = DEFAULT_COUNTRY): string {
    const { CHECKOUT_URL, CHECKOUT_URL_BY_COUNTRY } = this.settings;
    const country = countryCode.toLowerCase();
    return (CHECKOUT_URL_BY_COUNTRY?.get(country) ?? CHECKOUT_URL).replaceAll('{countryCode}', country);
  }
}

/** A slug as a URL holds it: what is not ASCII as the bytes of its UTF-8. */
const urlSlug = (slug: string): string => `CASE
    WHEN ${slug} ~ '^[A-Za-z0-9-]*$' THEN ${slug}
    ELSE (
      SELECT string_agg(CASE WHEN letter ~ '[A-Za-z0-9-]' THEN letter ELSE
        regexp_replace(upper(encode(convert_to(letter, 'UTF8'), 'hex')), '(..)', '%\\1', 'g') END, '' ORDER BY place)
      FROM regexp_split_to_table(${slug}, '') WITH ORDINALITY letters (letter, place))
  END`;

/**
 * The checkout link as an SQL expression.
 *
 * @param template the placeholder of what `CheckoutLinks` chose
 */
export const checkoutUrl = (occurrence: string, template: string): string =>
  `replace(replace(${template}::text, '{slug}', ${urlSlug(`${occurrence}.slug`)}), '{organizationSlug}', (
    SELECT ${urlSlug('seller.slug')} FROM organizations seller WHERE seller.id = ${occurrence}.organization_id))`;
