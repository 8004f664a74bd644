import { Tabs } from '../pieces/tabs';
import { useTexts } from '../texts';

export function PartnerTabs() {
  const { partners } = useTexts();
  return (
    <Tabs
      label={partners.title}
      tabs={[
        { to: '/partners', text: partners.title, exact: true },
        { to: '/partners/groups', text: partners.groups },
        { to: '/partners/codes', text: partners.codes },
      ]}
    />
  );
}
