import { useState } from 'preact/hooks';
import { day } from '../../shared/durations.ts';
import { read } from '../client/api.ts';
import { apiKeysPath, createKey, newKeys, renameKey, revokeKey, rotateKey } from '../client/new-keys.ts';
import type { ApiKey, ApiKeyList, NewApiKey } from '../client/responses.ts';
import { Time } from '../components/amount.tsx';
import { announce } from '../components/announcer.tsx';
import { Dialog, Question } from '../components/dialog.tsx';
import { ChecksField, Form, SelectField, TextField, textOf } from '../components/form.tsx';
import { Menu } from '../components/menu.tsx';
import { NewSecret } from '../components/new-secret.tsx';
import { PagedList } from '../components/paged-list.tsx';
import { actionsColumn } from '../components/table.tsx';

const keysPerPage = 10;

/** When a new key expires, in days from its creation; an empty value is never. */
const expiryChoices = [
  { value: '', text: 'Never' },
  { value: '1', text: 'In 1 day' },
  { value: '30', text: 'In 30 days' },
  { value: '365', text: 'In 1 year' },
];

/** How long a rotated key still works, in seconds. */
const graceChoices = [
  { value: '0', text: 'Stops at once' },
  { value: '3600', text: 'Works for 1 hour more' },
  { value: '86400', text: 'Works for 1 day more' },
];

const expiryOf = (days: string): string | null =>
  days === '' ? null : new Date(Date.now() + Number(days) * day).toISOString();

const scopeHints: Readonly<Record<ApiKey['scopes'][number], string>> = {
  ingest: 'Send entries. Enough for a program that forwards logs.',
  'scenarios:read': 'Read scenarios, metrics and estimates.',
  'scenarios:write': 'Create, change and delete scenarios.',
  'reports:read': 'Read and download reports.',
  'reports:write': 'Create and delete reports.',
  'notebooks:read': 'Read notebooks.',
  'notebooks:write': 'Create, change and delete notebooks.',
  admin: 'Everything, also what belongs to other accounts.',
};

/** The API keys of the account: for programs, which cannot sign in. */
export function ApiKeys({ isAdmin }: { readonly isAdmin: boolean }) {
  const [createdId, setCreatedId] = useState('');
  const created = newKeys.value.find(({ id }) => id === createdId);
  function show({ id }: NewApiKey): void {
    setCreatedId(id);
    announce('Copy the new key now: it is not shown again.');
  }
  return (
    <>
      <section>
        <h2>New API key</h2>
        <CreateForm isAdmin={isAdmin} done={show} />
        {created && (
          <NewSecret
            title={
              <>
                The key <bdi>{created.name}</bdi>
              </>
            }
            label={`API key ${created.name}`}
            secret={created.key}
            hide={() => setCreatedId('')}
          >
            Copy it now. It is not shown again.
          </NewSecret>
        )}
      </section>
      <section>
        <h2>API keys</h2>
        <KeyTable rotated={show} />
      </section>
    </>
  );
}

interface CreateFormProps {
  readonly isAdmin: boolean;
  readonly done: (created: NewApiKey) => void;
}

function CreateForm({ isAdmin, done }: CreateFormProps) {
  const scopes = Object.entries(scopeHints).filter(([scope]) => isAdmin || scope !== 'admin');
  return (
    <Form
      action="Create the key"
      isReused
      submit={async (fields) => {
        const created = await createKey({
          name: textOf(fields, 'name'),
          scopes: fields.getAll('scopes').map(String),
          expires_at: expiryOf(textOf(fields, 'expires_at')),
        });
        done(created);
      }}
    >
      <div class="columns">
        <TextField label="Name" name="name" maxLength={200} hint="What uses the key, such as a program or a server." />
        <SelectField label="Expires" name="expires_at" choices={expiryChoices} value="" />
      </div>
      <ChecksField
        label="What the key may do (scopes)"
        name="scopes"
        choices={scopes.map(([value, hint]) => ({ value, text: value, hint }))}
      />
    </Form>
  );
}

/** @param rotated called with a new secret. */
const KeyTable = ({ rotated }: Pick<RowProps, 'rotated'>) => (
  <PagedList
    what="API keys"
    caption="API keys"
    queryKey={['api-keys']}
    pageSize={keysPerPage}
    readPage={(page, signal) => read<ApiKeyList>(apiKeysPath, { page, page_size: keysPerPage }, signal)}
    columns={['Name', 'Scopes', 'Expires', 'Last used', 'Created', actionsColumn]}
    row={(apiKey) => <ApiKeyRow key={apiKey.id} apiKey={apiKey} rotated={rotated} />}
  />
);

interface RowProps {
  readonly apiKey: ApiKey;
  readonly rotated: (created: NewApiKey) => void;
}

function ApiKeyRow({ apiKey, rotated }: RowProps) {
  const { id, name, prefix, scopes, expires_at: expiresAt, last_used_at: usedAt, created_at: createdAt } = apiKey;
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>
        <span class="hint">
          <code>mb_{prefix}_…</code>
        </span>
      </th>
      <td data-label="Scopes">{scopes.join(', ')}</td>
      <td data-label="Expires">
        {expiresAt === null ? 'Never' : <Time iso={expiresAt} />}
        {expiresAt !== null && Date.parse(expiresAt) <= Date.now() && <span class="hint">has expired</span>}
      </td>
      <td data-label="Last used">{usedAt === null ? 'Never' : <Time iso={usedAt} />}</td>
      <td data-label="Created">
        <Time iso={createdAt} />
      </td>
      <td class="row-actions">
        <Menu
          of={name}
          items={[
            {
              name: 'Rename',
              dialog: (close) => (
                <Dialog title="Rename the key" close={close}>
                  <Form
                    action="Save"
                    cancel={close}
                    submit={(fields) => renameKey(id, textOf(fields, 'name')).then(close)}
                  >
                    <TextField label="Name" name="name" defaultValue={name} />
                  </Form>
                </Dialog>
              ),
            },
            {
              name: 'Rotate',
              dialog: (close) => (
                <Dialog title="Rotate the key" close={close}>
                  <p>
                    <bdi>{name}</bdi> gets a new secret with the same scopes, which is shown once.
                  </p>
                  <Form
                    action="Rotate"
                    cancel={close}
                    submit={async (fields) => {
                      const created = await rotateKey(id, Number(textOf(fields, 'grace_seconds')));
                      // Once the dialog is closed, the new key can receive the focus.
                      close();
                      rotated(created);
                    }}
                  >
                    <SelectField label="The present key" name="grace_seconds" choices={graceChoices} value="3600" />
                  </Form>
                </Dialog>
              ),
            },
            {
              name: 'Revoke',
              dialog: (close) => (
                <Question title="Revoke this key?" action="Revoke" act={() => revokeKey(id)} close={close}>
                  <p>
                    Programs that use <bdi>{name}</bdi> are refused at once. This cannot be undone.
                  </p>
                </Question>
              ),
            },
          ]}
        />
      </td>
    </tr>
  );
}
