import { sharedApi, type TestApi } from '../harness';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

/** Protects staff: no other site can frame the console, run a script in it, or read a response. */
describe('security headers', () => {
  it('are strict on every response, including errors', async () => {
    for (const path of ['/identity', '/nope', '/health/live']) {
      const { headers } = await api.get(path);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('strict-transport-security')).toContain('max-age=31536000');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-powered-by')).toBeNull();
    }
  });

  it('prevent other sites from reading responses', async () => {
    const { headers } = await api.send('GET', '/identity', undefined, undefined, {
      origin: 'https://elsewhere.example',
    });
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('allow the camera to the console only, and no other device', async () => {
    const { status, headers } = await api.get('/console/sign-in', null);
    expect(status).toBe(200);
    const policy = headers.get('permissions-policy')?.split(', ');
    expect(policy).toContain('camera=(self)');
    expect(policy?.filter((each) => !each.endsWith('=()'))).toEqual(['camera=(self)']);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('cache-control')).toBe('no-cache');
  });

  it('allow what pages need', async () => {
    const { status, headers } = await api.get('/docs', null);
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(headers.get('cache-control')).toBeNull();
  });
});
