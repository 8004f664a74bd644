import { equals, freeText, id, instant, type ListDeclaration, oneOf } from '#platform/queries';
import { RequestItem } from './requests.dto';

/** Conditions of their own, because the index of refusals is found by `status >= 400` only. */
const STATUS_CLASSES = {
  '2xx': 't.status < 300',
  '4xx': 't.status >= 400 AND t.status < 500',
  '5xx': 't.status >= 400 AND t.status >= 500',
  errors: 't.status >= 400',
};

export const REQUESTS: ListDeclaration = {
  name: 'requests',
  schemaName: 'PagedRequests',
  of: {
    schema: RequestItem,
    from: 'request_log t',
    select: `
      t.id AS "id",
      ${instant('t.at')} AS "at",
      t.api_key_id AS "keyId",
      (SELECT k.name FROM api_keys k WHERE k.organization_id = t.organization_id AND k.id = t.api_key_id) AS "keyName",
      t.operation AS "operation",
      t.method AS "method",
      t.route AS "route",
      t.status AS "status",
      t.ms AS "durationMs",
      t.request_id AS "requestId"`,
  },
  order: { sql: 't.at', type: 'timestamptz' },
  newestFirst: true,
  moment: 'at',
  filters: {
    keyId: equals('api_key_id', id('Only requests with this API key.')),
    statusClass: {
      parameter: oneOf(
        'Only requests with such a status; `errors`: 400 and above.',
        Object.keys(STATUS_CLASSES) as (keyof typeof STATUS_CLASSES)[],
      ),
      where: STATUS_CLASSES,
    },
    route: {
      parameter: freeText('Only requests of this pattern, such as `/v0/bookings/{id}`.', { max: 200 }),
      where: (value) => `t.route = ${value}`,
    },
  },
};
