import type { Estimate, Model, Region } from '../client/responses.ts';
import { CheckField, SelectField } from '../components/form.tsx';
import { SliderField } from '../components/number-fields.tsx';
import {
  architectureChoices,
  assumptionHints,
  modelChoices,
  queueTypeChoices,
  regionChoices,
} from '../scenarios/assumption-choices.ts';
import type { Terms } from './terms.ts';

interface TermsFieldsProps {
  /** The terms of the scenario, with the defaults of the service. */
  readonly present: Pick<Estimate['present'], 'region' | 'assumptions'>;
  readonly regions: readonly Region[];
  readonly models: readonly Model[];
  readonly terms: Terms;
  readonly change: (changes: Terms) => void;
}

export function TermsFields({ present: { region, assumptions }, regions, models, terms, change }: TermsFieldsProps) {
  const asNow = (text: string) => ({ value: '', text: `As now: ${text}` });
  const { queue, function: fn, inference } = assumptions;
  const modelName = models.find(({ id }) => id === inference.model)?.name ?? inference.model;
  const chosenRegion = regions.find(({ code }) => code === (terms.region ?? region));
  return (
    <div class="columns">
      <SelectField
        label="Region"
        name="region"
        choices={[asNow(region), ...regionChoices(regions)]}
        value={terms.region ?? ''}
        onChange={(event) => change({ region: event.currentTarget.value })}
      />
      <SelectField
        label="Model"
        name="model"
        choices={[asNow(modelName), ...modelChoices(models, chosenRegion)]}
        value={terms.model ?? ''}
        onChange={(event) => change({ model: event.currentTarget.value })}
      />
      <SliderField
        label="Memory of the function"
        name="memory_mb"
        unit="MB"
        min={128}
        max={10_240}
        step={64}
        value={terms.memory_mb ?? fn.memory_mb}
        onValue={(memory_mb) => change({ memory_mb })}
      />
      <SliderField
        label="Queue requests per message"
        name="requests_per_message"
        hint={assumptionHints.requestsPerMessage}
        min={1}
        max={100}
        value={terms.requests_per_message ?? queue.requests_per_message}
        onValue={(requests_per_message) => change({ requests_per_message })}
      />
      <SelectField
        label="Architecture"
        name="architecture"
        hint={assumptionHints.architecture}
        choices={[asNow(fn.architecture), ...architectureChoices]}
        value={terms.architecture ?? ''}
        onChange={(event) => change({ architecture: event.currentTarget.value })}
      />
      <SelectField
        label="Queue"
        name="queue_type"
        hint={assumptionHints.queueType}
        choices={[asNow(queue.type), ...queueTypeChoices]}
        value={terms.queue_type ?? ''}
        onChange={(event) => change({ queue_type: event.currentTarget.value })}
      />
      <CheckField
        label="Subtract the free tier of each month"
        name="free_tier"
        hint={assumptionHints.freeTier}
        checked={terms.free_tier ?? assumptions.free_tier}
        onChange={(event) => change({ free_tier: event.currentTarget.checked })}
      />
    </div>
  );
}
