import { type ListDeclaration, Lists, Reads, type Values } from '#libs/http';
import { PARTICIPANT, PARTICIPANTS } from '../../apps/api/src/participants/participants.list';
import { RegistrationStatusService } from '../../apps/api/src/registration-status/registration-status.service';
import { listRequestOf } from '../../libs/http/src/lists/list-request';
import type { BareRoute } from './bare';

type Statement = Pick<BareRoute, 'text' | 'values'>;

/** Stands in for the database: remembers what the product's code asks for, and finds nothing. */
class Recorder {
  readonly statements: Statement[] = [];
  readonly tuples = async (text: string, values: unknown[] = []) => {
    this.statements.push({ text, values });
    return [];
  };
  readonly query = this.tuples;
}

const callerOf = (organizationId: string) =>
  ({ organizationId, keyId: organizationId, kind: 'ORGANIZER', eventOccurrenceIds: null }) as never;

/** What it is made of may change; that it pages does not. */
const AnyLists = Lists as unknown as new (...parts: unknown[]) => Lists;

async function firstOf(work: (database: never) => Promise<unknown>): Promise<Statement> {
  const recorder = new Recorder();
  await work(recorder as never).catch(() => undefined);
  const [statement] = recorder.statements;
  if (!statement) throw new Error('The product asked the database for nothing.');
  return statement;
}

/** The very statement of our list, without its count: the reference doesn't count. */
export async function listStatement(
  organizationId: string,
  values: Values,
  list: ListDeclaration = PARTICIPANTS,
): Promise<BareRoute> {
  const horizon = { now: () => new Date().toISOString().replace('Z', '000Z') } as never;
  const replica = { read: async () => undefined };
  const { text, values: bound } = await firstOf((database) =>
    new AnyLists(database, horizon, replica).page(
      list,
      listRequestOf(list, callerOf(organizationId), values),
    ),
  );
  const uncounted = text.replace(
    /\(SELECT tally\((\$\d+), '\w+', (\$\d+)\)\)::text/,
    (_, organization, subject) =>
      `CASE WHEN ${organization}::uuid IS NULL AND ${subject}::uuid IS NULL THEN '' END`,
  );
  if (/tally\(|count\(/.test(uncounted)) throw new Error(`The list's statement still counts:\n${uncounted}`);
  return { text: uncounted, values: bound, answers: 'list' };
}

const PLACE = '00000000-0000-7000-8000-000000000000';

export async function readStatement(organizationId: string): Promise<BareRoute> {
  const statement = await firstOf((database) =>
    new Reads(database).one(PARTICIPANT, callerOf(organizationId), PLACE),
  );
  return { ...statement, answers: 'one', at: statement.values.indexOf(PLACE) };
}

export async function registrationStatement(
  organizationId: string,
  occurrenceId: string,
): Promise<BareRoute> {
  const statement = await firstOf((database) =>
    new RegistrationStatusService(database).of(callerOf(organizationId), occurrenceId, PLACE),
  );
  return { ...statement, answers: 'exists', at: statement.values.indexOf(PLACE) };
}
