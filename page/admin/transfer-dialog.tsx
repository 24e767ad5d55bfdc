import type { Account } from '../client/responses.ts';
import { accountId } from '../client/session.ts';
import { announce } from '../components/announcer.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Form, SelectField, textOf } from '../components/form.tsx';
import { Loaded } from '../components/states.tsx';
import { transferTo, useOwners } from './account-requests.ts';

interface TransferDialogProps {
  readonly account: Account;
  readonly close: () => void;
}

export function TransferDialog({ account: { id, email }, close }: TransferDialogProps) {
  return (
    <Dialog title="Transfer what this account owns" close={close}>
      <p>
        All scenarios, notebooks, reports and schedules of <bdi>{email}</bdi> get another owner. A scenario whose name
        the new owner has already gets a number at its end. The account stays.
      </p>
      <Loaded query={useOwners()} what="accounts">
        {({ items, total }) => {
          const owners = items.filter((owner) => owner.id !== id && !owner.disabled);
          if (owners.length === 0) return <p>There is no other account that is not disabled.</p>;
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
                hint={total > items.length ? `The first ${items.length} of ${total} accounts.` : undefined}
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
