import { Group, NavLink } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useRoute } from 'wouter';
import { Badge, Icon, type IconName, Mark } from '../pieces';
import { useSession } from '../session';
import { useSignInOptions } from '../session/use-sign-in-options';
import { useTexts } from '../texts';
import { PLACES } from './places';
import { Search } from './search';
import { UserMenu } from './user-menu';

export function Shell({ children }: { children: ReactNode }) {
  const texts = useTexts();
  const { shell, skipToContent } = texts;
  const { me, opens } = useSession();
  const options = useSignInOptions();
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {skipToContent}
      </a>
      <Group component="header" className="shell-top" justify="space-between" gap={16} px={16} wrap="nowrap">
        <Group
          renderRoot={(props) => <Link {...props} to="/" />}
          gap={10}
          miw={0}
          c="var(--text)"
          fw={620}
          td="none"
          wrap="nowrap"
        >
          <Mark />
          <span>{me.organization.name}</span>
          {me.organization.sandbox && <Badge tone="warn">{shell.sandbox}</Badge>}
        </Group>
        <Search />
        <UserMenu />
      </Group>
      <nav className="shell-nav" aria-label={shell.navigation}>
        {PLACES.filter(({ to }) => opens(to)).map(({ text, ...place }) => (
          <PlaceLink key={place.to} {...place} text={text(texts)} />
        ))}
      </nav>
      <main id="content" className="shell-main" tabIndex={-1}>
        {!me.hasPassword && options?.passwords && !options.singleSignOn && (
          <p className="notice">
            {shell.setPassword} <Link to="/account">{shell.setPasswordLink}</Link>
          </p>
        )}
        {children}
      </main>
    </div>
  );
}

function PlaceLink({ to, icon, text }: { to: string; icon: IconName; text: string }) {
  const [active] = useRoute(to === '/' ? to : `${to}/*?`);
  const link = useRef<HTMLAnchorElement>(null);
  // On phones the navigation is a scrollable line.
  useEffect(() => {
    if (active) link.current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [active]);
  return (
    <NavLink
      ref={link}
      component={Link}
      to={to}
      active={active}
      aria-current={active ? 'page' : undefined}
      leftSection={<Icon name={icon} />}
      label={text}
    />
  );
}
