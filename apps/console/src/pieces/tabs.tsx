import { Group } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
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
    <TabLine
      label={texts[of].title}
      open={address}
      beside={
        of === 'developers' && (
          <a href="/docs" target="_blank" rel="noreferrer">
            {texts.developers.reference}
          </a>
        )
      }
    >
      {TABS[of](texts)
        .filter(({ to }) => opens(to))
        .map(({ to, text }) => (
          <Link key={to} to={to} aria-current={to === address ? 'page' : undefined}>
            {text}
          </Link>
        ))}
    </TabLine>
  );
}

interface TabLineProps {
  label: string;
  /** Which is open. */
  open: string;
  beside?: ReactNode;
  children: ReactNode;
}

/** Tabs beside each other. On phones they are a scrollable line. */
export function TabLine({ label, open, beside, children }: TabLineProps) {
  const tabs = useRef<HTMLElement>(null);
  useEffect(() => {
    const current = tabs.current?.querySelector('[aria-current]');
    current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [open]);
  return (
    <Group
      className="tabs-line"
      justify="space-between"
      gap="8px 16px"
      mt={-8}
      style={{ borderBottom: '1px solid var(--line)' }}
    >
      <nav ref={tabs} className="tabs" aria-label={label}>
        {children}
      </nav>
      {beside}
    </Group>
  );
}
