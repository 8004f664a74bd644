// A real OpenID Connect provider, in a process of its own because Jest can't load ES modules. Whoever `login_hint` names is
// signed in without being asked: base64url of the claims, or `deny`.
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const { REDIRECT_URI, CLAIMS_IN_ID_TOKEN, AUTH_METHOD = 'client_secret_basic', PORT = 0 } = process.env;
const server = createServer();
await new Promise((resolve) => server.listen(Number(PORT), '127.0.0.1', resolve));
const issuer = `http://127.0.0.1:${server.address().port}`;

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'startline',
      client_secret: 'a secret of the test, which is long enough',
      redirect_uris: [REDIRECT_URI],
      token_endpoint_auth_method: AUTH_METHOD,
    },
  ],
  clientAuthMethods: [AUTH_METHOD],
  claims: { openid: ['sub'], email: ['email', 'email_verified'] },
  conformIdTokenClaims: !CLAIMS_IN_ID_TOKEN,
  cookies: { keys: ['a key of the test'] },
  features: { devInteractions: { enabled: false } },
  findAccount: (_, accountId) => ({
    accountId,
    claims: () => ({ ...JSON.parse(Buffer.from(accountId, 'base64url').toString()), sub: accountId }),
  }),
  interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  pkce: { required: () => true },
});

provider.use(async (ctx, next) => {
  if (!ctx.path.startsWith('/interaction/')) return next();
  const { prompt, params, session } = await provider.interactionDetails(ctx.req, ctx.res);
  const result = await (async () => {
    if (params.login_hint === 'deny')
      return { error: 'access_denied', error_description: 'The person refused' };
    if (prompt.name === 'login') return { login: { accountId: params.login_hint } };
    const grant = new provider.Grant({ accountId: session.accountId, clientId: params.client_id });
    grant.addOIDCScope(params.scope);
    return { consent: { grantId: await grant.save() } };
  })();
  ctx.respond = false;
  await provider.interactionFinished(ctx.req, ctx.res, result, { mergeWithLastSubmission: true });
});
server.on('request', provider.callback());
process.stdout.write(`${issuer}\n`);
