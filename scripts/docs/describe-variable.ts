import type { Schema } from 'joi';
import type { VariableMeta } from '../../shared/config/config-schema.ts';

/** The description of an environment variable, derived from its schema. Texts are Markdown. */
export interface VariableDescription {
  name: string;
  meaning: string;
  isRequired: boolean;
  default: string;
  /** The allowed values; undefined if any text is allowed. */
  allowed: string | undefined;
  /**
   * An initial value: the example of the schema, otherwise the default, otherwise an empty text.
   */
  value: string;
}

type Scalar = string | number | boolean;
/** A number, or a reference to another variable. */
type Limit = number | { ref: { path: string[] } };

/** The part of a schema's `describe()` that this file reads. */
interface JoiDescription {
  type?: string;
  flags?: { presence?: string; default?: Scalar; only?: boolean; description?: string };
  allow?: Scalar[];
  rules?: { name: string; args?: { limit?: Limit; options?: { scheme?: string[] } } }[];
  matches?: { schema: JoiDescription }[];
  metas?: VariableMeta[];
  examples?: Scalar[];
}

/** @throws Error if the schema has no description, or a computed default without `defaultText`. */
export function describeVariable(name: string, schema: Schema): VariableDescription {
  const described = schema.describe() as JoiDescription;
  const { flags = {}, examples = [] } = described;
  const { defaultText, allowedText, listOf } = Object.assign({}, ...(described.metas ?? [])) as VariableMeta;
  if (flags.description === undefined) throw new Error(`${name} has no description.`);
  if (typeof schema.$_getFlag('default') === 'function' && defaultText === undefined) {
    throw new Error(`The default of ${name} is computed: describe it in defaultText.`);
  }
  const isRequired = flags.presence === 'required';
  const fixedDefault = flags.default === undefined ? 'none' : code(flags.default);
  const byRules = listOf
    ? `any of ${listOf.map(code).join(', ')}, separated by commas`
    : oneOf(alternativesOf(described));
  return {
    name,
    meaning: flags.description,
    isRequired,
    default: isRequired ? 'required' : (defaultText ?? fixedDefault),
    allowed: allowedText ?? (byRules || undefined),
    value: String(examples[0] ?? flags.default ?? ''),
  };
}

const code = (value: Scalar) => `\`${String(value)}\``;

const oneOf = (texts: readonly string[]) =>
  texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`;

/** The values that a schema allows, as alternatives; empty if any text is allowed. */
function alternativesOf({ type, flags, allow, rules = [], matches }: JoiDescription): string[] {
  if (matches) return matches.flatMap(({ schema }) => alternativesOf(schema));
  if (flags?.only) return (allow ?? []).map(code);
  if (type === 'boolean') return [true, false].map(code);
  const args = new Map(rules.map((rule) => [rule.name, rule.args ?? {}]));
  const limitOf = (rule: string) => limitText(args.get(rule)?.limit);
  const [min, max] = [limitOf('min'), limitOf('max')];
  if (args.has('port')) return ['a whole number from 0 to 65535'];
  if (type === 'number') return [max ? `a whole number from ${min} to ${max}` : `a whole number, at least ${min}`];
  const schemes = args.get('uri')?.options?.scheme;
  if (schemes) return [`a URL that begins with ${oneOf(schemes.map((scheme) => code(`${scheme}://`)))}`];
  if (args.has('hex')) return [`${limitOf('length')} hexadecimal digits`];
  return min ? [`at least ${min} characters`] : [];
}

function limitText(limit: Limit | undefined): string | undefined {
  if (limit === undefined) return undefined;
  return typeof limit === 'number' ? String(limit) : code(limit.ref.path.join('.'));
}
