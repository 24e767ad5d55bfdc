import type { ComponentChildren } from 'preact';
import { View } from '../app/view.tsx';
import { queryClient } from '../client/api.ts';
import type { User } from '../client/responses.ts';
import { isSignedIn, leave, register, session, signIn } from '../client/session.ts';
import { settings } from '../client/settings.ts';
import { Dialog } from '../components/dialog.tsx';
import { Form, TextField, textOf } from '../components/form.tsx';
import { NewPasswordField } from './new-password-field.tsx';

const start = '#/scenarios';

/** After signing in, the person continues here, with the filter of the link that was opened. */
let returnTo = start;

export function forgetReturn(): void {
  returnTo = start;
}

/** The router would write the query in front of the `#`. */
function goOn(): void {
  location.hash = returnTo;
}

export function SignInView() {
  return (
    <View title="Sign in">
      <SignInForm done={goOn} />
      <p>
        No account yet? <a href="#/register">Register</a>. A password link from an admin?{' '}
        <a href="#/password">Set a password</a>.
      </p>
    </View>
  );
}

function SignInForm({ email, done, cancel }: { email?: string; done?: () => void; cancel?: () => void }) {
  return (
    <Form
      class="narrow"
      action="Sign in"
      {...(cancel ? { cancel, cancelName: 'Go on signed out' } : {})}
      submit={async (fields) => {
        await signIn(textOf(fields, 'email'), textOf(fields, 'password'));
        void queryClient.invalidateQueries();
        done?.();
      }}
    >
      <TextField label="E-mail address" name="email" type="email" autocomplete="username" defaultValue={email ?? ''} />
      <TextField label="Password" name="password" type="password" autocomplete="current-password" />
    </Form>
  );
}

export function RegisterView() {
  const isClosed = settings.registration === 'closed';
  return (
    <View
      title="Register"
      lead={
        isClosed
          ? 'Registration is closed here. An admin can create an account for you.'
          : 'An account has reports and API keys of its own.'
      }
    >
      <Form
        class="narrow"
        action="Register"
        submit={async (fields) => {
          await register(textOf(fields, 'email'), textOf(fields, 'password'));
          goOn();
        }}
      >
        <TextField label="E-mail address" name="email" type="email" autocomplete="username" />
        <NewPasswordField label="Password" name="password" />
      </Form>
      <p>
        You have an account? <a href="#/sign-in">Sign in</a>.
      </p>
    </View>
  );
}

/** Shows its content to those who are signed in, and asks everybody else to sign in first. */
export function SignInPrompt({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  if (isSignedIn() || session.value.state === 'ended') return <>{children}</>;
  returnTo = location.hash;
  return (
    <View title={title} lead="This needs an account.">
      <SignInForm />
      <p>
        No account yet? <a href="#/register">Register</a>.
      </p>
    </View>
  );
}

/** Asks to sign in again, above the view that the person was in. */
export function SignInDialog({ user }: { readonly user: User }) {
  return (
    <Dialog title="Your session has ended" close={leave} isRequired>
      <p>Sign in to go on where you are. What you have typed is still there.</p>
      <SignInForm email={user.email} cancel={leave} />
    </Dialog>
  );
}
