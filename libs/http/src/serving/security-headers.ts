import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

/**
 * The headers of every answer: strict, as an API's need be, and CORS nowhere. A route that serves pages says
 * otherwise with `@Header('content-security-policy', …)`. Helmet's choice doesn't depend on the request, so
 * that it is asked once.
 */
export function securityHeaders(): [name: string, value: string][] {
  const headers: [string, string][] = [];
  const collect = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader() {},
  };
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    xFrameOptions: { action: 'deny' },
    // These speak to browsers about pages, or to browsers of long ago.
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  })({} as IncomingMessage, collect as unknown as ServerResponse, () => {});
  return headers;
}
