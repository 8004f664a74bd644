import { Box, Group, Stack } from '@mantine/core';
import { type CSSProperties, type ReactNode, useEffect } from 'react';
import { Link } from 'wouter';
import { useTexts } from '../texts';
import { Dash } from './dash';
import { Icon } from './icons';
import { Problem } from './problem';
import { type Section, Tabs, useTab } from './tabs';

export function usePageTitle(title: string): void {
  const { product } = useTexts();
  useEffect(() => {
    document.title = `${title} · ${product}`;
  }, [title, product]);
}

interface PageProps {
  /** Those of a section have its title, with the name of their tab in the window's. */
  title?: string;
  section?: Section;
  /** A state, shown next to the title. */
  beside?: ReactNode;
  actions?: ReactNode;
  /** The list that the page belongs to. */
  up?: { to: string; text: string };
  /** Why it can't be read. */
  error?: Error | null;
  children?: ReactNode;
}

export function Page({ title = '', section, beside, actions, up, error, children }: PageProps) {
  const texts = useTexts();
  const tab = useTab(section);
  usePageTitle(tab ?? title);
  return (
    <Stack className="page" gap={20}>
      {up && (
        <Group
          renderRoot={(props) => <Link {...props} to={up.to} />}
          className="page-up"
          mb={-14}
          mr="auto"
          gap={4}
          fz={13}
          c="dimmed"
          td="none"
        >
          <Icon name="left" /> {up.text}
        </Group>
      )}
      <Group component="header" className="page-header" gap="8px 12px" mih={36}>
        <h1>{section ? texts[section].title : title}</h1>
        {beside}
        <Group gap={8} ml="auto">
          {actions}
        </Group>
      </Group>
      {section && <Tabs of={section} />}
      {error && <Problem error={error} />}
      {children}
    </Stack>
  );
}

export const Card = ({
  title,
  actions,
  children,
}: {
  title?: string;
  actions?: ReactNode;
  children: ReactNode;
}) => (
  <Stack
    component="section"
    className="card"
    gap={16}
    p={20}
    bg="var(--surface)"
    bd="1px solid var(--line)"
    bdrs={10}
  >
    {title && (
      <Group component="header" justify="space-between" gap="8px 16px" mih={30}>
        <h2>{title}</h2>
        {actions}
      </Group>
    )}
    {children}
  </Stack>
);

/** The content of an empty list: the reason, and the next step. */
export const Empty = ({
  title,
  children,
  action,
}: {
  title: string;
  children: ReactNode;
  action?: ReactNode;
}) => (
  <Stack align="center" gap={10} px={16} py={56} ta="center" bd="1px dashed var(--line-strong)" bdrs={10}>
    <h2>{title}</h2>
    <Box component="p" className="dim" maw={440} mb={6}>
      {children}
    </Box>
    {action}
  </Stack>
);

export type Tone = 'good' | 'bad' | 'busy' | 'warn' | 'plain';

/** The colors of a state, for the styles that use them. */
export const inTone = (tone: Tone) =>
  ({ '--tone': `var(--${tone})`, '--tone-soft': `var(--${tone}-soft)` }) as CSSProperties;

export const Badge = ({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) => (
  <span className="badge" style={inTone(tone)}>
    {children}
  </span>
);

export type CountsOf = readonly (readonly [name: string, count: number | string, tone?: Tone])[];

/** Numbers beside each other, in words if they are more than that. */
export function Counts({ of }: { of: CountsOf }) {
  const { number } = useTexts();
  return (
    <dl className="counts">
      {of.map(([name, count, tone]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className={tone === 'bad' && count !== 0 ? 'bad' : undefined}>
            {typeof count === 'number' ? number(count) : count}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Names and values in rows. */
export const Facts = ({
  facts,
}: {
  facts: (readonly [name: string, value: ReactNode] | false | undefined)[];
}) => (
  <dl className="tiles facts">
    {facts.map(
      (fact) =>
        fact && (
          <div key={fact[0]}>
            <dt>{fact[0]}</dt>
            <dd>{fact[1] ?? <Dash />}</dd>
          </div>
        ),
    )}
  </dl>
);
