import { defineErrors } from '#libs/errors';

export const webhookErrors = defineErrors({
  refused: (message: string) => [400, message],
  notSetUp: () => [
    503,
    'Webhooks are not set up on this server: its operator has to set WEBHOOK_SECRETS_KEY.',
  ],
});
