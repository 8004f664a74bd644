import { SIGNING_SECRETS } from '#libs/testing';
import { loadSettings } from '#platform/config';

const load = (given: Record<string, string>) =>
  loadSettings({ SIGNING_SECRETS: `a:${SIGNING_SECRETS[0]?.secret}`, ...given });

describe('checkout settings', () => {
  it('can have a default template and others by country', () => {
    const { CHECKOUT_URL, CHECKOUT_URL_BY_COUNTRY } = load({
      CHECKOUT_URL: 'https://book.example/{countryCode}/{slug}',
      CHECKOUT_URL_BY_COUNTRY: 'US=https://us.book.example/{slug}, fr=https://book.example/fr?event={slug}',
    });
    expect(CHECKOUT_URL).toBe('https://book.example/{countryCode}/{slug}');
    expect([...(CHECKOUT_URL_BY_COUNTRY ?? [])]).toEqual([
      ['us', 'https://us.book.example/{slug}'],
      ['fr', 'https://book.example/fr?event={slug}'],
    ]);
  });

  it.each([
    ['CHECKOUT_URL', 'not a url/{slug}'],
    ['CHECKOUT_URL', 'https://book.example/'],
    ['CHECKOUT_URL', 'https://book.example/{country}/{slug}'],
    ['CHECKOUT_URL', 'https://book.example/{organizationSlug}/'],
    ['CHECKOUT_URL_BY_COUNTRY', 'https://book.example/{slug}'],
    ['CHECKOUT_URL_BY_COUNTRY', 'england=https://book.example/{slug}'],
    ['CHECKOUT_URL_BY_COUNTRY', 'us=https://book.example/'],
  ])('prevent the start if %s is %s', (name, value) => {
    expect(() => load({ [name]: value })).toThrow(new RegExp(`${name}: `));
  });
});
