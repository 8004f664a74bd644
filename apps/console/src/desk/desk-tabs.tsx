import { Tabs } from '../pieces/tabs';
import { useSession } from '../session/session';
import { useTexts } from '../texts';

export function DeskTabs() {
  const { desk, bibs } = useTexts();
  const { opens } = useSession();
  return (
    <div className="tabs-line">
      <Tabs
        label={desk.title}
        tabs={[
          { to: '/desk', text: desk.tab, exact: true },
          { to: '/desk/feed', text: desk.feed },
          { to: '/desk/print', text: desk.print },
          ...(opens('/desk/bibs') ? [{ to: '/desk/bibs', text: bibs.title }] : []),
        ]}
      />
    </div>
  );
}
