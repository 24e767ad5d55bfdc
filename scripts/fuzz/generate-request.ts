import { randomUUID } from 'node:crypto';
import { generateSync } from 'json-schema-faker';
import { chance, draw, oddBodies, oddHeaders, oddNames, oddTexts, oddValue, pick, type Random } from './odd-values.ts';

type Schema = Record<string, unknown>;

type Place = 'path' | 'query' | 'header';
type Parameter = { name: string; in: Place; required?: boolean; schema: Schema; example?: string };

/** One operation of an OpenAPI document, with its references to components still in place. */
export interface Operation {
  operationId: string;
  method: string;
  path: string;
  parameters?: readonly Parameter[];
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

export function operationsOf({ paths }: OpenApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}

/** The ids of resources that exist, by the segment of the path that precedes an id: `scenarios`… */
export type KnownIds = Readonly<Record<string, string[]>>;

/** A request in parts, so that each of them can be broken. */
export interface FuzzRequest {
  operationId: string;
  method: string;
  /** With parameters in braces. */
  path: string;
  values: { in: 'path' | 'query'; name: string; value: string }[];
  headers: Record<string, string>;
  /** Text and bytes are sent unchanged, everything else as JSON. Undefined: no body. */
  body?: unknown;
}

interface Sources {
  random: Random;
  ids: KnownIds;
  components: OpenApiDocument['components'];
}

/** Generates a request that the document of the operation declares valid. */
export function generateRequest(operation: Operation, sources: Sources): FuzzRequest {
  const { random } = sources;
  const { operationId, method, path, parameters = [], requestBody } = operation;
  const request: FuzzRequest = { operationId, method, path, values: [], headers: {} };
  for (const parameter of parameters) {
    if (!parameter.required && chance(random, 0.7)) continue;
    const { name, in: place } = parameter;
    const value = valueOf(parameter, path, sources);
    if (place === 'header') request.headers[name] = value;
    else request.values.push({ in: place, name, value });
  }
  if (requestBody) {
    const [type, { schema, example }] = pick(random, Object.entries(requestBody.content));
    request.headers['Content-Type'] = type;
    // The schema of a body of lines says no more than that it is text.
    const isExample = schema['type'] === 'string' || (example !== undefined && chance(random, 0.3));
    request.body = isExample ? structuredClone(example) : generate(schema, 'scenarios', sources);
  }
  return request;
}

function valueOf({ name, schema, example }: Parameter, path: string, sources: Sources): string {
  const { random, ids } = sources;
  // An id belongs to the resource whose name precedes it, a header or query parameter to the one in
  // its name.
  const owner = new RegExp(`/([\\w-]+)/\\{${name}\\}`).exec(path)?.[1];
  const isUuid = schema['format'] === 'uuid';
  const known = owner === undefined || isUuid ? [] : (ids[owner] ?? []);
  if (known.length > 0 && chance(random, 0.7)) return pick(random, known);
  if (example !== undefined && !isUuid && chance(random, 0.7)) return example;
  return String(generate(schema, owner ?? (/user/i.test(name) ? 'users' : 'scenarios'), sources));
}

function generate(schema: Schema, resource: string, { random, ids, components }: Sources): unknown {
  const known = ids[resource] ?? [];
  const options = {
    seed: Math.floor(random() * 2 ** 31),
    // Names of the price book.
    useExamplesValue: true,
    // The largest permitted body has many megabytes.
    maxItems: 8,
    maxLength: 300,
    formats: known.length > 0 ? { uuid: () => pick(random, known) } : {},
  };
  const whole = { ...schema, components };
  try {
    return generateSync(whole, { ...options, optionalsProbability: pick(random, [0.2, 0.5, 0.9]) });
  } catch {
    // The library fails if it has chosen fewer properties than `minProperties`.
    return generateSync(whole, { ...options, optionalsProbability: 1 });
  }
}

/** Breaks a request in one to three ways, mostly to one that the document does not permit. */
export function breakRequest(request: FuzzRequest, random: Random): void {
  const { values, headers } = request;
  for (let times = pick(random, [1, 1, 2, 3]); times > 0; times -= 1) {
    const way = random();
    if (request.body !== undefined && way < 0.5) request.body = oddBodyOf(request.body, random);
    else if (values.length > 0 && way < 0.65) {
      // An empty value would be another path.
      pick(random, values).value = pick(random, [randomUUID(), ...oddTexts]) || 'x';
    } else if (way < 0.75) {
      const name = pick(random, [...oddNames, 'page', 'limit', 'cursor', 'page[]']);
      values.push({ in: 'query', name, value: pick(random, oddTexts) });
    } else if (way < 0.9) {
      const [name, odd] = pick(random, Object.entries(oddHeaders));
      headers[name] = pick(random, odd);
    } else if (request.method === 'GET') request.method = pick(random, ['HEAD', 'OPTIONS']);
    else delete headers[pick(random, ['', ...Object.keys(headers)])];
  }
}

function oddBodyOf(body: unknown, random: Random): unknown {
  const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
  const cutOff = text.slice(0, Math.floor(random() * text.length)) + pick(random, oddTexts);
  return pick(random, [changeSomewhere(body, random), pick(random, oddBodies), cutOff, undefined]);
}

/** Copies a JSON value with one part, at a random depth, replaced, removed or added. */
function changeSomewhere(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array || chance(random, 0.2))
    return draw(random, oddValue);
  // Unlike an assignment, `fromEntries` makes `__proto__` a field.
  const parts: [string, unknown][] = Object.entries(value);
  const at = Math.floor(random() * (parts.length + 1));
  const [name, part] = parts[at] ?? [pick(random, oddNames), undefined];
  const changed: [string, unknown][] = chance(random, 0.2) ? [] : [[name, changeSomewhere(part, random)]];
  parts.splice(at, 1, ...changed);
  return Array.isArray(value) ? parts.map(([, item]) => item) : Object.fromEntries(parts);
}

/** The path and query as sent. */
export function addressOf({ path, values }: FuzzRequest): string {
  const query = values
    .filter((each) => each.in === 'query')
    .map((each) => `${escape(each.name)}=${escape(each.value)}`);
  const valueIn = (name: string) => values.find((each) => each.in === 'path' && each.name === name)?.value ?? '';
  return `${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => escape(valueIn(name)))}?${query.join('&')}`;
}

/** Escapes text for an address; malformed escapes stay as they are. */
const escape = (text: string): string =>
  text.startsWith('%') ? text : encodeURIComponent(text.toWellFormed()).replaceAll('.', '%2E');
