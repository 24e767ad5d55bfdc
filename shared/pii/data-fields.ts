// Validation of the objects in the data files of this folder, each time they are loaded. It names
// the row and the field, because people edit these files.

/** A kind of value that a field can have. */
interface Kind<T> {
  /** Completes "has to be". */
  readonly expected: string;
  readonly accepts: (value: unknown) => value is T;
}

/** The kinds of fields, by their names. */
export type Kinds = Readonly<Record<string, Kind<unknown>>>;
type ValueOf<K> = K extends Kind<infer T> ? T : never;
export type OptionalFields<Optional extends Kinds> = { readonly [Name in keyof Optional]?: ValueOf<Optional[Name]> };
export type Fields<Required extends Kinds, Optional extends Kinds> = {
  readonly [Name in keyof Required]: ValueOf<Required[Name]>;
} & OptionalFields<Optional>;

export function kind<T>(expected: string, accepts: (value: unknown) => boolean): Kind<T> {
  return { expected, accepts: accepts as Kind<T>['accepts'] };
}

export const integer = kind<number>('an integer', Number.isInteger);
export const text = kind<string>('a text', (value) => typeof value === 'string' && value.trim() !== '');
export const lowerCase = kind<string>(
  'a text in lower case',
  (value) => typeof value === 'string' && value !== '' && value.trim().toLowerCase() === value,
);
export const flag = kind<true>('true, or absent', (value) => value === true);
export const anything = kind<unknown>('present', (value) => value !== undefined);

export function listOf<T>(item: Kind<T>): Kind<readonly T[]> {
  const accepts = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(item.accepts);
  return kind(`a list, with each item ${item.expected}`, accepts);
}

export function recordOf<T>(item: Kind<T>): Kind<Readonly<Record<string, T>>> {
  const accepts = (value: unknown) => isObject(value) && Object.values(value).every(item.accepts);
  return kind(`an object, with each field ${item.expected}`, accepts);
}

export function either<A, B>(one: Kind<A>, other: Kind<B>): Kind<A | B> {
  return kind(`${one.expected} or ${other.expected}`, (value) => one.accepts(value) || other.accepts(value));
}

/**
 * Returns the object with its fields, which are all named in `required` or `optional`.
 * @throws Error that begins with `where`, and names the field.
 */
export function readFields<Required extends Kinds, Optional extends Kinds>(
  where: string,
  data: unknown,
  required: Required,
  optional: Optional,
): Fields<Required, Optional> {
  if (!isObject(data)) throw new Error(`${where} has to be an object.`);
  const kinds: Kinds = { ...required, ...optional };
  for (const [name, value] of Object.entries(data)) {
    const expected = kinds[name];
    if (expected === undefined) throw new Error(`${where} has no field "${name}": ${Object.keys(kinds).join(', ')}.`);
    if (!expected.accepts(value)) throw new Error(`${where}: "${name}" has to be ${expected.expected}.`);
  }
  for (const name of Object.keys(required)) if (!(name in data)) throw new Error(`${where} lacks the field "${name}".`);
  return data as Fields<Required, Optional>;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
