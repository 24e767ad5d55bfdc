// A design in the address: the fields that differ from those of the scenario, as JSON. Ranges are
// checked by the API, which says what is wrong.
import { applyDefaults, type CompleteAssumptions } from '../../../shared/scenarios/assumptions.ts';
import { completePipeline } from '../../../shared/scenarios/pipeline.ts';

const parameter = 'design';

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The design of an address. A malformed field is as the scenario has it. */
export function parseDesign(query: URLSearchParams, present: CompleteAssumptions): CompleteAssumptions {
  const changes = parseJson(query.get(parameter) ?? '{}');
  if (!isFields(changes)) return present;
  // A pipeline of the address has the form of a whole one.
  const whole = { ...present, pipeline: present.pipeline ?? completePipeline({}) };
  const { pipeline, ...design } = withChanges(whole, changes) as CompleteAssumptions;
  const hasPipeline = 'pipeline' in changes ? isFields(changes['pipeline']) : present.pipeline !== undefined;
  return applyDefaults(hasPipeline ? { ...design, pipeline } : design);
}

/** The parameter of a design; undefined for that of the scenario. */
export function formatDesign(
  design: CompleteAssumptions,
  present: CompleteAssumptions,
): Record<string, string | undefined> {
  const changes = changesOf(design as unknown as Fields, present as unknown as Fields);
  const isPresent = changes === undefined;
  return { [parameter]: isPresent ? undefined : JSON.stringify(changes) };
}

/** Null is a field that the design does not have. */
function changesOf(design: Fields, present: Fields): Fields | undefined {
  const names = [...new Set([...Object.keys(design), ...Object.keys(present)])];
  const changes = names.flatMap((name): [string, unknown][] => {
    const [value, old] = [design[name], present[name]];
    if (JSON.stringify(value) === JSON.stringify(old)) return [];
    return [[name, isFields(value) && isFields(old) ? changesOf(value, old) : (value ?? null)]];
  });
  return changes.length === 0 ? undefined : Object.fromEntries(changes);
}

/** Fields that can be absent, with the type of their values. */
const optional: Fields = { output_tokens_per_call: 0 };

/** Replaces fields by values of the same type. */
function withChanges(base: unknown, changes: Fields): unknown {
  const fields: Record<string, unknown> = { ...(base as Fields) };
  for (const [name, value] of Object.entries(changes)) {
    const old = fields[name] ?? optional[name];
    if (isFields(old)) fields[name] = isFields(value) ? withChanges(old, value) : old;
    else if (value === null && name in optional) fields[name] = undefined;
    else if (isOfType(value, old)) fields[name] = value;
  }
  return fields;
}

const isOfType = (value: unknown, old: unknown): boolean =>
  Array.isArray(old)
    ? Array.isArray(value) && value.every((item) => typeof item === 'string')
    : old !== undefined && typeof value === typeof old && value !== null;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
