import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { write } from '../client/api.ts';
import type { Scenario } from '../client/responses.ts';
import { announce } from '../components/announcer.tsx';
import { Dialog, Question } from '../components/dialog.tsx';
import { Form, TextArea, TextField, textOf } from '../components/form.tsx';
import { ErrorNote } from '../components/states.tsx';
import { useAction } from '../components/use-action.ts';
import { CopyDialog } from '../scenarios/copy-dialog.tsx';
import { refreshScenarios, scenariosPath } from '../scenarios/scenario-queries.ts';

/** The transition that a status allows; archived scenarios have none. */
const nextSteps = {
  draft: { path: 'start', name: 'Start', done: 'The scenario is running: it takes entries.', question: null },
  running: {
    path: 'stop',
    name: 'Stop',
    done: 'The scenario is stopped: it takes no more entries.',
    question: {
      action: 'Stop for good',
      consequence:
        'It takes no more entries, and cannot be started again. Its state is then Completed. Entries that have arrived still count, and its costs, designs and reports stay.',
    },
  },
  completed: {
    path: 'archive',
    name: 'Archive',
    done: 'The scenario is archived.',
    question: {
      action: 'Archive',
      consequence: 'It stays readable, leaves the list, and cannot be changed any more.',
    },
  },
  archived: null,
} as const;

type Step = NonNullable<(typeof nextSteps)[keyof typeof nextSteps]>;

/** The actions that the present status of a scenario allows. */
export function ScenarioActions({ scenario }: { readonly scenario: Scenario }) {
  const [, go] = useLocation();
  const [open, setOpen] = useState<'edit' | 'copy' | 'delete' | null>(null);
  // The question stays the one that was opened, also when somebody else changes the status.
  const [asked, setAsked] = useState<Step | null>(null);
  const path = `${scenariosPath}/${scenario.id}`;
  const step = nextSteps[scenario.status];

  async function advance({ path: action, done }: Step): Promise<void> {
    await write<Scenario>('POST', `${path}/${action}`);
    await refreshScenarios();
    announce(done);
    if (action === 'start') goToSending();
  }

  /** The next thing to do has the focus. */
  function goToSending(): void {
    go(`/scenarios/${scenario.id}/send`);
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.drop button')?.focus());
  }

  const { start: startAdvance, isBusy, error } = useAction(advance);

  return (
    <>
      {step && (
        <button
          type="button"
          class={scenario.status === 'completed' ? '' : 'primary'}
          aria-disabled={isBusy}
          onClick={() => (step.question === null ? startAdvance(step) : setAsked(step))}
        >
          {step.name}
        </button>
      )}
      {step && (
        <button type="button" onClick={() => setOpen('edit')}>
          Edit
        </button>
      )}
      <button type="button" onClick={() => setOpen('copy')}>
        Copy
      </button>
      <button type="button" onClick={() => setOpen('delete')}>
        Delete
      </button>
      {error !== null && <ErrorNote error={error} />}
      {open === 'edit' && <EditDialog scenario={scenario} close={() => setOpen(null)} />}
      {open === 'copy' && <CopyDialog title="Copy the scenario" scenario={scenario} close={() => setOpen(null)} />}
      {asked?.question && (
        <Question
          title={`${asked.name} this scenario?`}
          action={asked.question.action}
          act={() => advance(asked)}
          close={() => setAsked(null)}
        >
          <p>{asked.question.consequence}</p>
        </Question>
      )}
      {open === 'delete' && (
        <Question
          title="Delete this scenario?"
          action="Delete for good"
          act={async () => {
            await write('DELETE', path);
            await refreshScenarios();
            announce('The scenario is deleted.');
            go('/scenarios');
          }}
          close={() => setOpen(null)}
        >
          <p>
            <bdi>{scenario.name}</bdi> is deleted with its entries, usage, reports and schedules. This cannot be undone.
          </p>
        </Question>
      )}
    </>
  );
}

function EditDialog({ scenario, close }: { readonly scenario: Scenario; readonly close: () => void }) {
  return (
    <Dialog title="Edit the scenario" close={close}>
      <Form
        action="Save"
        cancel={close}
        submit={async (fields) => {
          const body = { name: textOf(fields, 'name'), description: textOf(fields, 'description') };
          await write('PUT', `${scenariosPath}/${scenario.id}`, body);
          await refreshScenarios();
          close();
        }}
      >
        <TextField label="Name" name="name" defaultValue={scenario.name} />
        <TextArea label="Description" name="description" defaultValue={scenario.description} />
      </Form>
    </Dialog>
  );
}
