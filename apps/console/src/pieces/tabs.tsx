import { Link, useLocation } from 'wouter';
import type { PagePath } from '../pages';
import { useSession } from '../session/session';
import { useTexts } from '../texts';
import type { Texts } from '../texts/en';

/** The pages of the sections that have several. */
export const TABS = {
  applications: ({ applications }) => [
    { to: '/applications', text: applications.title },
    { to: '/applications/ballots', text: applications.ballots },
  ],
  partners: ({ partners }) => [
    { to: '/partners', text: partners.title },
    { to: '/partners/groups', text: partners.groups },
    { to: '/partners/codes', text: partners.codes },
  ],
  desk: ({ desk, bibs }) => [
    { to: '/desk', text: desk.tab },
    { to: '/desk/feed', text: desk.feed },
    { to: '/desk/print', text: desk.print },
    { to: '/desk/bibs', text: bibs.title },
  ],
  developers: ({ developers }) => [
    { to: '/developers/keys', text: developers.keys },
    { to: '/developers/requests', text: developers.requests },
    { to: '/developers/webhooks', text: developers.webhooks },
    { to: '/developers/deliveries', text: developers.deliveries },
  ],
} satisfies Record<string, (texts: Texts) => Tab[]>;

interface Tab {
  to: PagePath;
  text: string;
}

export type Section = keyof typeof TABS;

/** The name of the tab that is open. */
export function useTab(section: Section | undefined): string | undefined {
  const texts = useTexts();
  const [address] = useLocation();
  return section && TABS[section](texts).find(({ to }) => to === address)?.text;
}

/** The pages of a section that the role can use: links, so that each has its own address. */
export function Tabs({ of }: { of: Section }) {
  const [address] = useLocation();
  const texts = useTexts();
  const { opens } = useSession();
  return (
    <div className="tabs-line">
      <nav className="tabs" aria-label={texts[of].title}>
        {TABS[of](texts)
          .filter(({ to }) => opens(to))
          .map(({ to, text }) => (
            <Link key={to} to={to} aria-current={to === address ? 'page' : undefined}>
              {text}
            </Link>
          ))}
      </nav>
      {of === 'developers' && (
        <a href="/docs" target="_blank" rel="noreferrer">
          {texts.developers.reference}
        </a>
      )}
    </div>
  );
}
