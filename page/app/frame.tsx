import { useLocation } from 'wouter-preact';
import { queryClient } from '../client/api.ts';
import { isAdmin, session, signOut } from '../client/session.ts';
import { announce } from '../components/announcer.tsx';
import { sentenceOf } from '../components/states.tsx';
import { useAction } from '../components/use-action.ts';

const places = [
  ['/scenarios', 'Scenarios'],
  ['/notebooks', 'Notebooks'],
  ['/account', 'Account'],
] as const;

const adminPlace = ['/admin', 'Accounts'] as const;

export function Header() {
  const [location] = useLocation();
  return (
    <header class="page-head">
      <a class="brand" href="#/">
        <img src="page/icon.svg" alt="" width={26} height={26} /> Meterbook
      </a>
      <nav aria-label="Main">
        <ul>
          {(isAdmin() ? [...places, adminPlace] : places).map(([path, name]) => (
            <li key={path}>
              <a href={`#${path}`} {...(location.startsWith(path) ? { 'aria-current': 'page' as const } : {})}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="page-head-end">
        <SessionButton />
      </div>
    </header>
  );
}

function SessionButton() {
  const [, go] = useLocation();
  const { start, isBusy } = useAction(async () => {
    try {
      // The service would refuse what it reads after the end of the session.
      await queryClient.cancelQueries();
      await signOut();
      go('/');
      announce('You are signed out, in all browsers.');
    } catch (error) {
      announce(`You are still signed in. ${sentenceOf(error)}`);
    }
  });
  const current = session.value;
  if (current.state === 'signedOut') {
    return (
      <a class="button" href="#/sign-in">
        Sign in
      </a>
    );
  }
  if (current.state === 'opening') return null;
  return (
    <>
      <bdi class="who">{current.user.email}</bdi>
      <button type="button" title="Ends your session in all browsers" aria-disabled={isBusy} onClick={() => start()}>
        Sign out
      </button>
    </>
  );
}

export function Footer() {
  return (
    <footer class="page-foot">
      <nav aria-label="More">
        <ul>
          <li>
            <a href="docs">API documentation</a>
          </li>
          <li>
            <a href="openapi.json">OpenAPI document</a>
          </li>
          {isAdmin() && (
            <>
              <li>
                <a href="admin/queues">Queues</a> (with a password of their own)
              </li>
              <li>
                <a href="health/ready?for=all">Health</a>
              </li>
            </>
          )}
        </ul>
      </nav>
    </footer>
  );
}
