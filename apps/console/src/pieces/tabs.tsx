import { Link, useRoute } from 'wouter';
import type { PagePath } from '../pages';
import { useSession } from '../session/session';
import { useTexts } from '../texts';
import type { Texts } from '../texts/en';

/** The pages of the sections that have several. */
export const TABS = {
  applications: ({ applications }) => [
    { to: '/applications', text: applications.title, exact: true },
    { to: '/applications/ballots', text: applications.ballots },
  ],
  partners: ({ partners }) => [
    { to: '/partners', text: partners.title, exact: true },
    { to: '/partners/groups', text: partners.groups },
    { to: '/partners/codes', text: partners.codes },
  ],
  desk: ({ desk, bibs }) => [
    { to: '/desk', text: desk.tab, exact: true },
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
  /** Pages below this address belong to another tab. */
  exact?: boolean;
}

/** The pages of a section that the role can use: links, so that each has its own address. */
export function Tabs({ of }: { of: keyof typeof TABS }) {
  const texts = useTexts();
  const { opens } = useSession();
  return (
    <div className="tabs-line">
      <nav className="tabs" aria-label={texts[of].title}>
        {TABS[of](texts)
          .filter(({ to }) => opens(to))
          .map((tab) => (
            <TabLink key={tab.to} {...tab} />
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

function TabLink({ to, text, exact }: Tab) {
  const [active] = useRoute(exact ? to : `${to}/*?`);
  return (
    <Link to={to} aria-current={active ? 'page' : undefined}>
      {text}
    </Link>
  );
}
