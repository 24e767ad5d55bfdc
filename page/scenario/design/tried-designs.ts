// Changes of designs, without their place in the address.
import type { CompleteAssumptions } from '../../../shared/scenarios/assumptions.ts';
import { type CompletePipeline, completePipeline } from '../../../shared/scenarios/pipeline.ts';

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
