import ipaddr from 'ipaddr.js';
import { problemOfUrl } from './endpoint-url';

const problem = (url: string) => problemOfUrl(url, { allowHttp: false, allowedNetworks: [] });

describe('the URL of a webhook endpoint', () => {
  it.each([
    'https://localhost/',
    'https://hooks.localhost/',
    'https://localhost.localdomain/',
    'https://printer.local/',
    'https://metadata.google.internal/',
    'https://nas.home.arpa./',
    'https://intranet/',
    'https://127.1/',
    'https://[::1]/',
    'https://[4000::1]/',
  ])('must be public, which %s is not', (url) => {
    expect(problem(url)).toMatch(/^must have a public address; `startline-client listen` delivers/);
  });

  it.each([
    'https://partner.example.com/startline?a=1',
    'https://local.example.com:8443/',
    'https://192.0.3.1/',
  ])('can be %s', (url) => {
    expect(problem(url)).toBeUndefined();
  });

  it.each([
    ['https:example.com', 'must be an absolute URL'],
    ['https:///example.com', 'must be an absolute URL'],
    ['https://@example.com/', 'must not contain a user name or password'],
    ['https://example.com/#', 'must not contain a fragment'],
    ['https://a..b/', 'must have a valid host name'],
  ])('must be in its proper form, which %s is not', (url, expected) => {
    expect(problem(url)).toBe(expected);
  });

  it('can be a private name if private networks are permitted', () => {
    const allowedNetworks = [ipaddr.parseCIDR('10.0.0.0/8')];
    expect(problemOfUrl('https://hooks.internal/', { allowHttp: false, allowedNetworks })).toBeUndefined();
  });

  it.each(['https://localhost/', 'https://hooks.localhost/', 'https://192.168.0.1/'])(
    'must be in a permitted network, which %s is not',
    (url) => {
      const allowedNetworks = [ipaddr.parseCIDR('10.0.0.0/8')];
      const rules = { allowHttp: false, allowedNetworks };
      expect(problemOfUrl(url, rules)).toMatch(/^must have a public address/);
    },
  );
});
