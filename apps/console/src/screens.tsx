import { Redirect, Route, Switch } from 'wouter';
import { ImportJobPage } from './imports/import-job-page';
import { ImportsPage } from './imports/imports-page';
import { Missing } from './pieces/missing';
import { useSession } from './session/session';
import { Account } from './shell/account';
import { PLACES, Shell } from './shell/shell';
import { UploadPage } from './upload/upload-page';

/** What a member sees of their organization. */
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
        <Route path="/imports/:id">{({ id }) => <ImportJobPage id={id} />}</Route>
        <Route path="/account" component={Account} />
        <Route component={Missing} />
      </Switch>
    </Shell>
  );
}
