import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '#platform/config';

/** The default country of checkout links (docs/domain-rules.md#marketplace). */
export const DEFAULT_COUNTRY = 'gb';

/** Selects the template of checkout links: from CHECKOUT_URL_BY_COUNTRY, or CHECKOUT_URL. */
@Injectable()
export class CheckoutLinks {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /**
   * @param countryCode ISO 3166, two letters
   * @returns a URL that contains `{slug}`, and optionally `{organizationSlug}`, for `checkoutUrl`
   */
  template(countryCode: string = DEFAULT_COUNTRY): string {
    const { CHECKOUT_URL, CHECKOUT_URL_BY_COUNTRY } = this.settings;
    const country = countryCode.toLowerCase();
    return (CHECKOUT_URL_BY_COUNTRY?.get(country) ?? CHECKOUT_URL).replaceAll('{countryCode}', country);
  }
}

/** Percent-encodes a slug: non-ASCII characters as UTF-8 bytes. */
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
 * @param template the placeholder of the template from `CheckoutLinks`
 */
export const checkoutUrl = (occurrence: string, template: string, organizations = 'organizations'): string =>
  `replace(replace(${template}::text, '{slug}', ${urlSlug(`${occurrence}.slug`)}), '{organizationSlug}', (
    SELECT ${urlSlug('seller.slug')} FROM ${organizations} seller WHERE seller.id = ${occurrence}.organization_id))`;
