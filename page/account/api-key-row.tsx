import { queryClient, write } from '../client/api.ts';
import { forgetKey, keepKey } from '../client/new-keys.ts';
import type { ApiKey, NewApiKey } from '../client/responses.ts';
import { Time } from '../components/amount.tsx';
import { announce } from '../components/announcer.tsx';
import { Dialog, Question } from '../components/dialog.tsx';
import { Form, SelectField, TextField, textOf } from '../components/form.tsx';
import { Menu } from '../components/menu.tsx';
import { graceChoices, isExpired } from './expiries.ts';

interface RowProps {
  readonly apiKey: ApiKey;
}

interface DialogProps extends RowProps {
  readonly close: () => void;
}

const pathOf = ({ id }: ApiKey) => `/api/v1/api-keys/${id}`;

export function ApiKeyRow({ apiKey }: RowProps) {
  const { name, prefix, scopes, expires_at, last_used_at, grace_ends_at, created_at } = apiKey;
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>
        <span class="hint">
          <code>mb_{prefix}_…</code>
        </span>
      </th>
      <td data-label="Scopes">
        <span>{scopes.join(', ')}</span>
      </td>
      <td data-label="Expires">
        {expires_at === null ? 'Never' : <Time iso={expires_at} />}
        {isExpired(expires_at) && <span class="hint">has expired</span>}
        {grace_ends_at !== null && (
          <span class="hint">
            the key before it works until <Time iso={grace_ends_at} />
          </span>
        )}
      </td>
      <td data-label="Last used">{last_used_at === null ? 'Never' : <Time iso={last_used_at} />}</td>
      <td data-label="Created">
        <Time iso={created_at} />
      </td>
      <td class="row-actions">
        <Menu
          of={name}
          items={[
            { name: 'Rename', dialog: (close) => <RenameDialog apiKey={apiKey} close={close} /> },
            ...(isExpired(expires_at)
              ? []
              : [
                  {
                    name: 'Rotate',
                    dialog: (close: () => void) => <RotateDialog apiKey={apiKey} close={close} />,
                  },
                ]),
            { name: 'Revoke', dialog: (close) => <RevokeQuestion apiKey={apiKey} close={close} /> },
          ]}
        />
      </td>
    </tr>
  );
}

function RenameDialog({ apiKey, close }: DialogProps) {
  return (
    <Dialog title="Rename the key" close={close}>
      <Form
        action="Save"
        cancel={close}
        submit={async (fields) => {
          await write('PATCH', pathOf(apiKey), { name: textOf(fields, 'name') });
          await refreshKeys();
          close();
        }}
      >
        <TextField label="Name" name="name" defaultValue={apiKey.name} />
      </Form>
    </Dialog>
  );
}

function RotateDialog({ apiKey, close }: DialogProps) {
  return (
    <Dialog title="Rotate the key" close={close}>
      <p>
        <bdi>{apiKey.name}</bdi> gets a new secret, with the same scopes. The new key is shown once.
      </p>
      <Form
        action="Rotate"
        cancel={close}
        submit={async (fields) => {
          const body = { grace_seconds: Number(textOf(fields, 'grace_seconds')) };
          const created = await write<NewApiKey>('POST', `${pathOf(apiKey)}/rotate`, body);
          // Once the dialog is closed, the new key can receive the focus.
          close();
          announce('The key is rotated. Copy the new one now: it is not shown again.');
          await keepKey(created);
        }}
      >
        <SelectField label="The present key" name="grace_seconds" choices={graceChoices} value="3600" />
      </Form>
    </Dialog>
  );
}

function RevokeQuestion({ apiKey, close }: DialogProps) {
  return (
    <Question
      title="Revoke this key?"
      action="Revoke"
      act={async () => {
        await write('DELETE', pathOf(apiKey));
        forgetKey(apiKey.id);
        await refreshKeys();
        announce('The key is revoked.');
      }}
      close={close}
    >
      <p>
        Programs that use <bdi>{apiKey.name}</bdi> are refused at once. This cannot be undone.
      </p>
    </Question>
  );
}

const refreshKeys = () => queryClient.invalidateQueries({ queryKey: ['api-keys'] });
