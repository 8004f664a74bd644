import { type ComponentType, lazy, Suspense, useState } from 'react';
import { matchRoute, Redirect, Route, Switch, useLocation, useRouter } from 'wouter';
import { PAGE_PATHS, type PagePath } from './pages';
import { Boundary, Forbidden, Later, Missing, Problem } from './pieces';
import { useSession } from './session';
import { PLACES } from './shell/places';
import { Shell } from './shell/shell';

type Screen = ComponentType<{ id: string }>;

/** A page whose code is loaded when it is opened for the first time. A later release can have removed it, which a reload finds. */
function page<Name extends string>(load: () => Promise<Record<Name, Screen>>, name: Name) {
  let code: Promise<{ default: Screen }> | undefined;
  const loaded = () => {
    code ??= load().then(
      (module) => ({ default: module[name] }),
      (error) => ({ default: () => <Problem error={error} page retry={() => location.reload()} /> }),
    );
    return code;
  };
  return Object.assign(lazy(loaded), { preload: loaded });
}

const SCREENS: Record<PagePath, Screen & { preload?(): unknown }> = {
  '/': page(() => import('./home/home-page'), 'HomePage'),
  '/imports': page(() => import('./imports/imports-page'), 'ImportsPage'),
  '/imports/new': page(() => import('./upload/upload-page'), 'UploadPage'),
  '/imports/:id': page(() => import('./imports/import-job-page'), 'ImportJobPage'),
  '/participants': page(() => import('./participants/participants-page'), 'ParticipantsPage'),
  '/participants/person': page(() => import('./persons/person-page'), 'PersonPage'),
  '/participants/:id': page(() => import('./participants/participant-page'), 'ParticipantPage'),
  '/applications': page(() => import('./applications/applications-page'), 'ApplicationsPage'),
  '/applications/ballots': page(() => import('./applications/ballots-page'), 'BallotsPage'),
  '/applications/ballots/:id': page(() => import('./applications/ballot-page'), 'BallotPage'),
  '/applications/:id': page(() => import('./applications/application-page'), 'ApplicationPage'),
  '/partners': page(() => import('./partners/partners-page'), 'PartnersPage'),
  '/partners/groups': page(() => import('./partners/groups-page'), 'GroupsPage'),
  '/partners/groups/:id': page(() => import('./partners/group-page'), 'GroupPage'),
  '/partners/codes': page(() => import('./partners/codes-page'), 'CodesPage'),
  '/partners/codes/:id': page(() => import('./partners/code-page'), 'CodePage'),
  '/partners/referrals/:id': page(() => import('./partners/referrals-page'), 'ReferralsPage'),
  '/partners/:id': page(() => import('./partners/partner-page'), 'PartnerPage'),
  '/events': page(() => import('./events/events-page'), 'EventsPage'),
  '/events/new': page(() => import('./events/new-event-page'), 'NewEventPage'),
  '/events/upload': page(() => import('./events/upload/upload-events-page'), 'UploadEventsPage'),
  '/events/:id': page(() => import('./events/event-page'), 'EventPage'),
  '/events/:id/edit': page(() => import('./events/edit-event-page'), 'EditEventPage'),
  '/desk': page(() => import('./desk/desk-page'), 'DeskPage'),
  '/desk/feed': page(() => import('./desk/feed-page'), 'FeedPage'),
  '/desk/bibs': page(() => import('./desk/bibs/bibs-page'), 'BibsPage'),
  '/desk/print': page(() => import('./desk/print-page'), 'PrintPage'),
  '/developers': () => <FirstOf paths={['/developers/keys', '/developers/webhooks']} />,
  '/developers/keys': page(() => import('./developers/keys-page'), 'KeysPage'),
  '/developers/keys/:id': page(() => import('./developers/key-page'), 'KeyPage'),
  '/developers/requests': page(() => import('./developers/requests-page'), 'RequestsPage'),
  '/developers/webhooks': page(() => import('./developers/webhooks-page'), 'WebhooksPage'),
  '/developers/deliveries': page(() => import('./developers/deliveries-page'), 'DeliveriesPage'),
  '/people': page(() => import('./people/people-page'), 'PeoplePage'),
  '/log': page(() => import('./people/log-page'), 'LogPage'),
  '/places': page(() => import('./partners/groups-page'), 'GroupsPage'),
  '/places/file': page(() => import('./partner/assign-file-page'), 'AssignFilePage'),
  '/places/imports/:id': page(() => import('./partner/assignments-page'), 'AssignmentsPage'),
  '/account': page(() => import('./shell/account'), 'Account'),
};

/** Loads the code of the page that the address opens while the session is read. */
export function usePreload(): void {
  const [address] = useLocation();
  const { parser } = useRouter();
  useState(() => {
    const opened = PAGE_PATHS.find((path) => matchRoute(parser, path, address)[0]);
    return opened && SCREENS[opened].preload?.();
  });
}

/** The navigation of a member's organization. A page that the role can't use is not rendered. */
export function Screens() {
  const { opens } = useSession();
  return (
    <Shell>
      <Suspense>
        <Switch>
          {!opens('/') && (
            <Route path="/">
              <FirstOf paths={[...PLACES.map(({ to }) => to), '/account']} />
            </Route>
          )}
          {PAGE_PATHS.map((path) => (
            <Route key={path} path={path}>
              {({ id = '' }: { id?: string }) => <Opened path={path} id={id} />}
            </Route>
          ))}
          <Route component={Missing} />
        </Switch>
      </Suspense>
    </Shell>
  );
}

function Opened({ path, id }: { path: PagePath; id: string }) {
  const { opens } = useSession();
  const Page = SCREENS[path];
  if (!opens(path)) return <Forbidden />;
  return (
    <Later>
      <Boundary key={id}>
        <Page id={id} />
      </Boundary>
    </Later>
  );
}

function FirstOf({ paths }: { paths: PagePath[] }) {
  const { opens } = useSession();
  return <Redirect to={paths.find(opens) ?? '/account'} replace />;
}
