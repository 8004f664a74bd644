import { InvalidArgumentError } from 'commander';
import { type EntityManager, In } from 'typeorm';
import {
  closeOrganization,
  createOrganization,
  emptySandbox,
  type NewOrganization,
  type OrganizationChange,
  reopenOrganization,
  updateOrganization,
} from '#domain/catalogue';
import { SURFACES } from '#domain/imports';
import { announceAccess, audit, type Surface } from '#platform/access';
import { insertNew, Organization, OrganizationSurface } from '#platform/database';
import { CommandError } from '../errors';
import { closedOrganizationBySlug, organizationBySlug } from '../organizations';
import { tableOf } from '../table';
import type { CommandGroup } from './command-group';

const surfaceNamed = (name: string, before: Surface[] = []): Surface[] => {
  if (name === 'all') return [...SURFACES];
  const surface = SURFACES.find((each) => each === name);
  if (!surface) throw new InvalidArgumentError(`It must be one of ${SURFACES.join(', ')}, or all.`);
  return [...new Set([...before, surface])];
};

const described = (organization: Organization, surfaces: Surface[]) => {
  const { id, slug, name, website, logoUrl, sandbox, createdAt, deletedAt } = organization;
  return { id, slug, name, website, logoUrl, sandbox, surfaces, createdAt, deletedAt };
};

export const organizationCommands: CommandGroup = (program, context) => {
  const group = program
    .command('organization')
    .description('organizations, which own events, bookings and keys');

  const enabled = async (organizationId: string): Promise<Surface[]> => {
    const { manager } = await context.dataSource();
    const rows = await manager.findBy(OrganizationSurface, { organizationId });
    return SURFACES.filter((surface) => rows.some((row) => row.surface === surface));
  };
  const record = (
    manager: EntityManager,
    action: 'organization.enable' | 'organization.disable',
    id: string,
    surfaces: Surface[],
  ) =>
    audit(manager, context.actor, {
      ...{ organizationId: id, action, objectType: 'organization', objectId: id },
      details: { surfaces },
    });
  const tell = async (organization: Organization) => {
    const surfaces = await enabled(organization.id);
    const list = surfaces.length ? surfaces.join(', ') : 'none';
    context.answer(described(organization, surfaces), `${organization.name} may use: ${list}.`);
  };

  group
    .command('create')
    .description('create an organization, with no surface enabled')
    .requiredOption('--slug <slug>', 'the short name, used in links and on this command line')
    .requiredOption('--name <name>', 'the display name')
    .option('--website <url>')
    .option('--logo-url <url>')
    .option('--sandbox', 'for testing: outside the marketplace, marked in keys and webhooks; never changes')
    .action(async (options: NewOrganization) => {
      const dataSource = await context.dataSource();
      const organization = await dataSource.transaction((manager) =>
        createOrganization(manager, options, context.actor),
      );
      context.answer(
        described(organization, []),
        `Created ${organization.name} (${organization.slug}): ${organization.id}`,
      );
    });

  group
    .command('update <slug>')
    .description("change an organization; '' removes a URL. The slug can't change, because links contain it")
    .option('--name <name>', 'the display name')
    .option('--website <url>')
    .option('--logo-url <url>')
    .action(async (slug: string, options: { name?: string; website?: string; logoUrl?: string }) => {
      const change: OrganizationChange = {
        ...(options.name !== undefined && { name: options.name }),
        ...(options.website !== undefined && { website: options.website || null }),
        ...(options.logoUrl !== undefined && { logoUrl: options.logoUrl || null }),
      };
      if (Object.keys(change).length === 0) {
        throw new CommandError('INVALID_COMMAND', 'Specify what to change: --name, --website or --logo-url.');
      }
      // Every node of a distributed database has the organization, so the coordinator changes it.
      const dataSource = await context.dataSource();
      const { id } = await organizationBySlug(dataSource.manager, slug);
      const organization = await dataSource.transaction((manager) =>
        updateOrganization(manager, id, change, context.actor),
      );
      context.answer(
        described(organization, await enabled(id)),
        `Updated ${organization.name} (${organization.slug}).`,
      );
    });

  const setClosed = async (
    slug: string,
    found: (manager: EntityManager, slug: string) => Promise<Organization>,
    change: typeof closeOrganization,
  ): Promise<Organization> => {
    const dataSource = await context.dataSource();
    const { id } = await found(dataSource.manager, slug);
    await dataSource.transaction((manager) => change(manager, id, context.actor));
    await announceAccess(await context.nodeOf(id), id);
    return dataSource.manager.findOneByOrFail(Organization, { id });
  };

  group
    .command('close <slug>')
    .description('close an organization: its keys and staff are refused, and its data stays')
    .action(async (slug: string) => {
      const organization = await setClosed(slug, organizationBySlug, closeOrganization);
      context.answer(
        described(organization, await enabled(organization.id)),
        `Closed ${organization.name} (${organization.slug}). To undo it, run "organization reopen ${slug}".`,
      );
    });

  group
    .command('reopen <slug>')
    .description('open a closed organization again')
    .action(async (slug: string) => {
      const organization = await setClosed(slug, closedOrganizationBySlug, reopenOrganization);
      context.answer(
        described(organization, await enabled(organization.id)),
        `Reopened ${organization.name} (${organization.slug}).`,
      );
    });

  group
    .command('empty <slug>')
    .description(
      'delete the events, people, imports and messages of a sandbox; keys, staff, webhook endpoints and the audit log stay',
    )
    .option('--yes', 'delete them; otherwise only say so')
    .action(async (slug: string, { yes }: { yes?: true }) => {
      const { manager } = await context.dataSource();
      const found = await manager.findOneBy(Organization, { slug });
      if (!found) throw new CommandError('NOT_FOUND', `There is no organization "${slug}".`);
      if (!found.sandbox)
        throw new CommandError('REFUSED', `${slug} is no sandbox. Only a sandbox can be emptied.`);
      if (!yes)
        throw new CommandError('REFUSED', `Nothing was deleted. With --yes, all data of ${slug} is deleted.`);
      // Its keys and staff are refused meanwhile. After a failure it stays closed, and the command can be repeated.
      if (!found.deletedAt) await setClosed(slug, organizationBySlug, closeOrganization);
      const deleted = await emptySandbox(await context.nodeOf(found.id), found.id, context.actor);
      if (!found.deletedAt) await setClosed(slug, closedOrganizationBySlug, reopenOrganization);
      else context.note(`${slug} was closed, and stays so: "organization reopen ${slug}" opens it.`);
      const rows = Object.entries(deleted).map(([table, count]) => [table, String(count)]);
      context.answer({ deleted }, rows.length ? tableOf(['TABLE', 'ROWS'], rows) : `${slug} was empty.`);
    });

  group
    .command('list')
    .description('list all organizations')
    .action(async () => {
      const { manager } = await context.dataSource();
      const organizations = await manager.find(Organization, { order: { slug: 'ASC' } });
      const rows = await Promise.all(
        organizations.map(async (each) => described(each, await enabled(each.id))),
      );
      const text = tableOf(
        ['SLUG', 'NAME', 'ID', 'SURFACES'],
        rows.map(({ slug, name, id, sandbox, surfaces, deletedAt }) => [
          slug,
          `${name}${sandbox ? ' (sandbox)' : ''}${deletedAt ? ' (closed)' : ''}`,
          id,
          surfaces.length === SURFACES.length ? 'all' : surfaces.join(', ') || '-',
        ]),
      );
      context.answer(rows, rows.length ? text : 'There are no organizations.');
    });

  group
    .command('enable <slug>')
    .description('enable surfaces for an organization')
    .argument('<surface...>', `${SURFACES.join(', ')}; or all`, surfaceNamed)
    .action(async (slug: string, surfaces: Surface[]) => {
      const { dataSource, organization } = await context.organizationOf(slug);
      await dataSource.transaction(async (transaction) => {
        const enabled = surfaces.map((surface) => ({ organizationId: organization.id, surface }));
        await insertNew(transaction, OrganizationSurface, enabled);
        await record(transaction, 'organization.enable', organization.id, surfaces);
      });
      await tell(organization);
    });

  group
    .command('disable <slug>')
    .description('disable surfaces for an organization')
    .argument('<surface...>', `${SURFACES.join(', ')}; or all`, surfaceNamed)
    .action(async (slug: string, surfaces: Surface[]) => {
      const { dataSource, organization } = await context.organizationOf(slug);
      const { id: organizationId } = organization;
      await dataSource.transaction(async (transaction) => {
        await transaction.delete(OrganizationSurface, { organizationId, surface: In(surfaces) });
        await record(transaction, 'organization.disable', organizationId, surfaces);
      });
      await tell(organization);
    });
};
