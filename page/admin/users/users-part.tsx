import { useState } from 'preact/hooks';
import { announce } from '../../components/announcer.tsx';
import { Form, SelectField, TextField, textOf } from '../../components/form.tsx';
import { Pager } from '../../components/pager.tsx';
import { Loaded } from '../../components/states.tsx';
import { actionsColumn, ListTable } from '../../components/table.tsx';
import { accountsPerPage, createAccount, useAccounts } from './account-requests.ts';
import { AccountRow } from './account-row.tsx';
import { NewLink, showLink } from './new-link.tsx';

const roleChoices = [
  { value: 'member', text: 'Member' },
  { value: 'admin', text: 'Administrator' },
];

/** All accounts, and the creation of another one. */
export function UsersPart() {
  return (
    <>
      <section>
        <h2>New user</h2>
        <Form
          action="Create the user"
          isReused
          submit={async (fields) => {
            const email = textOf(fields, 'email');
            const { password_link: link } = await createAccount({ email, role: textOf(fields, 'role') });
            showLink(email, link);
            announce('The user is created. Copy the link now: it is not shown again.');
          }}
        >
          <div class="columns">
            <TextField label="E-mail address" name="email" type="email" hint="The name for signing in." />
            <SelectField
              label="Role"
              name="role"
              choices={roleChoices}
              value="member"
              hint="Administrators see and change everything, also users and prices."
            />
          </div>
        </Form>
        <NewLink />
      </section>
      <section>
        <h2>Users</h2>
        <UserTable />
      </section>
    </>
  );
}

function UserTable() {
  const [page, setPage] = useState(1);
  const query = useAccounts(page);
  return (
    <Loaded query={query} what="users">
      {({ items, total }) => (
        <>
          <ListTable class="accounts" caption="Users" columns={['E-mail address', 'Role', 'State', actionsColumn]}>
            {items.map((account) => (
              <AccountRow key={account.id} account={account} />
            ))}
          </ListTable>
          <Pager what="users" page={page} pageSize={accountsPerPage} total={total} go={setPage} />
        </>
      )}
    </Loaded>
  );
}
