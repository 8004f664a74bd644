import { bool } from 'envalid';
import { between, leading, milliseconds, networks, seconds, secretsKeys } from '../validators';

export const WEBHOOKS = {
  CHANGE_EVENT_DAYS: between(7, 3_650, {
    default: 30,
    desc: 'How long change events and webhook deliveries are kept.',
  }),
  WEBHOOK_SECRETS_KEY: leading(
    secretsKeys({
      default: undefined,
      desc: 'The first key encrypts webhook secrets, all decrypt. Unset: no webhooks.',
      example: '2026a:<64 random hex digits>',
    }),
  ),
  WEBHOOK_ALLOW_HTTP: bool({ default: false, desc: 'Webhook endpoints may have http URLs.' }),
  WEBHOOK_ALLOWED_NETWORKS: networks({
    default: [],
    desc: 'Private networks that webhooks may be sent to.',
    example: '10.0.0.0/8,127.0.0.0/8',
  }),
  WEBHOOK_ENDPOINTS_LIMIT: between(1, 1_000, { default: 20, desc: 'Webhook endpoints of an organization.' }),
  WEBHOOK_TIMEOUT_MS: milliseconds({
    default: 15_000,
    desc: 'How long an endpoint may take to respond.',
  }),
  WEBHOOK_CONCURRENCY: between(1, 1_000, {
    default: 100,
    desc: 'Endpoints that a worker delivers to at the same time. Of 100, one organization uses at most 40.',
  }),
  WEBHOOK_RETRY_SECONDS: seconds({
    default: [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
    desc: 'The delay before each retry. After the last one, the delivery fails.',
  }),
};
