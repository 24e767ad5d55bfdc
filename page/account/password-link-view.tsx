import { useLocation } from 'wouter-preact';
import { View } from '../app/view.tsx';
import { resetPassword } from '../client/session.ts';
import { Form, TextField, textOf } from '../components/form.tsx';

/** For those to whom an admin has given the token of a password link. */
export function PasswordLinkView() {
  const [, go] = useLocation();
  return (
    <View title="Set a password" lead="An admin gives you a token, which is valid once.">
      <Form
        class="narrow"
        action="Set the password"
        submit={async (fields) => {
          await resetPassword(textOf(fields, 'token').trim(), textOf(fields, 'password'));
          go('/scenarios');
        }}
      >
        <TextField label="Token" name="token" />
        <TextField
          label="New password"
          name="password"
          type="password"
          autocomplete="new-password"
          hint="10 to 72 characters; those beyond ASCII count as several."
        />
      </Form>
    </View>
  );
}
