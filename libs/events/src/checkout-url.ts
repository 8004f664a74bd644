import type { Settings } from '#libs/config';

/** By country, in lower case; `default` for all others. */
export type CheckoutTemplates = Readonly<Record<string, string>>;

/**
 * The templates of CHECKOUT_URL and CHECKOUT_URL_BY_COUNTRY.
 *
 * @throws Error that names the pair that is not `cc=https://…`
 */
export function checkoutTemplates(
  settings: Pick<Settings, 'CHECKOUT_URL' | 'CHECKOUT_URL_BY_COUNTRY'>,
): CheckoutTemplates {
  const pairs = settings.CHECKOUT_URL_BY_COUNTRY.split(',').filter((pair) => pair.trim() !== '');
  const byCountry = pairs.map((pair) => {
    const [country = '', ...rest] = pair.trim().split('=');
    const template = rest.join('=');
    if (!/^[a-z]{2}$/i.test(country) || !URL.canParse(template.replace(/\{\w+\}/g, 'x'))) {
      throw new Error(
        `Settings are wrong (see .env.example):\n  CHECKOUT_URL_BY_COUNTRY: ${pair} is not country=URL`,
      );
    }
    return [country.toLowerCase(), template] as const;
  });
  return Object.freeze({ ...Object.fromEntries(byCountry), default: settings.CHECKOUT_URL });
}

/** The checkout link as an SQL expression: the country's template with its placeholders filled. */
export function checkoutUrl(occurrence: string, templates: CheckoutTemplates, countryCode: string): string {
  const country = countryCode.toLowerCase();
  if (!/^[a-z]{2}$/.test(country)) throw new Error('A country code has two letters');
  const template = templates[country] ?? templates.default ?? '';
  const literal = `'${template.replaceAll("'", "''").replaceAll('{countryCode}', country)}'`;
  return `replace(${literal}, '{slug}', ${occurrence}.slug)`;
}
