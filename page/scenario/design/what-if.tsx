import { type CostPart, costPartsByShare } from '../../../shared/cost/cost-sentence.ts';
import type { CompleteAssumptions } from '../../../shared/scenarios/assumptions.ts';
import type { Scenario } from '../../client/responses.ts';
import { SelectField } from '../../components/form.tsx';
import {
  architectureChoices,
  assumptionHints,
  modelChoices,
  queueTypeChoices,
  wordsOfTokens,
} from '../../scenarios/assumption-choices.ts';
import { useModels, useRegions } from '../../scenarios/scenario-queries.ts';
import { Bar } from '../charts/bar.tsx';
import { serviceColors } from '../charts/chart-kinds.ts';
import type { useSentenceInput } from '../sentence.tsx';
import { NumberField } from './setting-fields.tsx';
import { designOf, tryDesign } from './tried-designs.ts';

interface WhatIfProps {
  readonly scenario: Scenario;
  readonly input: ReturnType<typeof useSentenceInput>;
}

/** The assumptions about an entry, in the order of the cost that they decide. */
export function WhatIf({ scenario, input }: WhatIfProps) {
  const parts = input ? costPartsByShare(input) : [];
  const shown = groupNames
    .map((name) => ({ name, ...groups[name], share: shareOf(parts, groups[name].items) }))
    .sort((one, other) => other.share - one.share);
  return (
    <ul class="what-if">
      {shown.map(({ name, title, service, share }) => (
        <li key={name}>
          <div class="what-if-part">
            <b>{title}</b> <span class="hint">{percentOf(share)} of the cost</span>
            <Bar share={share} color={serviceColors[service]} />
          </div>
          <Fields name={name} scenario={scenario} />
        </li>
      ))}
    </ul>
  );
}

const groups = {
  output: { title: 'Output of the model', service: 'inference', items: ['output_tokens'] },
  input: {
    title: 'Input of the model',
    service: 'inference',
    items: ['input_tokens', 'cache_read_tokens', 'cache_write_tokens', 'cache_write_1h_tokens'],
  },
  function: { title: 'Function', service: 'function', items: ['compute', 'invocations'] },
  queue: { title: 'Queue', service: 'queue', items: ['requests'] },
} as const;

type GroupName = keyof typeof groups;
const groupNames = Object.keys(groups) as readonly GroupName[];

const shareOf = (parts: readonly CostPart[], items: readonly string[]) =>
  parts.reduce((sum, { item, share }) => sum + (items.includes(item) ? share : 0), 0);

const percentOf = (share: number) => (share > 0 && share < 0.01 ? 'under 1 %' : `${Math.round(share * 100)} %`);

function Fields({ name, scenario }: { readonly name: GroupName; readonly scenario: Scenario }) {
  const models = useModels().data?.items ?? [];
  const region = useRegions().data?.items.find(({ code }) => code === scenario.region);
  const design = designOf(scenario);
  const change = (changes: Partial<CompleteAssumptions>) => tryDesign({ ...design, ...changes });
  const { inference, function: fn, queue, pipeline } = design;
  switch (name) {
    case 'output': {
      const perCall = pipeline?.inference.output_tokens_per_call;
      if (perCall !== undefined) return <p class="hint">{perCall} tokens per call: see Model above.</p>;
      return (
        <NumberField
          name="inference.output_tokens_per_entry"
          label="Output per entry"
          hint={`Where an entry reports none. An answer of ${wordsOfTokens(inference.output_tokens_per_entry)}.`}
          unit="tokens"
          value={inference.output_tokens_per_entry}
          change={(tokens = 0) => change({ inference: { ...inference, output_tokens_per_entry: tokens } })}
        />
      );
    }
    case 'input':
      return (
        <SelectField
          label="Model"
          name="inference.model"
          hint="The price changes; the number of tokens stays."
          choices={modelChoices(models, region)}
          value={inference.model}
          choose={(model) => change({ inference: { ...inference, model } })}
        />
      );
    case 'function':
      return (
        <div class="columns">
          <NumberField
            name="function.memory_mb"
            label="Memory"
            hint="The duration stays the same."
            unit="MB"
            value={fn.memory_mb}
            change={(memory = 0) => change({ function: { ...fn, memory_mb: memory } })}
          />
          <SelectField
            label="Architecture"
            name="function.architecture"
            hint={assumptionHints.architecture}
            choices={architectureChoices}
            value={fn.architecture}
            choose={(value) => change({ function: { ...fn, architecture: value as typeof fn.architecture } })}
          />
        </div>
      );
    default:
      return (
        <SelectField
          label="Queue"
          name="queue.type"
          hint={assumptionHints.queueType}
          choices={queueTypeChoices}
          value={queue.type}
          choose={(value) => change({ queue: { ...queue, type: value as typeof queue.type } })}
        />
      );
  }
}
