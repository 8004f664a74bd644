import { Tabs } from '../pieces/tabs';
import { useTexts } from '../texts';

export function ApplicationTabs() {
  const { applications } = useTexts();
  return (
    <Tabs
      label={applications.title}
      tabs={[
        { to: '/applications', text: applications.title, exact: true },
        { to: '/applications/ballots', text: applications.ballots },
      ]}
    />
  );
}
