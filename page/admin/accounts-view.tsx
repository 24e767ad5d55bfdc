import { useState } from 'preact/hooks';
import { View } from '../app/view.tsx';
import type { Account, PasswordLink } from '../client/responses.ts';
import { accountId, isAdmin } from '../client/session.ts';
import { Time } from '../components/amount.tsx';
import { announce } from '../components/announcer.tsx';
import { Question } from '../components/dialog.tsx';
import { Form, SelectField, TextField, textOf } from '../components/form.tsx';
import { Menu, type MenuItem } from '../components/menu.tsx';
import { NewSecret } from '../components/new-secret.tsx';
import { PagedList } from '../components/paged-list.tsx';
import { actionsColumn } from '../components/table.tsx';
import {
  accountsPerPage,
  addressOfLink,
  changeAccount,
  createAccount,
  createPasswordLink,
  deleteAccount,
  readAccounts,
} from './account-requests.ts';
import { TransferDialog } from './transfer-dialog.tsx';

const roleChoices = [
  { value: 'member', text: 'Member' },
  { value: 'admin', text: 'Administrator' },
];

interface NewLink {
  readonly email: string;
  readonly link: PasswordLink;
}

interface LinkProps {
  readonly showLink: (link: NewLink) => void;
}

/** All accounts, and the creation of another one. The service decides about each request. */
export function AccountsView() {
  const [newLink, setNewLink] = useState<NewLink | null>(null);
  function showLink(link: NewLink): void {
    setNewLink(link);
    announce('Copy the link now: it is not shown again.');
  }
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
        <CreateForm showLink={showLink} />
        {newLink && (
          <NewSecret
            title={
              <>
                The link for <bdi>{newLink.email}</bdi>
              </>
            }
            label={`Link for ${newLink.email}`}
            secret={addressOfLink(newLink.link)}
            hide={() => setNewLink(null)}
          >
            Copy it now and give it to its owner, who sets a password with it, once, until{' '}
            <Time iso={newLink.link.expires_at} />. It is not shown again. Meterbook sends no mail.
          </NewSecret>
        )}
      </section>
      <section>
        <h2>Accounts</h2>
        <AccountTable showLink={showLink} />
      </section>
    </View>
  );
}

function CreateForm({ showLink }: LinkProps) {
  return (
    <Form
      action="Create the account"
      isReused
      submit={async (fields) => {
        const email = textOf(fields, 'email');
        const { password_link: link } = await createAccount({ email, role: textOf(fields, 'role') });
        showLink({ email, link });
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
  );
}

const AccountTable = ({ showLink }: LinkProps) => (
  <PagedList
    what="accounts"
    caption="Accounts"
    queryKey={['accounts']}
    pageSize={accountsPerPage}
    readPage={readAccounts}
    columns={['E-mail address', 'Role', 'State', actionsColumn]}
    row={(account) => <AccountRow key={account.id} account={account} showLink={showLink} />}
  />
);

interface RowProps extends LinkProps {
  readonly account: Account;
}

function AccountRow({ account, showLink }: RowProps) {
  const { email, role, disabled, has_password: hasPassword, created_at: createdAt } = account;
  return (
    <tr>
      <th scope="row">
        <bdi>{email}</bdi>
        <span class="hint">
          {account.id === accountId.value && 'this is you, '}created <Time iso={createdAt} />
        </span>
      </th>
      <td data-label="Role">{role === 'admin' ? 'Administrator' : 'Member'}</td>
      <td data-label="State">{disabled ? 'Disabled' : hasPassword ? 'Active' : 'Invited, without a password yet'}</td>
      <td class="row-actions">
        <Menu of={email} items={actionsOf(account, showLink)} />
      </td>
    </tr>
  );
}

function actionsOf(account: Account, showLink: LinkProps['showLink']): MenuItem[] {
  const { id, email, role, disabled } = account;
  const isOwn = id === accountId.value;
  const owner = <bdi>{email}</bdi>;
  const change = (changes: Parameters<typeof changeAccount>[1]) => async () => void (await changeAccount(id, changes));
  const newLink: MenuItem = {
    name: 'New password link',
    act: async () => showLink({ email, link: await createPasswordLink(id) }),
  };
  const isAdministrator = role === 'admin';
  const roleAction = isAdministrator ? 'Make member' : 'Make admin';
  const otherRole: MenuItem = {
    name: roleAction,
    dialog: (close) => (
      <Question
        title={isAdministrator ? 'Make this administrator a member?' : 'Make this member an administrator?'}
        action={roleAction}
        act={change({ role: isAdministrator ? 'member' : 'admin' })}
        close={close}
      >
        <p>
          {owner} {isAdministrator ? 'no longer sees what others own.' : 'can then see and change everything.'}
        </p>
      </Question>
    ),
  };
  const disable: MenuItem = {
    name: 'Disable',
    dialog: (close) => (
      <Question title="Disable this account?" action="Disable" act={change({ disabled: true })} close={close}>
        <p>
          {owner} is signed out everywhere at once and cannot sign in, and its API keys are removed for good. What it
          owns stays. You can enable it again.
        </p>
      </Question>
    ),
  };
  const remove: MenuItem = {
    name: 'Delete',
    dialog: (close) => (
      <Question title="Delete this account?" action="Delete for good" act={() => deleteAccount(id)} close={close}>
        <p>
          {owner} is signed out everywhere and loses its API keys. Its scenarios, notebooks, reports and schedules
          become yours; to give them to somebody else, transfer them first. This cannot be undone.
        </p>
      </Question>
    ),
  };
  return [
    disabled ? { name: 'Enable', act: change({ disabled: false }) } : newLink,
    otherRole,
    { name: 'Transfer', dialog: (close) => <TransferDialog account={account} close={close} /> },
    ...(isOwn || disabled ? [] : [disable]),
    ...(isOwn ? [] : [remove]),
  ];
}
