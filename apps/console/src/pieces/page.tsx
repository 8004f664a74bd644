import { type ReactNode, useEffect } from 'react';
import { Link } from 'wouter';
import { useTexts } from '../texts';
import { Icon } from './icons';

export function usePageTitle(title: string): void {
  const { product } = useTexts();
  useEffect(() => {
    document.title = `${title} · ${product}`;
  }, [title, product]);
}

interface PageProps {
  title: string;
  /** A state, shown next to the title. */
  beside?: ReactNode;
  actions?: ReactNode;
  /** The list that the page belongs to. */
  up?: { to: string; text: string };
  children: ReactNode;
}

export function Page({ title, beside, actions, up, children }: PageProps) {
  usePageTitle(title);
  return (
    <div className="page">
      {up && (
        <Link className="page-up" to={up.to}>
          <Icon name="left" /> {up.text}
        </Link>
      )}
      <header className="page-header">
        <h1>{title}</h1>
        {beside}
        <div className="page-actions">{actions}</div>
      </header>
      {children}
    </div>
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
  <section className="card">
    {title && (
      <header className="card-header">
        <h2>{title}</h2>
        {actions}
      </header>
    )}
    {children}
  </section>
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
  <div className="empty">
    <h2>{title}</h2>
    <p>{children}</p>
    {action}
  </div>
);

export type Tone = 'good' | 'bad' | 'busy' | 'warn' | 'plain';

export const Badge = ({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) => (
  <span className="badge" data-tone={tone}>
    {children}
  </span>
);

/** Names and values in rows. */
export const Facts = ({
  facts,
}: {
  facts: (readonly [name: string, value: ReactNode] | false | undefined)[];
}) => (
  <dl className="facts">
    {facts.map(
      (fact) =>
        fact && (
          <div key={fact[0]}>
            <dt>{fact[0]}</dt>
            <dd>{fact[1] ?? <span className="dim">–</span>}</dd>
          </div>
        ),
    )}
  </dl>
);
