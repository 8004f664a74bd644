import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useRoute } from 'wouter';
import type { StaffRole } from '../api';
import { Icon, type IconName, Mark } from '../pieces/icons';
import { useSession } from '../session/session';
import { useSignInOptions } from '../session/use-sign-in-options';
import { useTexts } from '../texts';
import { UserMenu } from './user-menu';

interface Place {
  to: string;
  name: 'imports' | 'participants' | 'events' | 'desk' | 'developers' | 'people' | 'log';
  roles: StaffRole[];
}

const READERS: StaffRole[] = ['OWNER', 'MANAGER', 'VIEWER'];

/** The main sections, and the roles that see them; the API enforces access. */
export const PLACES: Place[] = [
  { to: '/imports', name: 'imports', roles: READERS },
  { to: '/participants', name: 'participants', roles: READERS },
  { to: '/events', name: 'events', roles: READERS },
  { to: '/desk', name: 'desk', roles: ['OWNER', 'MANAGER', 'RACE_DAY'] },
  { to: '/developers', name: 'developers', roles: READERS },
  { to: '/people', name: 'people', roles: ['OWNER'] },
  { to: '/log', name: 'log', roles: ['OWNER', 'MANAGER'] },
];

export function Shell({ children }: { children: ReactNode }) {
  const { shell, skipToContent } = useTexts();
  const { me, may } = useSession();
  const options = useSignInOptions();
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {skipToContent}
      </a>
      <header className="shell-top">
        <Link className="shell-brand" to="/">
          <Mark />
          <span>{me.organization.name}</span>
        </Link>
        <UserMenu />
      </header>
      <nav className="shell-nav" aria-label={shell.navigation}>
        {PLACES.filter(({ roles }) => may(...roles)).map(({ to, name }) => (
          <NavLink key={to} to={to} icon={name} text={shell[name]} />
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

function NavLink({ to, icon, text }: { to: string; icon: IconName; text: string }) {
  const [active] = useRoute(`${to}/*?`);
  const link = useRef<HTMLAnchorElement>(null);
  // On phones the navigation is a scrollable line.
  useEffect(() => {
    if (active) link.current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [active]);
  return (
    <Link ref={link} to={to} className="shell-link" aria-current={active ? 'page' : undefined}>
      <Icon name={icon} />
      {text}
    </Link>
  );
}
