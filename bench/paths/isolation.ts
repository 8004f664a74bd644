import { announce, type Candidate, compare, type Options, ratio } from '../fixtures/compare';
import type { Databases } from '../fixtures/database';
import type { Program } from '../fixtures/program';
import { asking, spawnApi, withDataSource } from '../fixtures/startline';
import type { Result } from '../report/result';
import { get, pathOf } from './reads';
import { participantIds } from './single';

const POLICIES = 'row-level security';
const OWNER = 'as the owner, a superuser';

/** The cost of policies: the API with its role, compared with the owner, to whom they do not apply. */
export async function isolation(databases: Databases, options: Options): Promise<Result[]> {
  const url = await databases.entries(options.entries);
  const caller = await withDataSource(url, (dataSource) => asking(dataSource));
  const ids = await participantIds(url, caller.organizationId);
  const programs: Program[] = [];
  try {
    const [scoped, owner] = [await spawnApi(url), await spawnApi(url, { DATABASE_URL: url })];
    programs.push(scoped, owner);
    const cases = {
      'List of 100 participants': get(pathOf('/v0/participants', { 'page[size]': 100 }), caller),
      'One participant': ids.flatMap((id) => get(`/v0/participants/${id}`, caller)),
    };
    const results: Result[] = [];
    for (const [title, requests] of Object.entries(cases)) {
      announce(title);
      const candidates: Candidate[] = [
        { name: POLICIES, program: scoped, requests },
        { name: OWNER, program: owner, requests },
      ];
      const measured = await compare(candidates, options);
      results.push({
        path: 'isolation',
        title: `${title}, with policies`,
        candidates: measured,
        ratios: [{ what: `of ${OWNER}`, value: ratio(measured, POLICIES, OWNER), atLeast: 0.95 }],
      });
    }
    return results;
  } finally {
    for (const program of programs) await program.stop();
  }
}
