import { applyDefaults, type CompleteAssumptions } from '../../../shared/scenarios/assumptions.ts';
import { type CompletePipeline, completePipeline } from '../../../shared/scenarios/pipeline.ts';

/** @returns undefined for a text that is no design. The API checks the values. */
export function parseDesign(text: string): CompleteAssumptions | undefined {
  try {
    const design: unknown = JSON.parse(text);
    const example = applyDefaults({ pipeline: {}, price_book: '' });
    return isLike(design, example) ? applyDefaults(design) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether all fields have the types of an example. Fields that it lacks are numbers. */
const isLike = <Example>(value: unknown, example: Example): value is Example =>
  typeof example === 'object' && example !== null && !Array.isArray(example)
    ? typeof value === 'object' &&
      value !== null &&
      Object.entries(value).every(([name, field]) => isLike(field, (example as Fields)[name] ?? 0))
    : typeof value === typeof example && Array.isArray(value) === Array.isArray(example);

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
