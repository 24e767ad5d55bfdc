import { effect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Route, Router, Switch, useLocation } from 'wouter-preact';
import { AccountView } from '../account/account-view.tsx';
import { PasswordLinkView } from '../account/password-link-view.tsx';
import { forgetReturn, RegisterView, SignInDialog, SignInPrompt, SignInView } from '../account/sign-in.tsx';
import { AccountsView } from '../admin/accounts-view.tsx';
import { queryClient } from '../client/api.ts';
import { isReachable } from '../client/connection.ts';
import { accountId, isOpenToAll, session } from '../client/session.ts';
import { CompareView } from '../compare/compare-view.tsx';
import { Announcer, announce } from '../components/announcer.tsx';
import { keepFocus } from '../components/dialog.tsx';
import { Loading } from '../components/states.tsx';
import { NotebooksView } from '../notebooks/notebooks-view.tsx';
import { ScenarioView } from '../scenario/scenario-view.tsx';
import { CreateScenarioView } from '../scenarios/create-scenario-view.tsx';
import { ScenariosView } from '../scenarios/scenarios-view.tsx';
import { clearQuery, usePageLocation } from './address.ts';
import { Footer, Header } from './frame.tsx';
import { View } from './view.tsx';
import { WelcomeView } from './welcome-view.tsx';

/** The page: its frame, the view of the address, and what is shown above both. */
export function App() {
  const current = session.value;
  return (
    <Router hook={usePageLocation}>
      <SkipLink />
      <Header />
      <ConnectionNote />
      <main id="content" tabIndex={-1}>
        {current.state === 'opening' ? <Loading what="your session" /> : <Views key={accountId.value} />}
      </main>
      <Footer />
      {current.state === 'ended' && <SignInDialog user={current.user} />}
      <Announcer />
    </Router>
  );
}

function Views() {
  const [location] = useLocation();
  useFocusOnChange(location);
  return (
    <Switch>
      <Route path="/">{session.value.state === 'signedOut' ? <WelcomeView /> : <ScenariosView />}</Route>
      <Route path="/sign-in">
        <SignInView />
      </Route>
      <Route path="/register">
        <RegisterView />
      </Route>
      <Route path="/password/:token?">{({ token }) => <PasswordLinkView token={token} />}</Route>
      <Route path="/scenarios">
        <Open title="Scenarios">
          <ScenariosView />
        </Open>
      </Route>
      <Route path="/scenarios/new">
        <Open title="New scenario">
          <CreateScenarioView />
        </Open>
      </Route>
      <Route path={scenarioAddress}>
        {({ id = '', part }) => (
          <Open title="Scenario">
            <ScenarioView key={id} id={id} part={part ?? 'overview'} />
          </Open>
        )}
      </Route>
      <Route path="/compare/:ids?">
        {({ ids }) => (
          <Open title="Compare">
            <CompareView ids={ids?.split(',').filter(Boolean) ?? []} />
          </Open>
        )}
      </Route>
      <Route path="/notebooks">
        <NotebooksView />
      </Route>
      <Route path="/account">
        <SignInPrompt title="Account and API keys">
          <AccountView />
        </SignInPrompt>
      </Route>
      <Route path="/admin">
        <SignInPrompt title="Accounts">
          <AccountsView />
        </SignInPrompt>
      </Route>
      <Route>
        <View title="Not found">
          <p>There is nothing at this address of the page.</p>
          <p>
            <a href="#/scenarios">Go to the scenarios</a>
          </p>
        </View>
      </Route>
    </Switch>
  );
}

/** With the id of a scenario only, because it becomes a part of the addresses of requests. */
const scenarioAddress = /^\/scenarios\/(?<id>[\da-f-]{36})(?:\/(?<part>[a-z-]+))?\/?$/i;

/** Views that need no account, unless the service is in strict mode. */
function Open({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return isOpenToAll ? <>{children}</> : <SignInPrompt title={title}>{children}</SignInPrompt>;
}

/**
 * A screen reader starts at the heading of the new view. The links to the parts of a scenario keep
 * the focus.
 */
function useFocusOnChange(location: string): void {
  const view = location.replace(/^(\/scenarios\/[^/]+)\/.*$/, '$1');
  const shown = useRef<string | null>(null);
  useEffect(() => {
    // A link from one part to another can be gone with its part.
    if (shown.current === view) keepFocus();
    else if (shown.current !== null) {
      document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    shown.current = view;
  }, [location]);
}

/** A link to `#content` would be an address of the page. */
function SkipLink() {
  return (
    <button type="button" class="skip-link" onClick={() => document.querySelector<HTMLElement>('#content')?.focus()}>
      Skip to the content
    </button>
  );
}

function ConnectionNote() {
  return (
    <div role="status" aria-live="polite">
      {!isReachable.value && (
        <p class="connection-note">
          Meterbook is unreachable. What is shown may be old; what you have typed stays. The page goes on by itself as
          soon as Meterbook responds.
        </p>
      )}
    </div>
  );
}

let wasReachable = true;

let formerAccount = '';

/**
 * Data of one account is never shown to another, and what it has searched for leaves the address. A
 * link that was opened before signing in stays as it is.
 */
accountId.subscribe((id) => {
  queryClient.clear();
  if (formerAccount !== '') {
    clearQuery();
    forgetReturn();
  }
  formerAccount = id;
});

effect(() => {
  const reachable = isReachable.value;
  if (reachable && !wasReachable) {
    announce('Meterbook is reachable again.');
    void queryClient.invalidateQueries();
  }
  wasReachable = reachable;
});
