import { useState } from 'preact/hooks';
import { View } from '../app/view.tsx';
import type { Account } from '../client/responses.ts';
import { accountId, isAdmin } from '../client/session.ts';
import { Time } from '../components/amount.tsx';
import { announce } from '../components/announcer.tsx';
import { Question } from '../components/dialog.tsx';
import { EmailAddress } from '../components/email-address.tsx';
import { Form, SelectField, TextField, textOf } from '../components/form.tsx';
import { Menu, type MenuItem } from '../components/menu.tsx';
import { Pager } from '../components/pager.tsx';
import { Loaded } from '../components/states.tsx';
import { actionsColumn, ListTable } from '../components/table.tsx';
import {
  accountsPerPage,
  changeAccount,
  createAccount,
  createPasswordLink,
  deleteAccount,
  useAccounts,
} from './account-requests.ts';
import { NewLink, showLink } from './new-link.tsx';
import { TransferDialog } from './transfer-dialog.tsx';

const roleChoices = [
  { value: 'member', text: 'Member' },
  { value: 'admin', text: 'Administrator' },
];

/** All accounts, and the creation of another one. The service decides about each request. */
export function AccountsView() {
  if (!isAdmin()) {
    return (
      <View title="Accounts">
        <p>This is for administrators. An administrator can make you one.</p>
      </View>
    );
  }
  return (
    <View title="Accounts" lead="Only administrators see this.">
      <section>
        <h2>New account</h2>
        <Form
          action="Create the account"
          isReused
          submit={async (fields) => {
            const email = textOf(fields, 'email');
            const { password_link: link } = await createAccount({ email, role: textOf(fields, 'role') });
            showLink(email, link);
            announce('The account is created. Copy the link now: it is not shown again.');
          }}
        >
          <div class="columns">
            <TextField label="E-mail address" name="email" type="email" hint="The name for signing in." />
            <SelectField
              label="Role"
              name="role"
              choices={roleChoices}
              value="member"
              hint="Administrators see and change everything."
            />
          </div>
        </Form>
        <NewLink />
      </section>
      <section>
        <h2>Accounts</h2>
        <AccountTable />
      </section>
    </View>
  );
}

function AccountTable() {
  const [page, setPage] = useState(1);
  const query = useAccounts(page);
  return (
    <Loaded query={query} what="accounts">
      {({ items, total }) => (
        <>
          <ListTable caption="Accounts" columns={['E-mail address', 'Role', 'State', actionsColumn]}>
            {items.map((account) => (
              <AccountRow key={account.id} account={account} />
            ))}
          </ListTable>
          <Pager what="accounts" page={page} pageSize={accountsPerPage} total={total} go={setPage} />
        </>
      )}
    </Loaded>
  );
}

function AccountRow({ account }: { readonly account: Account }) {
  const { email, role, disabled, has_password: hasPassword, created_at: createdAt } = account;
  return (
    <tr>
      <th scope="row">
        <EmailAddress address={email} />
        <span class="hint">
          {account.id === accountId.value && 'this is you, '}created <Time iso={createdAt} />
        </span>
      </th>
      <td data-label="Role">{role === 'admin' ? 'Administrator' : 'Member'}</td>
      <td data-label="State">{disabled ? 'Disabled' : hasPassword ? 'Active' : 'Invited, without a password yet'}</td>
      <td class="row-actions">
        <Menu of={email} items={actionsOf(account)} />
      </td>
    </tr>
  );
}

function actionsOf(account: Account): MenuItem[] {
  const { id, email, role, disabled } = account;
  const isOwn = id === accountId.value;
  const owner = <bdi>{email}</bdi>;
  const newLink: MenuItem = {
    name: 'New password link',
    act: async () => {
      showLink(email, await createPasswordLink(id));
      announce('The link is created. Copy it now: it is not shown again.');
    },
  };
  const enable: MenuItem = { name: 'Enable', act: async () => void (await changeAccount(id, { disabled: false })) };
  const roleName = role === 'admin' ? 'Make member' : 'Make admin';
  return [
    disabled ? enable : newLink,
    {
      name: roleName,
      dialog: (close) => (
        <Question
          title={role === 'admin' ? 'Make this administrator a member?' : 'Make this member an administrator?'}
          action={roleName}
          act={async () => void (await changeAccount(id, { role: role === 'admin' ? 'member' : 'admin' }))}
          close={close}
        >
          <p>
            {owner} {role === 'admin' ? 'no longer sees what others own.' : 'can then see and change everything.'}
          </p>
        </Question>
      ),
    },
    { name: 'Transfer', dialog: (close) => <TransferDialog account={account} close={close} /> },
    ...(isOwn || disabled
      ? []
      : [
          {
            name: 'Disable',
            dialog: (close: () => void) => (
              <Question
                title="Disable this account?"
                action="Disable"
                act={async () => void (await changeAccount(id, { disabled: true }))}
                close={close}
              >
                <p>
                  {owner} is signed out everywhere at once and cannot sign in, and its API keys are removed for good.
                  What it owns stays. You can enable it again.
                </p>
              </Question>
            ),
          },
        ]),
    ...(isOwn
      ? []
      : [
          {
            name: 'Delete',
            dialog: (close: () => void) => (
              <Question
                title="Delete this account?"
                action="Delete for good"
                act={() => deleteAccount(id)}
                close={close}
              >
                <p>
                  {owner} is signed out everywhere and loses its API keys. Its scenarios, notebooks, reports and
                  schedules become yours; to give them to somebody else, transfer them first. This cannot be undone.
                </p>
              </Question>
            ),
          },
        ]),
  ];
}
