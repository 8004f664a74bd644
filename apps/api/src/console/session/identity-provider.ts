import { Inject, Injectable } from '@nestjs/common';
import type { ClientAuth, Configuration } from 'openid-client';
import { SETTINGS, type Settings } from '#platform/config';

/** Loaded when it is first used, because the api starts without it. */
const client = () => require('openid-client') as typeof import('openid-client');

/** Of a request to the provider. */
const TIMEOUT_SECONDS = 5;

/** What the answer of the provider is checked against. Only the browser that began the sign-in has it. */
export interface SignInChecks {
  state: string;
  nonce: string;
  verifier: string;
}

/** Who the provider says has signed in. */
export interface ProvenIdentity {
  email: string | undefined;
  /** Whether the provider has verified that the email address is theirs. */
  isVerified: boolean;
}

/** The OpenID Connect provider of OIDC_ISSUER: the authorization code flow with PKCE, state and nonce. */
@Injectable()
export class IdentityProvider {
  private found: Promise<Configuration> | undefined;

  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  get isConfigured(): boolean {
    return this.settings.OIDC_ISSUER !== undefined;
  }

  /** The address of the provider where the browser goes, and what to keep in the browser meanwhile. */
  async begin(): Promise<{ url: URL; checks: SignInChecks }> {
    const configuration = await this.configuration();
    const checks = {
      state: client().randomState(),
      nonce: client().randomNonce(),
      verifier: client().randomPKCECodeVerifier(),
    };
    const url = client().buildAuthorizationUrl(configuration, {
      redirect_uri: this.redirectUri(),
      scope: this.settings.OIDC_SCOPES,
      code_challenge: await client().calculatePKCECodeChallenge(checks.verifier),
      code_challenge_method: 'S256',
      state: checks.state,
      nonce: checks.nonce,
    });
    return { url, checks };
  }

  /**
   * Exchanges the code of the provider's answer, and checks issuer, audience, signature, times, state and nonce.
   *
   * @param search the query of the address to which the provider sent the browser
   * @throws Error if any of it is wrong, or the provider refused
   */
  async identityOf(search: string, { state, nonce, verifier }: SignInChecks): Promise<ProvenIdentity> {
    const configuration = await this.configuration();
    const tokens = await client().authorizationCodeGrant(
      configuration,
      new URL(this.redirectUri() + search),
      {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      },
    );
    const claims = tokens.claims();
    if (!claims) throw new Error('The provider answered no ID token');
    // Some providers have the email in the user info only.
    const { email, email_verified } =
      claims.email === undefined
        ? await client().fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : claims;
    return {
      email: typeof email === 'string' && email.length <= 255 ? email : undefined,
      // Some providers send it as text.
      isVerified: email_verified === true || String(email_verified) === 'true',
    };
  }

  private redirectUri(): string {
    return `${this.settings.PUBLIC_URL}/console/sign-in/callback`;
  }

  /** Read once; again after a failure. */
  private configuration(): Promise<Configuration> {
    this.found ??= this.discover().catch((error) => {
      this.found = undefined;
      throw error;
    });
    return this.found;
  }

  private discover(): Promise<Configuration> {
    const { OIDC_ISSUER = '', OIDC_CLIENT_ID = '', OIDC_CLIENT_SECRET } = this.settings;
    const issuer = new URL(OIDC_ISSUER);
    return client().discovery(issuer, OIDC_CLIENT_ID, undefined, authenticatedBy(OIDC_CLIENT_SECRET), {
      timeout: TIMEOUT_SECONDS,
      // The setting permits http to this machine only.
      execute: [
        client().enableNonRepudiationChecks,
        ...(issuer.protocol === 'http:' ? [client().allowInsecureRequests] : []),
      ],
    });
  }
}

/** The way that OpenID Connect prescribes by default, unless the provider says that it takes the other only. */
const authenticatedBy =
  (secret: string | undefined): ClientAuth =>
  (server, ...rest) => {
    const takesBasic = server.token_endpoint_auth_methods_supported?.includes('client_secret_basic') ?? true;
    (takesBasic ? client().ClientSecretBasic(secret) : client().ClientSecretPost(secret))(server, ...rest);
  };
