import { isOpenToAll, session } from '../client/session.ts';
import { TrySample } from '../sample/try-sample.tsx';
import { View } from './view.tsx';

/** Explains the service to somebody who has never seen it. */
export function WelcomeView() {
  return (
    <View
      title="Meterbook"
      heading="What would your log stream cost in the cloud?"
      lead="Meterbook counts the entries of a log, mostly one a line, and finds personal data in them. It then says what it would cost to pass each entry through a message queue to a function, a short program that asks a language model about it, in the cloud region that you choose."
    >
      <div class="buttons">
        {isOpenToAll && <TrySample />}
        {isOpenToAll && (
          <a class="button" href="#/scenarios/new">
            Go on without an account
          </a>
        )}
        <a class={isOpenToAll ? 'button' : 'button primary'} href="#/register">
          Register
        </a>
        <a class="button" href="#/sign-in">
          Sign in
        </a>
      </div>
      <ol class="steps">
        <li class="card">
          <h2>1. Create a scenario</h2>
          <p>
            A scenario is one log in one cloud region. The model and the memory of the function have defaults that you
            can change. Every price has a source.
          </p>
        </li>
        <li class="card">
          <h2>2. Send it your log</h2>
          <p>
            Drop a file, or point a log shipper (a program that forwards logs) at it. Messages are not stored: a
            fingerprint of each stays, and its first 200 characters without the personal data that was found, which is
            counted by kind.
          </p>
        </li>
        <li class="card">
          <h2>3. See the cost, and change your mind</h2>
          <p>
            Try other regions, memory sizes and designs, calculate a month, compare scenarios, and send the PDF report
            to the one who pays.
          </p>
        </li>
      </ol>
      {session.value.state === 'signedOut' && isOpenToAll && (
        <p class="hint">
          Without an account, everybody who reaches this service sees what you create. Reports and API keys need an
          account. The sample is a scenario with 3,000 generated log lines.
        </p>
      )}
    </View>
  );
}
