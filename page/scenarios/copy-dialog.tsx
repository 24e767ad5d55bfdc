import { useLocation } from 'wouter-preact';
import { write } from '../client/api.ts';
import type { Scenario } from '../client/responses.ts';
import { announce } from '../components/announcer.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Form, TextArea, TextField, textOf } from '../components/form.tsx';
import { copyNameOf } from './copy-name.ts';
import { refreshScenarios, scenariosPath } from './scenario-queries.ts';

interface CopyDialogProps {
  readonly title: string;
  /** With the settings of the copy. */
  readonly scenario: Scenario;
  readonly close: () => void;
}

/** Creates another scenario with the same settings, as a draft. */
export function CopyDialog({ title, scenario, close }: CopyDialogProps) {
  const [, go] = useLocation();
  const { name, description, region, assumptions } = scenario;
  return (
    <Dialog title={title} close={close}>
      <p>
        The copy is a draft with the same region and the same settings, and without entries: start it, and send it the
        log.
      </p>
      <Form
        action="Create the copy"
        cancel={close}
        submit={async (fields) => {
          const copy = await write<Scenario>('POST', scenariosPath, {
            name: textOf(fields, 'name'),
            description: textOf(fields, 'description'),
            region,
            assumptions,
          });
          await refreshScenarios();
          close();
          go(`/scenarios/${copy.id}`);
          announce('The copy is created.');
        }}
      >
        <TextField label="Name" name="name" defaultValue={copyNameOf(name)} />
        <TextArea label="Description" name="description" defaultValue={description} />
      </Form>
    </Dialog>
  );
}
