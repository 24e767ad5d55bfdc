// The design that is tried on a scenario, and changes of designs.
import { signal } from '@preact/signals';
import { applyDefaults, type CompleteAssumptions } from '../../../shared/scenarios/assumptions.ts';
import { type CompletePipeline, completePipeline } from '../../../shared/scenarios/pipeline.ts';
import type { Scenario } from '../../client/responses.ts';

interface Tried {
  readonly scenarioId: string;
  readonly design?: CompleteAssumptions;
  /** The entries of a month, which replace the observed rate. */
  readonly volume?: number | undefined;
}

/** The design and volume that are tried, until another scenario is shown. */
const tried = signal<Tried>({ scenarioId: '' });

const triedOn = (scenarioId: string): Tried => (tried.value.scenarioId === scenarioId ? tried.value : { scenarioId });

type Designed = Pick<Scenario, 'id' | 'assumptions'>;

/** The design that is shown: the tried one, or that of the scenario. */
export const designOf = ({ id, assumptions }: Designed): CompleteAssumptions =>
  triedOn(id).design ?? applyDefaults(assumptions);

export const isChanged = (scenario: Designed): boolean =>
  !isSameDesign(designOf(scenario), applyDefaults(scenario.assumptions));

export function tryDesign({ id }: Designed, design: CompleteAssumptions): void {
  tried.value = { ...triedOn(id), design };
}

export function discardDesign({ id }: Designed): void {
  tried.value = { scenarioId: id, volume: triedOn(id).volume };
}

export const volumeOf = ({ id }: Designed): number | undefined => triedOn(id).volume;

export function changeVolume({ id }: Designed, volume: number | undefined): void {
  tried.value = { ...triedOn(id), volume };
}

/** Both are complete, and `applyDefaults` puts their fields into one order. */
export const isSameDesign = (a: CompleteAssumptions, b: CompleteAssumptions): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

/** The name of a field of a pipeline, as the API names it: `levels`, `queue.pollers`. */
export type SettingName = `${'' | 'queue.' | 'function.' | 'inference.'}${string}`;
export type SettingValue = number | boolean | string | readonly string[] | undefined;

export function settingOf({ pipeline = {} as CompletePipeline }: CompleteAssumptions, name: SettingName): SettingValue {
  return fieldsOf(completePipeline(pipeline), name)[fieldName(name)];
}

/** The design with one field of the pipeline changed; a design without a pipeline gets one. */
export function withSetting(design: CompleteAssumptions, name: SettingName, value: SettingValue): CompleteAssumptions {
  const pipeline = completePipeline(design.pipeline ?? {});
  const fields = { ...fieldsOf(pipeline, name), [fieldName(name)]: value };
  const group = groupOf(name);
  return { ...design, pipeline: completePipeline(group === undefined ? fields : { ...pipeline, [group]: fields }) };
}

type Fields = Readonly<Record<string, SettingValue>>;

const groupOf = (name: SettingName) => (name.includes('.') ? name.split('.')[0] : undefined);
const fieldName = (name: SettingName) => name.split('.').at(-1) ?? '';

function fieldsOf(pipeline: CompletePipeline, name: SettingName): Fields {
  const group = groupOf(name);
  return (group === undefined ? pipeline : pipeline[group as 'queue']) as unknown as Fields;
}
