import { hour } from '../../shared/durations.ts';
import { createKey, enteredKey } from '../client/new-keys.ts';
import { isSignedIn } from '../client/session.ts';
import { announce } from '../components/announcer.tsx';
import { Form, TextField, textOf } from '../components/form.tsx';
import { ErrorNote } from '../components/states.tsx';
import { useAction } from '../components/use-action.ts';
import { keyFrom } from './entered-key.ts';

/** Asks for the API key that the notebooks need. */
export function KeyPrompt({ signIn }: { readonly signIn: () => void }) {
  return (
    <section>
      <h2>An API key for the notebooks</h2>
      <p>
        Notebooks are read and written with an API key that has the scopes <code>notebooks:read</code> and{' '}
        <code>notebooks:write</code>, also by those who are signed in.
      </p>
      {isSignedIn() ? (
        <CreateKeyButton />
      ) : (
        <div class="buttons before-form">
          <button type="button" onClick={signIn}>
            Sign in to create one
          </button>
          <span class="hint">or enter one that you have:</span>
        </div>
      )}
      <Form
        class="narrow"
        action="Use this key"
        submit={async (fields) => {
          enteredKey.value = keyFrom(textOf(fields, 'api_key'));
        }}
      >
        <TextField
          label="API key"
          name="api_key"
          type="password"
          autocomplete="off"
          hint="Kept until you close or reload this page."
        />
      </Form>
    </section>
  );
}

function CreateKeyButton() {
  const { start, isBusy, error } = useAction(async () => {
    await createKey({
      name: 'Notebooks in the page',
      scopes: ['notebooks:read', 'notebooks:write'],
      expires_at: new Date(Date.now() + hour).toISOString(),
    });
    enteredKey.value = null;
    announce('The key is created and used.');
  });
  return (
    <>
      <div class="buttons before-form">
        <button type="button" class="primary" aria-disabled={isBusy} onClick={() => start()}>
          Create a key for one hour
        </button>
        <span class="hint">or enter one that you have:</span>
      </div>
      {error !== null && <ErrorNote error={error} />}
    </>
  );
}
