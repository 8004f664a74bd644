import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { type Client, escapeIdentifier, escapeLiteral } from 'pg';
import { isolate } from './isolation';
import { partnerSchemaOf } from './partner-views';
import { QUEUE_SCHEMA } from './queue-schema';
import { statement } from './statement';

/** The roles besides the owner. Missing roles are created if the owner is allowed to. */
export interface Roles {
  /**
   * The connection of API and worker, to whose role row-level security applies. If absent or the owner's, one role
   * does everything.
   */
  appUrl?: string;
  /** The connection of backups, whose role reads everything. */
  backupUrl?: string;
}

const APP_ROLE = 'startline_app';
const INSUFFICIENT_PRIVILEGE = '42501';
const MADE_MEANWHILE = ['42710', '23505'];

/**
 * The connection of API and worker to a server for which only the owner's URL is known, such as the embedded one. The
 * password is derived from the owner's, so that no second one must be stored.
 */
export function appUrlOf(ownerUrl: string): string {
  if (roleOf(ownerUrl) === APP_ROLE) return ownerUrl;
  const password = createHmac('sha256', passwordOf(ownerUrl)).update(APP_ROLE).digest('hex');
  return ownerUrl.replace(USER, (_, scheme) => `${scheme}${APP_ROLE}:${password}@`);
}

/** The privileges of the app's role on a table; on other tables everything but TRUNCATE. */
const NARROW: Record<string, string[]> = {
  schema_migrations: ['SELECT'],
  organizations: ['SELECT'],
  audit_log: ['SELECT', 'INSERT', 'UPDATE'],
  erasure_secrets: ['SELECT', 'INSERT'],
  request_log: ['SELECT'],
};

/**
 * Missing privileges of the role, as GRANT statements. If there are none, no GRANT runs, because each invalidates all
 * plans.
 */
const MISSING_GRANTS = statement({
  parameters: ['text', 'name[]', 'jsonb'],
  columns: { grant: 'text' },
  sql: `
    SELECT format('GRANT USAGE ON SCHEMA %I TO %I', nspname, $1::text) AS grant FROM pg_namespace
    WHERE nspname = ANY ($2) AND NOT has_schema_privilege($1, oid, 'USAGE')
    UNION ALL
    -- BullMQ makes a sequence for each queue when it is first used.
    SELECT unnest(ARRAY[
      format('GRANT CREATE ON SCHEMA %I TO %I', nspname, $1::text),
      format('ALTER DEFAULT PRIVILEGES IN SCHEMA %I GRANT ALL ON SEQUENCES TO %I', nspname, $1::text)
    ]) FROM pg_namespace
    WHERE nspname = '${QUEUE_SCHEMA}' AND NOT has_schema_privilege($1, oid, 'CREATE')
    UNION ALL
    SELECT format('GRANT %s ON %s TO %I', string_agg(privilege, ', '), c.oid::regclass, $1::text)
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      CROSS JOIN LATERAL jsonb_array_elements_text(coalesce($3::jsonb -> c.relname,
        CASE WHEN c.relkind = 'v' THEN '["SELECT"]' ELSE '["SELECT", "INSERT", "UPDATE", "DELETE"]' END::jsonb)) privilege
    WHERE n.nspname = ANY ($2) AND c.relkind IN ('r', 'p', 'v') AND NOT has_table_privilege($1, c.oid, privilege)
      AND pg_has_role(c.relowner, 'USAGE')
    GROUP BY c.oid
    UNION ALL
    SELECT format('GRANT ALL ON SEQUENCE %s TO %I', c.oid::regclass, $1::text)
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = ANY ($2) AND CASE WHEN c.relkind = 'S' THEN NOT has_sequence_privilege($1, c.oid, 'USAGE') END
      AND pg_has_role(c.relowner, 'USAGE')
    UNION ALL
    SELECT format('GRANT EXECUTE ON FUNCTION %s TO %I', p.oid::regprocedure, $1::text)
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE n.nspname = ANY ($2) AND NOT has_function_privilege($1, p.oid, 'EXECUTE') AND pg_has_role(p.proowner, 'USAGE')
  `,
});

const SELF = statement({
  columns: { me: 'text', schema: 'text' },
  sql: 'SELECT current_user::text AS me, current_schema()::text AS schema',
});

const FIND_ROLE = statement({ parameters: ['name'], sql: 'SELECT FROM pg_roles WHERE rolname = $1' });

const UNREADABLE = statement({
  parameters: ['name'],
  sql: `
    SELECT FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
      AND NOT has_table_privilege($1, oid, 'SELECT') LIMIT 1
  `,
});

const BYPASSES = statement({
  parameters: ['name'],
  sql: `
    SELECT FROM pg_roles r WHERE r.rolname = $1
      AND (r.rolsuper OR r.rolbypassrls OR pg_has_role($1, current_user, 'MEMBER'))
  `,
});

/**
 * Sets up row-level security on a migrated database, and grants the roles exactly what they need.
 *
 * @throws Error if a role cannot be created, or row-level security would not apply to the app's role
 */
export async function giveRoles(owner: Client, { appUrl, backupUrl }: Roles): Promise<void> {
  if (backupUrl) await ensureReader(owner, backupUrl);
  const { me, schema } = await SELF.one(owner);
  const app = appRoleOf(appUrl, me);
  await isolate(owner, appUrl ? !app : undefined);
  if (!app || !appUrl) return;
  await ensureRole(owner, appUrl);
  await refuseBypass(owner, app);
  const schemas = [schema, partnerSchemaOf(schema), QUEUE_SCHEMA];
  const values = [app, schemas, JSON.stringify(NARROW)] as const;
  for (const { grant } of await MISSING_GRANTS.rows(owner, values)) await owner.query(grant);
  await shareWatermark(owner);
}

/** The role of API and worker; undefined if it is the owner. */
export const appRoleOf = (appUrl: string | undefined, owner: string): string | undefined => {
  const role = appUrl && roleOf(appUrl);
  return role && role !== owner ? role : undefined;
};

/** Parsed by hand, because a URL can name several hosts. */
const USER = /^(postgres(?:ql)?:\/\/)(?:([^:@/]*)(?::([^@/]*))?@)?/;
const roleOf = (url: string): string => decodeURIComponent(USER.exec(url)?.[2] ?? '');
const passwordOf = (url: string): string => decodeURIComponent(USER.exec(url)?.[3] ?? '');

/** A role that another made, or a killed run, may lack the right to read. */
async function ensureReader(owner: Client, url: string): Promise<void> {
  const role = roleOf(url);
  const grant = `GRANT pg_read_all_data TO ${escapeIdentifier(role)};`;
  await ensureRole(owner, url, { attributes: ['BYPASSRLS'], grant });
  if (!(await UNREADABLE.run(owner, [role]))) return;
  await owner.query(grant).catch((error: Error & { code?: string }) => {
    if (error.code !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new Error(
      `The role ${role} can't read every table, and the owner of the schema cannot grant it. As a superuser, run: ${grant}`,
    );
  });
}

/** @param needed what it gets when it is made, and the statement that a superuser runs afterwards */
async function ensureRole(
  owner: Client,
  url: string,
  { attributes = [], grant }: { attributes?: string[]; grant?: string } = {},
): Promise<void> {
  const role = roleOf(url);
  if (await FIND_ROLE.run(owner, [role])) return;
  const verifier = scramVerifierOf(passwordOf(url));
  const words = [
    `CREATE ROLE ${escapeIdentifier(role)} LOGIN`,
    ...attributes,
    'PASSWORD',
    escapeLiteral(verifier),
  ];
  try {
    await owner.query(words.join(' '));
  } catch (error) {
    const { code = '' } = error as { code?: string };
    if (MADE_MEANWHILE.includes(code)) return;
    if (code !== INSUFFICIENT_PRIVILEGE) throw error;
    const create = [...words.slice(0, -1), "'…';", grant].filter(Boolean).join(' ');
    throw new Error(
      `The role ${role} is missing, and the owner of the schema cannot create it. As a superuser, run: ${create}`,
    );
  }
}

async function refuseBypass(owner: Client, role: string): Promise<void> {
  if (await BYPASSES.run(owner, [role])) {
    throw new Error(
      `Row-level security would not apply to the role ${role} of DATABASE_URL: it is a superuser, has BYPASSRLS, ` +
        'or is a member of the role that owns the schema. Use a role that is none of these.',
    );
  }
}

/**
 * The watermark must include the transactions of every role. The function runs as the owner if the owner can see
 * them; otherwise as its caller, who sees those of API and worker, and waits for transactions that it cannot see.
 */
async function shareWatermark(owner: Client): Promise<void> {
  await owner.query(`
    DO $$ BEGIN
      IF pg_has_role('pg_read_all_stats', 'USAGE') THEN
        ALTER FUNCTION horizon() SECURITY DEFINER SET search_path = pg_catalog, pg_temp;
      ELSE
        ALTER FUNCTION horizon() SECURITY INVOKER;
      END IF;
    END $$`);
}

/** The format in which PostgreSQL stores a password, so that no statement log contains the password itself. */
function scramVerifierOf(password: string): string {
  const [iterations, salt] = [4_096, randomBytes(16)];
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64');
  const server = keyed('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${server}`;
}
