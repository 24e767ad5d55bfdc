import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { View } from '../app/view.tsx';
import { write } from '../client/api.ts';
import type { Region, Scenario } from '../client/responses.ts';
import { CheckField, Form, SelectField, TextArea, TextField, textOf } from '../components/form.tsx';
import { Loaded } from '../components/states.tsx';
import {
  architectureChoices,
  assumptionHints,
  byDefault,
  modelChoices,
  queueTypeChoices,
  regionChoices,
} from './assumption-choices.ts';
import { refreshScenarios, scenariosPath, useModels, useRegions } from './scenario-queries.ts';

export function CreateScenarioView() {
  const regions = useRegions();
  return (
    <View
      title="New scenario"
      lead="One log in one cloud region. An entry is one record of the log: mostly a line, or a message of several lines. Leave the rest as it is: other regions and models can be tried later."
    >
      <Loaded query={regions} what="regions">
        {({ items }) => <CreateForm regions={items} />}
      </Loaded>
    </View>
  );
}

function CreateForm({ regions }: { readonly regions: readonly Region[] }) {
  const [, go] = useLocation();
  const [regionCode, setRegion] = useState('eu-west-1');
  const models = useModels().data?.items ?? [];
  const region = regions.find(({ code }) => code === regionCode);
  async function submit(fields: FormData): Promise<void> {
    const scenario = await write<Scenario>('POST', scenariosPath, scenarioOf(fields));
    await refreshScenarios();
    go(`/scenarios/${scenario.id}`);
  }
  return (
    <Form action="Create" submit={submit}>
      <div class="columns">
        <TextField label="Name" name="name" maxLength={200} hint="Unique, at most 100 characters." />
        <SelectField
          label="Region"
          name="region"
          choices={regionChoices(regions)}
          value={regionCode}
          onChange={(event) => setRegion(event.currentTarget.value)}
        />
      </div>
      <TextArea label="Description" name="description" hint="May stay empty." />
      <SelectField
        label="Model"
        name="assumptions.inference.model"
        choices={[byDefault(), ...modelChoices(models, region)]}
        value=""
      />
      <EntryFields />
    </Form>
  );
}

function EntryFields() {
  return (
    <details>
      <summary>What the processing of one entry uses</summary>
      <div class="columns">
        <SelectField
          label="Queue"
          name="assumptions.queue.type"
          hint={assumptionHints.queueType}
          choices={[byDefault('Standard'), ...queueTypeChoices]}
          value=""
        />
        <TextField
          label="Queue requests per message"
          name="assumptions.queue.requests_per_message"
          hint={assumptionHints.requestsPerMessage}
          type="number"
          min={1}
          max={100}
          placeholder="1"
        />
        <SelectField
          label="Architecture"
          name="assumptions.function.architecture"
          hint={assumptionHints.architecture}
          choices={[byDefault('x86_64'), ...architectureChoices]}
          value=""
        />
        <TextField
          label="Memory of the function (MB)"
          name="assumptions.function.memory_mb"
          type="number"
          min={128}
          max={10_240}
          placeholder="128"
        />
        <TextField
          label="Duration (ms)"
          name="assumptions.function.duration_ms"
          hint="How long the function works on an entry."
          type="number"
          min={0}
          max={900_000}
          placeholder="100"
        />
        <TextField
          label="Output tokens per entry"
          name="assumptions.inference.output_tokens_per_entry"
          hint="The length of the model’s response. A token is about four characters."
          type="number"
          min={0}
          placeholder="100"
        />
        <CheckField
          label="Subtract the free tier of each month"
          name="assumptions.free_tier"
          value="true"
          hint={assumptionHints.freeTier}
        />
      </div>
    </details>
  );
}

const numericFields = [
  ['queue', 'requests_per_message'],
  ['function', 'memory_mb'],
  ['function', 'duration_ms'],
  ['inference', 'output_tokens_per_entry'],
] as const;

const textFields = [
  ['queue', 'type'],
  ['function', 'architecture'],
  ['inference', 'model'],
] as const;

/** The body of the request; what was not filled in is left to the service. */
function scenarioOf(fields: FormData): object {
  const assumptions: Record<string, Record<string, string | number> | boolean> = {};
  const set = (part: string, name: string, value: string | number) => {
    assumptions[part] = { ...(assumptions[part] as object | undefined), [name]: value };
  };
  for (const [part, name] of textFields) {
    const text = textOf(fields, `assumptions.${part}.${name}`);
    if (text !== '') set(part, name, text);
  }
  for (const [part, name] of numericFields) {
    const text = textOf(fields, `assumptions.${part}.${name}`);
    if (text !== '') set(part, name, Number(text));
  }
  if (fields.has('assumptions.free_tier')) assumptions['free_tier'] = true;
  return {
    name: textOf(fields, 'name'),
    description: textOf(fields, 'description'),
    region: textOf(fields, 'region'),
    ...(Object.keys(assumptions).length > 0 ? { assumptions } : {}),
  };
}
