import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { View } from '../app/view.tsx';
import { resetPassword } from '../client/session.ts';
import { Form, TextField, textOf } from '../components/form.tsx';
import { NewPasswordField } from './new-password-field.tsx';

/**
 * For those to whom an admin has given a password link.
 * @param token that of the address.
 */
export function PasswordLinkView({ token }: { readonly token: string | undefined }) {
  const [, go] = useLocation();
  const [linked] = useState(token ?? '');
  // The address bar and the history do not retain it.
  useEffect(() => {
    if (token) go('/password', { replace: true });
  }, [token]);
  return (
    <View title="Set a password" lead="An administrator gives you a link, which is valid once.">
      <Form
        class="narrow"
        action="Set the password"
        submit={async (fields) => {
          await resetPassword(textOf(fields, 'token').trim(), textOf(fields, 'password'));
          go('/scenarios');
        }}
      >
        <TextField label="Token" name="token" defaultValue={linked} hint="The last part of the link." />
        <NewPasswordField label="New password" name="password" />
      </Form>
    </View>
  );
}
