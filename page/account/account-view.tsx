import { View } from '../app/view.tsx';
import type { User } from '../client/responses.ts';
import { changePassword, session } from '../client/session.ts';
import { announce } from '../components/announcer.tsx';
import { Form, TextField, textOf } from '../components/form.tsx';
import { ApiKeys } from './api-keys.tsx';
import { NewPasswordField } from './new-password-field.tsx';

/** Who is signed in, and the API keys of the account. */
export function AccountView() {
  const current = session.value;
  if (!('user' in current)) return null;
  const { user } = current;
  const isAdmin = user.role === 'admin';
  return (
    <View
      title="Account and API keys"
      lead={
        <>
          <bdi>{user.email}</bdi>
          {isAdmin && ', an administrator'}
        </>
      }
    >
      <ApiKeys isAdmin={isAdmin} />
      <section>
        <details>
          <summary>Change the password</summary>
          <PasswordForm user={user} />
        </details>
      </section>
    </View>
  );
}

function PasswordForm({ user: { email } }: { readonly user: User }) {
  return (
    <Form
      class="narrow"
      action="Change the password"
      isReused
      submit={async (fields) => {
        await changePassword(email, textOf(fields, 'current_password'), textOf(fields, 'new_password'));
        announce('The password is changed. Sessions in other browsers have ended.');
      }}
    >
      <p class="hint">Sessions in other browsers end. API keys stay valid.</p>
      <TextField label="Current password" name="current_password" type="password" autocomplete="current-password" />
      <NewPasswordField label="New password" name="new_password" />
    </Form>
  );
}
