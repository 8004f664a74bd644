import { Tabs } from '../pieces/tabs';
import { useSession } from '../session/session';
import { useTexts } from '../texts';

export function DeveloperTabs() {
  const { developers } = useTexts();
  const { may } = useSession();
  const tabs = [
    ...(may('OWNER') ? [{ to: '/developers/keys', text: developers.keys }] : []),
    ...(may('OWNER', 'MANAGER') ? [{ to: '/developers/requests', text: developers.requests }] : []),
    { to: '/developers/webhooks', text: developers.webhooks },
    { to: '/developers/deliveries', text: developers.deliveries },
  ];
  return (
    <div className="tabs-line">
      <Tabs label={developers.title} tabs={tabs} />
      <a href="/docs" target="_blank" rel="noreferrer">
        {developers.reference}
      </a>
    </div>
  );
}
