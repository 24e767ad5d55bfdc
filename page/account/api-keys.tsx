import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import { read } from '../client/api.ts';
import { createKey, forgetKey, newKeys } from '../client/new-keys.ts';
import type { ApiKey, ApiKeyList } from '../client/responses.ts';
import { announce } from '../components/announcer.tsx';
import { Copyable } from '../components/copyable.tsx';
import { ChecksField, Form, SelectField, TextField, textOf } from '../components/form.tsx';
import { Pager } from '../components/pager.tsx';
import { Empty, Loaded } from '../components/states.tsx';
import { actionsColumn, ListTable } from '../components/table.tsx';
import { ApiKeyRow } from './api-key-row.tsx';
import { expiryChoices, expiryOf } from './expiries.ts';

const apiKeysPath = '/api/v1/api-keys';

const keysPerPage = 10;

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
  return (
    <>
      <section>
        <h2>New API key</h2>
        <CreateForm isAdmin={isAdmin} />
        <NewKeys />
      </section>
      <section>
        <h2>API keys</h2>
        <KeyTable />
      </section>
    </>
  );
}

function CreateForm({ isAdmin }: { readonly isAdmin: boolean }) {
  const scopes = Object.entries(scopeHints).filter(([scope]) => isAdmin || scope !== 'admin');
  return (
    <Form
      action="Create the key"
      isReused
      submit={async (fields) => {
        await createKey({
          name: textOf(fields, 'name'),
          scopes: fields.getAll('scopes').map(String),
          expires_at: expiryOf(textOf(fields, 'expires_at')),
        });
        announce('The key is created. Copy it now: it is not shown again.');
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

/** Keys that this page has created and that have not been hidden yet, the newest first. */
function NewKeys() {
  const keys = newKeys.value;
  const known = useRef(keys);
  const newest = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (keys.some((key) => !known.current.includes(key))) newest.current?.focus();
    known.current = keys;
  }, [keys]);
  return (
    <>
      {[...keys].reverse().map(({ id, name, key }, index) => (
        <div key={id} class="new-key">
          <h3 tabIndex={-1} {...(index === 0 ? { ref: newest } : {})}>
            The key <bdi>{name}</bdi>
          </h3>
          <p>Copy it now. It is not shown again after you close or reload this page.</p>
          <Copyable label={`API key ${name}`} text={key} />
          <div class="buttons">
            <button type="button" aria-label={`Hide the key ${name}`} onClick={() => forgetKey(id)}>
              Hide
            </button>
          </div>
        </div>
      ))}
    </>
  );
}

function KeyTable() {
  const [page, setPage] = useState(1);
  const query = useQuery({
    queryKey: ['api-keys', page],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => read<ApiKeyList>(apiKeysPath, { page, page_size: keysPerPage }, signal),
  });
  return (
    <Loaded query={query} what="API keys">
      {({ items, total }) =>
        total === 0 ? (
          <Empty title="No API keys yet." />
        ) : (
          <>
            <ListTable
              caption="API keys"
              columns={['Name', 'Scopes', 'Expires', 'Last used', 'Created', actionsColumn]}
            >
              {items.map((apiKey) => (
                <ApiKeyRow key={apiKey.id} apiKey={apiKey} />
              ))}
            </ListTable>
            <Pager what="API keys" page={page} pageSize={keysPerPage} total={total} go={setPage} />
          </>
        )
      }
    </Loaded>
  );
}
