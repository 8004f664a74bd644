import { missingRequirements, planDistribution } from '#platform/database';
import { type Finding, failed, passed } from './check';

/**
 * The settings of a distributed database's nodes, and whether everything is distributed.
 *
 * @param hasRedis whether the queues are in Redis
 */
export async function cluster(url: string, hasRedis: boolean): Promise<Finding[]> {
  const missing = await missingRequirements(url);
  if (missing.length > 0)
    return missing.map((sentence) =>
      failed('cluster', sentence, 'docs/scaling.md lists what the cluster needs.'),
    );
  const steps = await planDistribution(url);
  return [
    ...(hasRedis
      ? []
      : [
          failed(
            'cluster',
            'the queues are on the coordinator: while that is away, no import begins',
            'Set REDIS_URL.',
          ),
        ]),
    steps.length === 0
      ? passed('cluster', 'distributed; views of the nodes replace the policies of row-level security')
      : failed(
          'cluster',
          `not distributed: ${steps.map(({ what }) => what).join(', ')}`,
          'Run "npm run startline -- distribute".',
        ),
  ];
}
