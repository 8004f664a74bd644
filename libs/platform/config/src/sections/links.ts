import { contact, leading, urlTemplate, urlTemplatesByCountry } from '../validators';

export const LINKS = {
  CHECKOUT_URL: leading(
    urlTemplate({
      default: 'https://book.startline.example/{countryCode}/{organizationSlug}/e/{slug}',
      desc: 'The template of `checkoutUrl`. A slug is unique only within an organization.',
    }),
  ),
  CHECKOUT_URL_BY_COUNTRY: urlTemplatesByCountry({
    default: undefined,
    desc: 'Templates for single countries.',
    example: 'us=https://us.book.startline.example/{organizationSlug}/e/{slug},fr=https://…',
  }),
  SECURITY_CONTACT: contact({
    default: undefined,
    desc: 'Where people report vulnerabilities, in `/.well-known/security.txt`. Without it, there is no such file.',
    example: 'security@city-runs.example',
  }),
};
