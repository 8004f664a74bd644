import { Tabs } from '../pieces/tabs';
import { useSession } from '../session/session';
import { useTexts } from '../texts';

export function DeveloperTabs() {
  const { developers } = useTexts();
  const { opens } = useSession();
  const tabs = [
    { to: '/developers/keys', text: developers.keys },
    { to: '/developers/requests', text: developers.requests },
    { to: '/developers/webhooks', text: developers.webhooks },
    { to: '/developers/deliveries', text: developers.deliveries },
  ] as const;
  return (
    <div className="tabs-line">
      <Tabs label={developers.title} tabs={tabs.filter(({ to }) => opens(to))} />
      <a href="/docs" target="_blank" rel="noreferrer">
        {developers.reference}
      </a>
    </div>
  );
}
