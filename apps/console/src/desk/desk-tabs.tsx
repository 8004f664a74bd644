import { Tabs } from '../pieces/tabs';
import { useTexts } from '../texts';

export function DeskTabs() {
  const { desk } = useTexts();
  return (
    <div className="tabs-line">
      <Tabs
        label={desk.title}
        tabs={[
          { to: '/desk', text: desk.tab, exact: true },
          { to: '/desk/feed', text: desk.feed },
        ]}
      />
    </div>
  );
}
