import { lazy, type ReactNode, Suspense } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { DeskPage } from './desk/desk-page';
import { FeedPage } from './desk/feed-page';
import { DeliveriesPage } from './developers/deliveries-page';
import { KeyPage } from './developers/key-page';
import { KeysPage } from './developers/keys-page';
import { RequestsPage } from './developers/requests-page';
import { WebhooksPage } from './developers/webhooks-page';
import { EventPage } from './events/event-page';
import { EventsPage } from './events/events-page';
import { ImportJobPage } from './imports/import-job-page';
import { ImportsPage } from './imports/imports-page';
import { PAGE_PATHS, type PagePath } from './pages';
import { ParticipantPage } from './participants/participant-page';
import { ParticipantsPage } from './participants/participants-page';
import { LogPage } from './people/log-page';
import { PeoplePage } from './people/people-page';
import { Forbidden, Missing } from './pieces/missing';
import { useSession } from './session/session';
import { Account } from './shell/account';
import { PLACES, Shell } from './shell/shell';

/** Reading files and recognising their columns is loaded when a file is imported. */
const UploadPage = lazy(() => import('./upload/upload-page').then((page) => ({ default: page.UploadPage })));

type Screen = (params: { id?: string }) => ReactNode;

const SCREENS: Record<PagePath, Screen> = {
  '/imports': () => <ImportsPage />,
  '/imports/new': () => (
    <Suspense>
      <UploadPage />
    </Suspense>
  ),
  '/imports/:id': ({ id = '' }) => <ImportJobPage key={id} id={id} />,
  '/participants': () => <ParticipantsPage />,
  '/participants/:id': ({ id = '' }) => <ParticipantPage key={id} id={id} />,
  '/events': () => <EventsPage />,
  '/events/:id': ({ id = '' }) => <EventPage key={id} id={id} />,
  '/desk': () => <DeskPage />,
  '/desk/feed': () => <FeedPage />,
  '/developers': () => <FirstOf paths={['/developers/keys', '/developers/webhooks']} />,
  '/developers/keys': () => <KeysPage />,
  '/developers/keys/:id': ({ id = '' }) => <KeyPage key={id} id={id} />,
  '/developers/requests': () => <RequestsPage />,
  '/developers/webhooks': () => <WebhooksPage />,
  '/developers/deliveries': () => <DeliveriesPage />,
  '/people': () => <PeoplePage />,
  '/log': () => <LogPage />,
  '/account': () => <Account />,
};

/** The navigation of a member's organization. A page that the role can't use is not rendered. */
export function Screens() {
  const { opens } = useSession();
  return (
    <Shell>
      <Switch>
        <Route path="/">
          <FirstOf paths={[...PLACES.map(({ to }) => to), '/account']} />
        </Route>
        {PAGE_PATHS.map((path) => (
          <Route key={path} path={path}>
            {(params) => (opens(path) ? SCREENS[path](params) : <Forbidden />)}
          </Route>
        ))}
        <Route component={Missing} />
      </Switch>
    </Shell>
  );
}

function FirstOf({ paths }: { paths: PagePath[] }) {
  const { opens } = useSession();
  return <Redirect to={paths.find(opens) ?? '/account'} replace />;
}
