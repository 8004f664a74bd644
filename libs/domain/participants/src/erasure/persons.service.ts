import { Inject, Injectable } from '@nestjs/common';
import { type Actor, audit } from '#platform/access';
import { SETTINGS, type Settings } from '#platform/config';
import { Database, newId, statement } from '#platform/database';
import { errors, normalizeEmail } from '#platform/validation';
import { erasePerson } from './erase-person';
import { mentionOf, mentions } from './mention';
import { type PersonFormat, personDocument } from './person-document';
import { personFile } from './person-file';
import type { PersonLanguage } from './person-words';
import type { PersonErasure } from './persons.dto';
import type { Transactions } from './transactions';

/** Searches read all texts of an organization: longer than a statement of other requests. */
const STATEMENT_MS = '120000';
const BOUND = statement({
  parameters: ['text'],
  sql: `SELECT set_config('statement_timeout', $1, true)`,
});

/** The entries or bookings of a person, up to $4. */
const COUNT = statement({
  parameters: ['uuid', 'text', 'text[]', 'int'],
  columns: { count: 'int' },
  sql: `
    SELECT greatest(
      (SELECT count(*) FROM (SELECT FROM start_list_entries WHERE organization_id = $1 AND email_normalized = $2 LIMIT $4::int) e),
      (SELECT count(*) FROM (SELECT FROM bookings WHERE organization_id = $1 AND ${mentions('booker_email', '$3')} LIMIT $4) b)
    )::int AS count
  `,
});

/**
 * The most entries or bookings of a person whose file, or erasure, a request makes. An erasure changes one booking after the other,
 * which takes about 50 ms, and a connection is closed a minute after the last byte.
 */
const MOST = { export: 1_000, erase: 300 };
const MOST_KEPT = 100;

interface By {
  organizationId: string;
  actor: Actor;
}

/** What is known of a person in all events, by email address. */
@Injectable()
export class PersonsService {
  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  private of(organizationId: string): Transactions {
    const connections = this.database.of(organizationId);
    return {
      transaction: (work) =>
        connections.transaction(async (manager) => {
          await BOUND.run(manager, [STATEMENT_MS]);
          return work(manager);
        }),
    };
  }

  /**
   * The file, after the audit log has that it was made.
   *
   * @throws ApiError 400 if the person has too many entries
   */
  async export(
    { organizationId, actor }: By,
    email: string,
    format: PersonFormat,
    language?: PersonLanguage,
  ): Promise<AsyncGenerator<string, void>> {
    const database = this.of(organizationId);
    await requireFew(database, organizationId, email, 'export');
    await database.transaction((manager) => recordPersonExport(manager, { organizationId, format }, actor));
    return personDocument(format, email, personFile(database, { organizationId, email }), language);
  }

  /** @throws ApiError 400 if the person has too many entries */
  async erase({ organizationId, actor }: By, email: string, dryRun: boolean): Promise<PersonErasure> {
    const database = this.of(organizationId);
    await requireFew(database, organizationId, email, 'erase');
    const asked = { organizationId, email, dryRun, secret: this.settings.ERASURE_SECRET };
    const { participantIds, removed, importRowsAhead, kept } = await erasePerson(database, asked, actor);
    return {
      dryRun,
      entries: participantIds.length,
      removed: Object.entries(removed).map(([table, rows]) => ({ table, rows })),
      importRowsAhead,
      kept: kept.slice(0, MOST_KEPT),
    };
  }
}

async function requireFew(
  database: Transactions,
  organizationId: string,
  email: string,
  what: keyof typeof MOST,
): Promise<void> {
  const given = normalizeEmail(email);
  const { count } = await database.transaction((manager) =>
    COUNT.one(manager, [organizationId, given, mentionOf([given]), MOST[what] + 1]),
  );
  if (count > MOST[what])
    throw errors.invalid(
      `The address has more than ${MOST[what]} entries or bookings. Ask the operator of the server to use the command line: startline person ${what}.`,
    );
}

/** Before the file: an export that is not recorded must not exist. Without the address, which an erasure could not remove. */
export const recordPersonExport = (
  manager: Parameters<typeof audit>[0],
  { organizationId, format }: { organizationId: string; format: PersonFormat },
  by: Actor,
): Promise<void> =>
  audit(manager, by, {
    ...{ organizationId, action: 'person.export', objectType: 'person', objectId: newId() },
    details: { format },
  });
