import { View } from '../app/view.tsx';
import type { User } from '../client/responses.ts';
import { changePassword, session } from '../client/session.ts';
import { Time } from '../components/amount.tsx';
import { announce } from '../components/announcer.tsx';
import { EmailAddress } from '../components/email-address.tsx';
import { Form, TextField, textOf } from '../components/form.tsx';
import { ApiKeys } from './api-keys.tsx';
import { NewPasswordField } from './new-password-field.tsx';

const roleNames: Readonly<Record<User['role'], string>> = { admin: 'Admin', member: 'Member' };

/** Who is signed in, and the API keys of the account. */
export function AccountView() {
  const current = session.value;
  if (!('user' in current)) return null;
  const { user } = current;
  return (
    <View title="Account and API keys">
      <section>
        <h2>Account</h2>
        <dl class="figures">
          <div>
            <dt>E-mail address</dt>
            <dd>
              <EmailAddress address={user.email} />
            </dd>
          </div>
          <div>
            <dt>Role</dt>
            <dd>{roleNames[user.role]}</dd>
          </div>
          <div>
            <dt>Created</dt>
            <dd>
              <Time iso={user.created_at} />
            </dd>
          </div>
        </dl>
        <details class="after-figures">
          <summary>Change the password</summary>
          <PasswordForm user={user} />
        </details>
      </section>
      <ApiKeys isAdmin={user.role === 'admin'} />
      {user.role === 'admin' && <OperatorLinks />}
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

function OperatorLinks() {
  return (
    <section>
      <h2>For operators</h2>
      <ul class="plain">
        <li>
          <a href="admin/queues">Queues</a>: jobs that wait, run or have failed. This page has a user name and a
          password of its own.
        </li>
        <li>
          <a href="docs">API documentation</a>: every route, and how to call it.
        </li>
        <li>
          <a href="health/ready?for=all">Health</a>: whether the databases and the workers respond.
        </li>
      </ul>
    </section>
  );
}
