import { missingRequirements, planDistribution } from '#libs/database';
import { type Finding, unwell, well } from './check';

/** The settings of a distributed database's nodes, and whether everything is distributed. */
export async function cluster(url: string): Promise<Finding[]> {
  const missing = await missingRequirements(url);
  if (missing.length > 0)
    return missing.map((sentence) =>
      unwell('cluster', sentence, 'docs/scaling.md lists what the cluster needs.'),
    );
  const steps = await planDistribution(url);
  return [
    steps.length === 0
      ? well('cluster', 'distributed; views of the nodes replace the policies of row-level security')
      : unwell(
          'cluster',
          `not distributed: ${steps.map(({ what }) => what).join(', ')}`,
          'Run "npm run startline -- distribute".',
        ),
  ];
}
