import { useLocation } from 'wouter-preact';
import { linkTo } from '../app/address.ts';
import { queryClient, write } from '../client/api.ts';
import type { Scenario } from '../client/responses.ts';
import { announce } from '../components/announcer.tsx';
import { Dialog, Question } from '../components/dialog.tsx';
import { Form, TextArea, TextField, textOf } from '../components/form.tsx';
import { Menu, type MenuItem } from '../components/menu.tsx';
import { ErrorNote } from '../components/states.tsx';
import { useAction } from '../components/use-action.ts';
import { copyScenario } from '../scenarios/copy-scenario.ts';
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

  const primary = {
    draft: null,
    running: { path: 'send', name: 'Send' },
    completed: { path: 'reports', name: 'Report' },
    archived: { path: 'reports', name: 'Report' },
  }[scenario.status];
  const items: MenuItem[] = [
    ...(step?.question ? [stepItem(step, advance)] : []),
    ...(step
      ? [{ name: 'Edit', dialog: (close: () => void) => <EditDialog scenario={scenario} close={close} /> }]
      : []),
    { name: 'Copy', act: async () => go(`/scenarios/${await copyScenario(scenario)}`) },
    {
      name: 'Delete',
      dialog: (close) => (
        <Question
          title="Delete this scenario?"
          action="Delete for good"
          act={async () => {
            await write('DELETE', path);
            await queryClient.invalidateQueries({ queryKey: ['scenarios'] });
            announce('The scenario is deleted.');
            go('/scenarios');
          }}
          close={close}
        >
          <p>
            <bdi>{scenario.name}</bdi> is deleted with its entries, usage, reports and schedules. This cannot be undone.
          </p>
        </Question>
      ),
    },
  ];
  return (
    <>
      {step?.question === null && (
        <button type="button" class="primary" aria-disabled={isBusy} onClick={() => startAdvance(step)}>
          {step.name}
        </button>
      )}
      {primary && (
        <a class="button primary" href={linkTo(`/scenarios/${scenario.id}/${primary.path}`)}>
          {primary.name}
        </a>
      )}
      <Menu of={scenario.name} items={items} />
      {error !== null && <ErrorNote error={error} />}
    </>
  );
}

/** A step that cannot be taken back, after a question. */
const stepItem = (step: Step, advance: (step: Step) => Promise<void>): MenuItem => ({
  name: step.name,
  dialog: (close) => (
    <Question
      title={`${step.name} this scenario?`}
      action={step.question?.action ?? step.name}
      act={() => advance(step)}
      close={close}
    >
      <p>{step.question?.consequence}</p>
    </Question>
  ),
});

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
