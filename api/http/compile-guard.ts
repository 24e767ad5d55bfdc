import type { Description, ObjectSchema } from 'joi';
import { hasCharacters, isScalar } from './joi.ts';

/**
 * Accepts values of a schema, several times faster than Joi does.
 * @returns the value as the schema converts it; undefined if Joi decides. It accepts nothing that
 * Joi refuses.
 */
type Guard<T> = (value: unknown) => T | undefined;

/** Checks one value. `undefined`: refused. */
type Check = (value: unknown) => unknown;
type JsonObject = Record<string, unknown>;

/**
 * Derives a guard from the description of a Joi schema of objects. Joi stays the one source: a part
 * of a schema that is not known here is an error.
 * @throws TypeError that names the part.
 */
export function compileGuard<T>(schema: ObjectSchema<T>): Guard<T> {
  return compile(schema.describe()) as Guard<T>;
}

/** Parts of a description that change neither the accepted values nor the result. */
const wordsOnly = new Set(['type', 'preferences', 'examples', 'metas', 'notes', 'tags']);
const harmlessFlags = new Set(['description', 'label', 'unit']);
const harmlessPreferences = new Set(['messages', 'convert']);

const compilers: Readonly<Record<string, (description: Description) => Check>> = {
  any: (description) => compileRules(known(description, ['rules']), (value) => value),
  object: compileObject,
  string: (description) => compileText(description),
  text: (description) => compileText(description),
  name: (description) => compileText(description),
  number: (description) => compileRules(known(description, ['rules']), numberOf),
  scalar: (description) => {
    known(description, []);
    return (value) => (isScalar(value) ? value : undefined);
  },
};

function compile(description: Description): Check {
  const compiler = compilers[description.type ?? ''];
  if (!compiler) throw unknownPart(`the type ${description.type}`);
  return compiler(description);
}

function compileObject(description: Description): Check {
  const { keys = {}, patterns = [], renames = [] } = known(description, ['keys', 'patterns', 'renames']);
  const checks = new Map(
    Object.entries(keys as Record<string, Description>).map(([name, key]) => [name, compile(key)]),
  );
  const required = Object.entries(keys as Record<string, Description>)
    .filter(([, { flags }]) => flagsOf(flags).presence === 'required')
    .map(([name]) => name);
  const aliases = new Map((renames as Rename[]).map((rename) => [rename.from, targetOf(rename)]));
  const checkOther = compilePatterns(patterns as Pattern[]);
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const renamed = aliases.size === 0 ? value : withoutAliases(value as JsonObject, aliases);
    if (!renamed) return undefined;
    let result = renamed as JsonObject;
    for (const name of Object.keys(renamed)) {
      const sent = result[name];
      const converted = (checks.get(name) ?? checkOther)(sent);
      if (converted === undefined) return undefined;
      if (Object.is(converted, sent)) continue;
      // The value of the caller is not changed.
      if (result === value) result = { ...result };
      result[name] = converted;
    }
    for (const name of required) if (!Object.hasOwn(result, name)) return undefined;
    return result;
  };
}

const flagsOf = (flags: object = {}): { presence?: string; only?: boolean } => flags;

interface Rename {
  from: string;
  to: string;
  options: { alias: boolean; multiple: boolean; override: boolean };
}

function targetOf({ from, to, options }: Rename): string {
  if (options.alias || options.multiple || options.override) throw unknownPart(`the options of the rename of ${from}`);
  return to;
}

/**
 * Renames an alias to its target. @returns undefined if the target has more than one of its names.
 */
function withoutAliases(value: JsonObject, aliases: ReadonlyMap<string, string>): JsonObject | undefined {
  let result = value;
  for (const [alias, target] of aliases) {
    if (!Object.hasOwn(value, alias)) continue;
    if (Object.hasOwn(result, target)) return undefined;
    const { [alias]: renamed, ...others } = result;
    result = { ...others, [target]: renamed };
  }
  return result;
}

interface Pattern {
  regex?: string;
  rule: Description;
}

const refuse: Check = () => undefined;

/** The check of the keys that a schema does not name. */
function compilePatterns(patterns: readonly Pattern[]): Check {
  const [pattern, ...others] = patterns;
  if (!pattern) return refuse;
  if (pattern.regex !== '/.*/' || others.length > 0) throw unknownPart('a pattern other than one for all keys');
  return compile(pattern.rule);
}

/** Joi's `allow` bypasses the rules; with the flag `only`, nothing else is accepted. */
function compileText(description: Description): Check {
  const { allow = [], flags } = known(description, ['rules', 'allow'], ['only']);
  const allowed = new Set(allow as unknown[]);
  if (flagsOf(flags).only) return (value) => (allowed.has(value) ? value : undefined);
  const check = compileRules(description, (value) => (typeof value === 'string' && value !== '' ? value : undefined));
  return (value) => (allowed.has(value) ? value : check(value));
}

/** Joi refuses numbers that are not exact, and converts -0. */
const numberOf: Check = (value) =>
  typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value + 0 : undefined;

interface Rule {
  name: string;
  args?: {
    limit?: number;
    encoding?: string;
    min?: number;
    max?: number;
    method?: (value: unknown, helpers: object) => unknown;
    isKnown?: (name: string) => boolean;
  };
}

/** A value of the base type that all rules accept. */
function compileRules(description: Description, base: Check): Check {
  const rules = ((description.rules ?? []) as Rule[]).map((rule) => compileRule(String(description.type), rule));
  return (value) => {
    let result = base(value);
    for (const check of rules) if (result !== undefined) result = check(result);
    return result;
  };
}

const refused = Symbol('refused');
/** A custom rule that does not accept a value makes an error by its helpers. */
const helpers = { error: () => refused, message: () => refused };

function compileRule(type: string, { name, args = {} }: Rule): Check {
  const { limit = Number.NaN, encoding, min = Number.NaN, max = Number.NaN, method, isKnown = () => false } = args;
  const accept =
    (isAccepted: (value: never) => boolean): Check =>
    (value) =>
      isAccepted(value as never) ? value : undefined;
  switch (`${type}.${name}`) {
    case 'any.custom':
      return (value) => {
        const result = method?.(value, helpers);
        return result === refused ? undefined : result;
      };
    case 'string.max':
      if (encoding !== 'utf8') break;
      // A UTF-16 code unit is at most three bytes.
      return accept((text: string) => text.length * 3 <= limit || Buffer.byteLength(text) <= limit);
    case 'text.characters':
      return accept((text: string) => hasCharacters(text, min, max));
    case 'name.known':
      return accept(isKnown);
    case 'number.min':
      return accept((value: number) => value >= limit);
    case 'number.max':
      return accept((value: number) => value <= limit);
    case 'number.integer':
      return accept(Number.isInteger);
    default:
  }
  throw unknownPart(`the rule ${name} of the type ${type}`);
}

const isHarmless = (flag: string, value: unknown) =>
  harmlessFlags.has(flag) || (flag === 'presence' && (value === 'required' || value === 'optional'));

/** @throws TypeError if the description has other parts, which could refuse or convert a value. */
function known(description: Description, parts: readonly string[], flags: readonly string[] = []): Description {
  const { flags: ownFlags = {}, preferences = {}, ...own } = description;
  const other =
    Object.keys(own).find((part) => !wordsOnly.has(part) && !parts.includes(part)) ??
    Object.entries(ownFlags).find(([flag, value]) => !isHarmless(flag, value) && !flags.includes(flag))?.[0] ??
    Object.keys(preferences as object).find((name) => !harmlessPreferences.has(name));
  if (other !== undefined) throw unknownPart(`${other} of the type ${description.type}`);
  return description;
}

const unknownPart = (part: string) => new TypeError(`A guard does not know ${part}.`);
