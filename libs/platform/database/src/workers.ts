import { statement } from './statement';

/** An SQL condition: whether a worker processes the queue. */
export const isTaken = (queue: string): string =>
  `EXISTS (SELECT FROM workers WHERE '${queue}' = ANY (queues) AND expires_at > clock_timestamp())`;

/** The queues of `$1` without a worker. */
export const UNTAKEN_QUEUES = statement({
  parameters: ['text[]'],
  columns: { queue: 'text' },
  sql: `
    SELECT queue FROM unnest($1::text[]) queue
    WHERE NOT EXISTS (SELECT FROM workers WHERE queue = ANY (queues) AND expires_at > clock_timestamp())
  `,
  prepared: true,
});
