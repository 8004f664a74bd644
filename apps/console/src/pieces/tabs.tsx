import { Link, useRoute } from 'wouter';

interface Tab {
  to: string;
  text: string;
  /** Pages below this address belong to another tab. */
  exact?: boolean;
}

/** Pages of one section: links, so that each has its own address. */
export const Tabs = ({ label, tabs }: { label: string; tabs: Tab[] }) => (
  <nav className="tabs" aria-label={label}>
    {tabs.map((tab) => (
      <TabLink key={tab.to} {...tab} />
    ))}
  </nav>
);

function TabLink({ to, text, exact }: Tab) {
  const [active] = useRoute(exact ? to : `${to}/*?`);
  return (
    <Link to={to} aria-current={active ? 'page' : undefined}>
      {text}
    </Link>
  );
}
