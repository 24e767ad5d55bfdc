// A design in the address: the fields that differ from those of the scenario, as the API names them
// (`design.pipeline.queue.send_batch=10`). Ranges are checked by the API, which says what is wrong.
import {
  applyDefaults,
  architectures,
  type CompleteAssumptions,
  queueTypes,
} from '../../../shared/scenarios/assumptions.ts';
import { levelClasses } from '../../../shared/scenarios/level-class.ts';
import { completePipeline } from '../../../shared/scenarios/pipeline.ts';
import { settings } from './settings.ts';
import { type SettingValue, settingOf, withSetting } from './tried-designs.ts';

const prefix = 'design.';
/** Whether there is a pipeline, where the scenario and the design differ in it. */
const pipelineMark = `${prefix}pipeline`;

/** Undefined for a malformed text. */
type ReadText = (text: string) => { readonly value: SettingValue } | undefined;

const valueIf = (isValid: boolean, value: SettingValue) => (isValid ? { value } : undefined);
const number: ReadText = (text) => valueIf(/^-?\d{1,9}(\.\d{1,6})?$/.test(text), Number(text));
const optionalNumber: ReadText = (text) => (text === '' ? { value: undefined } : number(text));
const check: ReadText = (text) => valueIf(text === 'true' || text === 'false', text === 'true');
const modelId: ReadText = (text) => valueIf(/^[\w.:/-]{1,100}$/.test(text), text);
const oneOf =
  (values: readonly string[]): ReadText =>
  (text) =>
    valueIf(values.includes(text), text);
const levels: ReadText = (text) => {
  const named = text === '' ? [] : text.split(',');
  // In the order of the classes.
  const known = levelClasses.filter((level) => named.includes(level));
  return valueIf(known.length === named.length, known);
};

interface Field {
  readonly name: string;
  readonly read: ReadText;
}

const ownFields: readonly Field[] = [
  { name: 'queue.type', read: oneOf(queueTypes) },
  { name: 'queue.requests_per_message', read: number },
  { name: 'function.architecture', read: oneOf(architectures) },
  { name: 'function.memory_mb', read: number },
  { name: 'function.duration_ms', read: number },
  { name: 'inference.model', read: modelId },
  { name: 'inference.output_tokens_per_entry', read: number },
  { name: 'free_tier', read: check },
];

const pipelineFields: readonly Field[] = Object.values(settings)
  .flat()
  .map((setting) => {
    const { name, kind } = setting;
    if (kind === 'choice') return { name, read: oneOf(setting.choices.map(({ value }) => value)) };
    if (kind === 'number') return { name, read: setting.isOptional ? optionalNumber : number };
    return { name, read: kind === 'levels' ? levels : check };
  });

/** The design of an address. A malformed setting is as the scenario has it. */
export function parseDesign(query: URLSearchParams, present: CompleteAssumptions): CompleteAssumptions {
  let design = present;
  for (const { name, read } of ownFields) {
    const found = read(query.get(prefix + name) ?? malformed);
    if (found) design = withOwnField(design, name, found.value);
  }
  if (query.get(pipelineMark) === 'none') {
    const { pipeline: _, ...rest } = design;
    return applyDefaults(rest);
  }
  if (query.get(pipelineMark) === 'yes') design = { ...design, pipeline: design.pipeline ?? completePipeline({}) };
  for (const { name, read } of pipelineFields) {
    const found = read(query.get(`${prefix}pipeline.${name}`) ?? malformed);
    if (found) design = withSetting(design, name, found.value);
  }
  return applyDefaults(design);
}

/** The parameters of a design; those of an earlier one are undefined. */
export function formatDesign(
  design: CompleteAssumptions,
  present: CompleteAssumptions,
  query: URLSearchParams,
): Record<string, string | undefined> {
  const earlier = [...query.keys()].filter((name) => name.startsWith(prefix));
  const changes: Record<string, string | undefined> = Object.fromEntries(earlier.map((name) => [name, undefined]));
  for (const { name } of ownFields) {
    const text = String(ownField(design, name));
    if (text !== String(ownField(present, name))) changes[prefix + name] = text;
  }
  if ((design.pipeline === undefined) !== (present.pipeline === undefined)) {
    changes[pipelineMark] = design.pipeline ? 'yes' : 'none';
  }
  if (!design.pipeline) return changes;
  for (const { name } of pipelineFields) {
    const text = String(settingOf(design, name) ?? '');
    if (text !== String(settingOf(present, name) ?? '')) changes[`${prefix}pipeline.${name}`] = text;
  }
  return changes;
}

/** A text that no field accepts. */
const malformed = '\0';

type Groups = Readonly<Record<string, Readonly<Record<string, SettingValue>> | undefined>>;

function ownField(design: CompleteAssumptions, name: string): SettingValue {
  const [group = '', field] = name.split('.');
  return field === undefined ? design.free_tier : (design as unknown as Groups)[group]?.[field];
}

function withOwnField(design: CompleteAssumptions, name: string, value: SettingValue): CompleteAssumptions {
  const [group = '', field] = name.split('.');
  const fields = field === undefined ? value : { ...(design as unknown as Groups)[group], [field]: value };
  return { ...design, [group]: fields };
}
