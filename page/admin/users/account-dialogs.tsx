import type { Account } from '../../client/responses.ts';
import { accountId } from '../../client/session.ts';
import { announce } from '../../components/announcer.tsx';
import { Dialog, Question } from '../../components/dialog.tsx';
import { Form, SelectField, textOf } from '../../components/form.tsx';
import { Loaded } from '../../components/states.tsx';
import { changeAccount, deleteAccount, transferTo, useOwners } from './account-requests.ts';

interface AccountDialogProps {
  readonly account: Account;
  readonly close: () => void;
}

export function RoleQuestion({ account: { id, email, role }, close }: AccountDialogProps) {
  const isAdmin = role === 'admin';
  return (
    <Question
      title={isAdmin ? 'Make this administrator a member?' : 'Make this member an administrator?'}
      action={isAdmin ? 'Make a member' : 'Make an administrator'}
      act={async () => {
        await changeAccount(id, { role: isAdmin ? 'member' : 'admin' });
        announce(`${email} is ${isAdmin ? 'a member' : 'an administrator'} now.`);
      }}
      close={close}
    >
      <p>
        <bdi>{email}</bdi>{' '}
        {isAdmin
          ? 'no longer sees users, audit records and jobs, from the next request on.'
          : 'can then see and change everything, also users and prices.'}
      </p>
    </Question>
  );
}

export function DisableQuestion({ account: { id, email }, close }: AccountDialogProps) {
  return (
    <Question
      title="Disable this user?"
      action="Disable"
      act={async () => {
        await changeAccount(id, { disabled: true });
        announce(`${email} is disabled.`);
      }}
      close={close}
    >
      <p>
        <bdi>{email}</bdi> is signed out everywhere at once and cannot sign in, and its API keys are removed for good.
        What it owns stays. You can enable it again.
      </p>
    </Question>
  );
}

export function DeleteQuestion({ account: { id, email }, close }: AccountDialogProps) {
  return (
    <Question
      title="Delete this user?"
      action="Delete for good"
      act={async () => {
        await deleteAccount(id);
        announce(`${email} is deleted.`);
      }}
      close={close}
    >
      <p>
        <bdi>{email}</bdi> is signed out everywhere and loses its API keys. Its scenarios, notebooks, reports and
        schedules become yours; to give them to somebody else, transfer them first. This cannot be undone.
      </p>
    </Question>
  );
}

export function TransferDialog({ account: { id, email }, close }: AccountDialogProps) {
  const query = useOwners();
  return (
    <Dialog title="Transfer what this user owns" close={close}>
      <p>
        All scenarios, notebooks, reports and schedules of <bdi>{email}</bdi> get another owner. A scenario whose name
        the new owner has already gets a number at its end. The user stays.
      </p>
      <Loaded query={query} what="users">
        {({ items, total }) => {
          const owners = items.filter((owner) => owner.id !== id && !owner.disabled);
          if (owners.length === 0) return <p>There is no other user who is not disabled.</p>;
          return (
            <Form
              action="Transfer"
              cancel={close}
              submit={async (fields) => {
                await transferTo(id, textOf(fields, 'to'));
                close();
                announce(`What ${email} owned has its new owner.`);
              }}
            >
              <SelectField
                label="New owner"
                name="to"
                hint={total > items.length ? `The first ${items.length} of ${total} users.` : undefined}
                choices={owners.map((owner) => ({
                  value: owner.id,
                  text: owner.id === accountId.value ? `${owner.email} (you)` : owner.email,
                }))}
                value={owners.find((owner) => owner.id === accountId.value)?.id ?? ''}
              />
            </Form>
          );
        }}
      </Loaded>
    </Dialog>
  );
}
