import { useState } from 'preact/hooks';
import type { Account } from '../../client/responses.ts';
import { accountId } from '../../client/session.ts';
import { Time } from '../../components/amount.tsx';
import { announce } from '../../components/announcer.tsx';
import { EmailAddress } from '../../components/email-address.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { useAction } from '../../components/use-action.ts';
import { DeleteQuestion, DisableQuestion, RoleQuestion, TransferDialog } from './account-dialogs.tsx';
import { changeAccount, createPasswordLink } from './account-requests.ts';
import { showLink } from './new-link.tsx';

type Dialogs = 'role' | 'disable' | 'transfer' | 'delete';

const dialogs = { role: RoleQuestion, disable: DisableQuestion, transfer: TransferDialog, delete: DeleteQuestion };

/** An account with what can be done to it. */
export function AccountRow({ account }: { readonly account: Account }) {
  const [open, setOpen] = useState<Dialogs | null>(null);
  const { id, email, role, disabled, has_password: hasPassword, created_at: createdAt } = account;
  const isOwn = id === accountId.value;
  const Opened = open === null ? null : dialogs[open];
  const opens = (dialog: Dialogs, name: string) => (
    <button type="button" aria-label={`${name}: ${email}`} onClick={() => setOpen(dialog)}>
      {name}
    </button>
  );
  return (
    <tr>
      <th scope="row" class="person">
        <EmailAddress address={email} />
        <span class="hint">
          {isOwn && 'this is you, '}created <Time iso={createdAt} />
        </span>
      </th>
      <td data-label="Role">{role === 'admin' ? 'Administrator' : 'Member'}</td>
      <td data-label="State">
        {disabled ? 'Disabled' : hasPassword ? 'Active' : 'Invited'}
        {!disabled && !hasPassword && <span class="hint">has no password yet</span>}
      </td>
      <td class="row-actions">
        <div class="buttons">
          {disabled ? <EnableButton account={account} /> : <LinkButton account={account} />}
          {opens('role', role === 'admin' ? 'Make member' : 'Make admin')}
          {opens('transfer', 'Transfer')}
          {!isOwn && !disabled && opens('disable', 'Disable')}
          {!isOwn && opens('delete', 'Delete')}
        </div>
        {Opened && <Opened account={account} close={() => setOpen(null)} />}
      </td>
    </tr>
  );
}

function LinkButton({ account: { id, email } }: { readonly account: Account }) {
  const { start, isBusy, error } = useAction(async () => {
    showLink(email, await createPasswordLink(id));
    announce('The link is created. Copy it now: it is not shown again.');
  });
  return (
    <>
      <button
        type="button"
        title="A link with which the user sets a new password, once. The present password stays until then."
        aria-label={`New link: ${email}`}
        aria-disabled={isBusy}
        onClick={() => start()}
      >
        New link
      </button>
      {error !== null && <ErrorNote error={error} />}
    </>
  );
}

function EnableButton({ account: { id, email } }: { readonly account: Account }) {
  const { start, isBusy, error } = useAction(async () => {
    await changeAccount(id, { disabled: false });
    announce(`${email} can sign in again.`);
  });
  return (
    <>
      <button type="button" aria-label={`Enable: ${email}`} aria-disabled={isBusy} onClick={() => start()}>
        Enable
      </button>
      {error !== null && <ErrorNote error={error} />}
    </>
  );
}
