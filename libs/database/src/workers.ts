import { statement } from './statement';

/** Whether a worker takes the queue's jobs: an SQL condition. */
export const isTaken = (queue: string): string =>
  `EXISTS (SELECT FROM workers WHERE '${queue}' = ANY (queues) AND expires_at > clock_timestamp())`;

/** Of the queues `$1`, those whose jobs no worker takes. */
export const UNTAKEN_QUEUES = statement({
  parameters: ['text[]'],
  columns: { queue: 'text' },
  sql: `
    SELECT queue FROM unnest($1::text[]) queue
    WHERE NOT EXISTS (SELECT FROM workers WHERE queue = ANY (queues) AND expires_at > clock_timestamp())
  `,
  prepared: true,
});
