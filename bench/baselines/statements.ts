import type { DataSource } from 'typeorm';
import type { KeyKind } from '#platform/access';
import { Database } from '#platform/database';
import { type ListDeclaration, Lists, Reads, type Values } from '#platform/queries';
import {
  FOUND_EVENTS,
  MARKETPLACE_EVENTS,
} from '../../libs/domain/catalogue/src/marketplace/marketplace.resource';
import { MarketplaceService } from '../../libs/domain/catalogue/src/marketplace/marketplace.service';
import { PARTICIPANT, PARTICIPANTS } from '../../libs/domain/participants/src/participants.resource';
import { RegistrationStatusService } from '../../libs/domain/participants/src/registration-status.service';
import { Cursors } from '../../libs/platform/queries/src/cursor';
import { listRequestOf } from '../../libs/platform/queries/src/list-request';
import type { BareRoute } from './bare';

type Statement = Pick<BareRoute, 'text' | 'values'>;

/** Replaces the database: records the statements of the product, and returns no rows. */
class Recorder {
  readonly statements: Statement[] = [];
  readonly tuples = async (text: string, values: unknown[] = []) => {
    this.statements.push({ text, values });
    return [];
  };
  readonly each = async (text: string, values: unknown[] = []) => {
    this.statements.push({ text, values });
    return [];
  };
  readonly execute = async ({ text, values = [] }: { text: string; values?: unknown[] }) => {
    this.statements.push({ text, values });
    return { rows: [], rowCount: 0 };
  };
  readonly of = () => this;
}

const callerOf = (organizationId: string, kind: KeyKind = 'ORGANIZER') =>
  ({ organizationId, keyId: organizationId, kind, eventOccurrenceIds: null }) as never;

const now = () => new Date().toISOString().replace('Z', '000Z');
const WATERMARK = { now, of: now };
const CURSORS = new Cursors([{ secret: 'of the bench' }]);
const NO_REPLICA = { read: async () => undefined };

const SETTINGS = {};

/** The parts may change; the paging does not. */
const AnyLists = Lists as unknown as new (...parts: unknown[]) => Lists;

async function firstOf(work: (recorder: Recorder) => Promise<unknown>): Promise<Statement> {
  const recorder = new Recorder();
  // The product may refuse what it finds in no rows; before that it ran its statement.
  const cause = await work(recorder).catch((error: unknown) => error);
  const [statement] = recorder.statements;
  if (!statement) throw new Error('The product ran no statement.', { cause });
  return statement;
}

/** The exact statement of the list, without its count. */
export async function listStatement(
  organizationId: string,
  values: Values,
  list: ListDeclaration = PARTICIPANTS,
): Promise<BareRoute> {
  const { text, values: bound } = await firstOf((recorder) =>
    new AnyLists(recorder, WATERMARK, NO_REPLICA, SETTINGS).page(
      list,
      listRequestOf(list, callerOf(organizationId), values, {}, CURSORS),
    ),
  );
  const uncounted = text.replace(
    /\(SELECT tally\((\$\d+), '\w+', (\$\d+)\)\)/,
    (_, organization, subject) =>
      `CASE WHEN ${organization}::uuid IS NULL AND ${subject}::uuid IS NULL THEN '' END`,
  );
  if (/tally\(|count\(/.test(uncounted)) throw new Error(`The list's statement still counts:\n${uncounted}`);
  return { text: uncounted, values: bound, answers: 'list' };
}

const PLACE = '00000000-0000-7000-8000-000000000000';

export async function readStatement(organizationId: string): Promise<BareRoute> {
  const statement = await firstOf((recorder) =>
    new Reads(recorder as never).one(PARTICIPANT, callerOf(organizationId), PLACE),
  );
  return { ...statement, answers: 'one', at: statement.values.indexOf(PLACE) };
}

export async function registrationStatement(
  organizationId: string,
  occurrenceId: string,
): Promise<BareRoute> {
  const statement = await firstOf((recorder) =>
    new RegistrationStatusService(recorder as never).of(callerOf(organizationId), occurrenceId, PLACE),
  );
  return { ...statement, answers: 'exists', at: statement.values.indexOf(PLACE) };
}

const CHECKOUT = { template: () => 'https://book.example/{slug}' } as never;

const marketplace = (recorder: Recorder, database: Database | Recorder) =>
  new MarketplaceService(
    new AnyLists(recorder, WATERMARK, NO_REPLICA, SETTINGS),
    database as never,
    CHECKOUT,
  );

/** The exact statement of the marketplace's first page, with its count. */
export async function marketplaceStatement(organizationId: string): Promise<BareRoute> {
  const statement = await firstOf((recorder) =>
    marketplace(recorder, recorder).list(
      listRequestOf(MARKETPLACE_EVENTS, callerOf(organizationId, 'MARKETPLACE'), {}, {}, CURSORS),
    ),
  );
  return { ...statement, answers: 'list' };
}

/** The same for a search, whose words are looked up in the real database. */
export async function foundStatement(
  dataSource: DataSource,
  organizationId: string,
  query: string,
): Promise<BareRoute> {
  const statement = await firstOf((recorder) =>
    marketplace(recorder, new Database(dataSource)).search(
      listRequestOf(FOUND_EVENTS, callerOf(organizationId, 'MARKETPLACE'), { query }, {}, CURSORS),
    ),
  );
  return { ...statement, answers: 'list' };
}
