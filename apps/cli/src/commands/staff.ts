import { InvalidArgumentError, Option } from 'commander';
import { type EntityManager, IsNull } from 'typeorm';
import {
  changeRole,
  consolePathOf,
  type InvitedMember,
  inviteMember,
  linkMember,
  listMembers,
  removeMember,
  resetMember,
} from '#domain/staff';
import {
  type Organization,
  type OrganizerRole,
  STAFF_ROLES,
  StaffMember,
  type StaffRole,
} from '#platform/database';
import { normalizeEmail } from '#platform/validation';
import { CommandError } from '../errors';
import { organizationBySlug } from '../organizations';
import { tableOf } from '../table';
import type { CommandGroup } from './command-group';

/** The spelling on the command line, such as `race-day`. */
const spelled = (role: StaffRole): string => role.toLowerCase().replace('_', '-');

const roleNamed = (name: string): OrganizerRole => {
  const role = STAFF_ROLES.find((each) => spelled(each) === name);
  if (!role) throw new InvalidArgumentError(`It must be one of ${STAFF_ROLES.map(spelled).join(', ')}.`);
  return role;
};

const described = ({ id, email, role, createdAt, lastSignedInAt, passwordHash }: StaffMember) => ({
  ...{ id, email, role },
  hasPassword: Boolean(passwordHash),
  ...{ createdAt, lastSignedInAt: lastSignedInAt ?? null },
});

export const staffCommands: CommandGroup = (program, context) => {
  const group = program.command('staff').description('staff members, who can sign in to the console');
  const ofOrganization = new Option('--organization <slug>', 'the organization').makeOptionMandatory();
  const ofRole = new Option('--role <role>', STAFF_ROLES.map(spelled).join(', ')).argParser(roleNamed);

  const tellLink = (
    { slug }: Pick<Organization, 'slug'>,
    { member, token, expiresAt }: InvitedMember,
    sentence: string,
  ) => {
    const link = context.apiUrl() + consolePathOf(slug, token);
    context.answer(
      { ...described(member), link, expiresAt },
      `${sentence}\nThe link works once, until ${expiresAt.toISOString()}. No email is sent, and the link is shown only once:\n\n  ${link}`,
    );
  };

  group
    .command('invite')
    .description('add a staff member and print a link for the first sign-in')
    .addOption(ofOrganization)
    .requiredOption('--email <address>')
    .addOption(ofRole.makeOptionMandatory())
    .action(
      async ({
        organization: slug,
        email,
        role,
      }: {
        organization: string;
        email: string;
        role: OrganizerRole;
      }) => {
        const { dataSource, organization } = await context.organizationOf(slug);
        const invited = await dataSource.transaction((manager) =>
          inviteMember(manager, { organizationId: organization.id, email, role }, context.actor),
        );
        tellLink(organization, invited, `Invited ${invited.member.email} as ${spelled(role)}.`);
      },
    );

  group
    .command('list')
    .description('list the staff of an organization')
    .addOption(ofOrganization)
    .action(async ({ organization: slug }: { organization: string }) => {
      const { manager } = await context.dataSourceOf(slug);
      const { id } = await organizationBySlug(manager, slug);
      const [members] = await listMembers(manager, id);
      const rows = members.map(({ email, role, lastSignedInAt }) => [
        email,
        spelled(role),
        lastSignedInAt?.toISOString() ?? 'never',
      ]);
      context.answer(
        members.map(described),
        rows.length ? tableOf(['EMAIL', 'ROLE', 'LAST SIGNED IN'], rows) : 'There are no staff members.',
      );
    });

  const named = (name: string, description: string) =>
    group.command(name).description(description).argument('<email>', 'the member').addOption(ofOrganization);

  named('link', 'print another sign-in link; the password and sessions stay')
    .addOption(
      new Option('--role <role>', 'invite them with this role, if they are no member yet').argParser(
        roleNamed,
      ),
    )
    .action(
      async (email: string, { organization: slug, role }: { organization: string; role?: OrganizerRole }) => {
        const { dataSource, organization } = await context.organizationOf(slug);
        const linked = await dataSource.transaction(async (manager) => {
          const member = await memberByEmail(manager, organization, email).catch((error) => {
            if (!role) throw error;
          });
          const { id: organizationId } = organization;
          return member
            ? linkMember(manager, member, context.actor)
            : inviteMember(manager, { organizationId, email, role: role as StaffRole }, context.actor);
        });
        tellLink(organization, linked, `Made a link for ${linked.member.email}.`);
      },
    );

  named('reset', 'print a new sign-in link; the password, sessions and earlier links stop working').action(
    async (email: string, { organization: slug }: { organization: string }) => {
      const { dataSource, organization } = await context.organizationOf(slug);
      const reset = await dataSource.transaction(async (manager) =>
        resetMember(manager, await memberByEmail(manager, organization, email), context.actor),
      );
      tellLink(organization, reset, `Reset ${reset.member.email}.`);
    },
  );

  named('role', 'change the role of a staff member')
    .addOption(ofRole.makeOptionMandatory())
    .action(
      async (email: string, { organization: slug, role }: { organization: string; role: OrganizerRole }) => {
        const dataSource = await context.dataSourceOf(slug);
        const changed = await dataSource.transaction(async (manager) => {
          const member = await memberByEmail(manager, await organizationBySlug(manager, slug), email);
          return changeRole(manager, member, role, context.actor);
        });
        context.answer(described(changed), `${changed.email} is now ${spelled(role)}.`);
      },
    );

  named('remove', 'remove a staff member; their sessions end within a second').action(
    async (email: string, { organization: slug }: { organization: string }) => {
      const dataSource = await context.dataSourceOf(slug);
      const removed = await dataSource.transaction(async (manager) => {
        const member = await memberByEmail(manager, await organizationBySlug(manager, slug), email);
        return removeMember(manager, member, context.actor);
      });
      context.answer(described(removed), `Removed ${removed.email}.`);
    },
  );
};

async function memberByEmail(
  manager: EntityManager,
  { id, name }: Organization,
  email: string,
): Promise<StaffMember> {
  const member = await manager.findOneBy(StaffMember, {
    organizationId: id,
    emailNormalized: normalizeEmail(email),
    removedAt: IsNull(),
  });
  if (!member)
    throw new CommandError(
      'NOT_FOUND',
      `${name} has no staff member ${email}. To list staff members, run "staff list".`,
    );
  return member;
}
