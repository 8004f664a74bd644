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
import { ParticipantPage } from './participants/participant-page';
import { ParticipantsPage } from './participants/participants-page';
import { LogPage } from './people/log-page';
import { PeoplePage } from './people/people-page';
import { Missing } from './pieces/missing';
import { useSession } from './session/session';
import { Account } from './shell/account';
import { PLACES, Shell } from './shell/shell';
import { UploadPage } from './upload/upload-page';

/** The navigation of a member's organization. */
export function Screens() {
  const { may } = useSession();
  const home = PLACES.find(({ roles }) => may(...roles))?.to ?? '/account';
  return (
    <Shell>
      <Switch>
        <Route path="/">
          <Redirect to={home} replace />
        </Route>
        <Route path="/imports" component={ImportsPage} />
        <Route path="/imports/new" component={UploadPage} />
        <Route path="/imports/:id">{({ id }) => <ImportJobPage key={id} id={id} />}</Route>
        <Route path="/participants" component={ParticipantsPage} />
        <Route path="/participants/:id">{({ id }) => <ParticipantPage key={id} id={id} />}</Route>
        <Route path="/events" component={EventsPage} />
        <Route path="/events/:id">{({ id }) => <EventPage key={id} id={id} />}</Route>
        <Route path="/desk" component={DeskPage} />
        <Route path="/desk/feed" component={FeedPage} />
        <Route path="/developers">
          <Redirect to={may('OWNER') ? '/developers/keys' : '/developers/webhooks'} replace />
        </Route>
        <Route path="/developers/keys" component={KeysPage} />
        <Route path="/developers/keys/:id">{({ id }) => <KeyPage key={id} id={id} />}</Route>
        <Route path="/developers/requests" component={RequestsPage} />
        <Route path="/developers/webhooks" component={WebhooksPage} />
        <Route path="/developers/deliveries" component={DeliveriesPage} />
        <Route path="/people" component={PeoplePage} />
        <Route path="/log" component={LogPage} />
        <Route path="/account" component={Account} />
        <Route component={Missing} />
      </Switch>
    </Shell>
  );
}
