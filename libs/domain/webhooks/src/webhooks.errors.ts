import { defineErrors } from '#platform/validation';

export const webhookErrors = defineErrors({
  refused: (message: string) => [400, message],
  notSetUp: () => [503, 'Webhooks are not configured on this server: WEBHOOK_SECRETS_KEY is not set.'],
});
