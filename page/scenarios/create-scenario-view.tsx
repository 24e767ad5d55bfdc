import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { defaultAssumptions } from '../../shared/scenarios/assumptions.ts';
import { View } from '../app/view.tsx';
import { write } from '../client/api.ts';
import type { Region, Scenario } from '../client/responses.ts';
import { CheckField, Form, SelectField, TextArea, TextField } from '../components/form.tsx';
import { Loaded } from '../components/states.tsx';
import {
  architectureChoices,
  assumptionHints,
  modelChoices,
  queueTypeChoices,
  regionChoices,
  wordsOfTokens,
} from './assumption-choices.ts';
import { refreshScenarios, scenariosPath, useModels, useRegions } from './scenario-queries.ts';

export function CreateScenarioView() {
  const regions = useRegions();
  return (
    <View title="New scenario" lead="One log in one cloud region. All but the name can stay as it is.">
      <Loaded query={regions} what="regions">
        {({ items }) => <CreateForm regions={items} />}
      </Loaded>
    </View>
  );
}

const { queue, function: fn, inference } = defaultAssumptions;

function CreateForm({ regions }: { readonly regions: readonly Region[] }) {
  const [, go] = useLocation();
  const [regionCode, setRegion] = useState('eu-west-1');
  const [tokens, setTokens] = useState({ output: String(inference.output_tokens_per_entry), prompt: '' });
  const models = useModels().data?.items ?? [];
  const region = regions.find(({ code }) => code === regionCode);
  async function submit(_fields: FormData, form: HTMLFormElement): Promise<void> {
    const scenario = await write<Scenario>('POST', scenariosPath, bodyOf(form));
    await refreshScenarios();
    go(`/scenarios/${scenario.id}`);
  }
  return (
    <Form action="Create" submit={submit}>
      <div class="columns">
        <TextField label="Name" name="name" maxLength={200} />
        <SelectField
          label="Region"
          name="region"
          choices={regionChoices(regions)}
          value={regionCode}
          choose={setRegion}
        />
        <SelectField
          label="Model"
          name="assumptions.inference.model"
          hint="It decides nearly all of the cost, usually over 99 %."
          choices={modelChoices(models, region)}
          value={inference.model}
        />
        <TextField
          label="Output per entry (tokens)"
          name="assumptions.inference.output_tokens_per_entry"
          hint={`Most of the model’s cost. An answer of ${wordsOfTokens(tokens.output)}. What entries report counts instead.`}
          type="number"
          min={0}
          value={tokens.output}
          onInput={(event) => setTokens({ ...tokens, output: event.currentTarget.value })}
        />
        <TextField
          label="Instruction per call (tokens, optional)"
          name="assumptions.pipeline.inference.prompt_tokens"
          hint={`The prompt that a call has beside the entry. ${wordsOfTokens(Number(tokens.prompt) || 800)}.`}
          type="number"
          min={0}
          value={tokens.prompt}
          onInput={(event) => setTokens({ ...tokens, prompt: event.currentTarget.value })}
        />
        <TextArea label="Description (optional)" name="description" />
      </div>
      <EntryFields />
    </Form>
  );
}

function EntryFields() {
  return (
    <details>
      <summary>Queue, function and free tier</summary>
      <div class="columns">
        <SelectField
          label="Queue"
          name="assumptions.queue.type"
          hint={assumptionHints.queueType}
          choices={queueTypeChoices}
          value={queue.type}
        />
        <SelectField
          label="Architecture"
          name="assumptions.function.architecture"
          hint={assumptionHints.architecture}
          choices={architectureChoices}
          value={fn.architecture}
        />
        <TextField
          label="Memory of the function (MB)"
          name="assumptions.function.memory_mb"
          type="number"
          min={128}
          max={10_240}
          defaultValue={String(fn.memory_mb)}
        />
        <TextField
          label="Duration (ms)"
          name="assumptions.function.duration_ms"
          hint="How long the function works on an entry."
          type="number"
          min={0}
          max={900_000}
          defaultValue={String(fn.duration_ms)}
        />
        <CheckField
          label="Subtract the free tier of each month"
          name="assumptions.free_tier"
          hint="What an account of the provider does not pay for."
        />
      </div>
    </details>
  );
}

/**
 * The body of the request: the fields at the paths of their names, numbers and checked boxes as
 * such. The service decides about cleared fields.
 */
function bodyOf(form: HTMLFormElement): object {
  const body: Fields = {};
  for (const field of form.querySelectorAll<HTMLInputElement>('[name]')) {
    const { name, type, value, checked } = field;
    if (type === 'checkbox' ? !checked : value === '') continue;
    const path = name.split('.');
    const last = path.pop() ?? '';
    let place = body;
    for (const part of path) place = (place[part] ??= {}) as Fields;
    place[last] = type === 'checkbox' || (type === 'number' ? Number(value) : value);
  }
  return body;
}

type Fields = Record<string, unknown>;
