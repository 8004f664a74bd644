import { Redirect, Route, Switch } from 'wouter';
import { Screens, usePreload } from './screens';
import { SessionProvider } from './session';
import { Redeem } from './session/redeem';
import { rememberedOrganizations } from './session/remembered';
import { SignIn } from './session/sign-in';

export const App = () => (
  <Switch>
    <Route path="/redeem" component={Redeem} />
    <Route path="/sign-in" component={SignIn} />
    <Route path="/o/:slug" nest>
      {({ slug }) => <Organization slug={slug} />}
    </Route>
    <Route>
      <Home />
    </Route>
  </Switch>
);

function Organization({ slug }: { slug: string }) {
  usePreload();
  return (
    <SessionProvider slug={slug}>
      <Screens />
    </SessionProvider>
  );
}

function Home() {
  const [last] = rememberedOrganizations();
  return <Redirect to={last ? `/o/${last.slug}` : '/sign-in'} replace />;
}
