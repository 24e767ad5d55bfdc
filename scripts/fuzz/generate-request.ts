import { randomUUID } from 'node:crypto';
import { generateSync } from 'json-schema-faker';
import { chance, draw, oddBodies, oddHeaders, oddNames, oddTexts, oddValue, pick, type Random } from './odd-values.ts';
import type { OpenApiDocument, Operation, Parameter, Schema } from './operations.ts';

/**
 * The ids of resources that exist, by the segment of the path that precedes an id: `scenarios`,
 * `notebooks`, `users`…
 */
export type KnownIds = Readonly<Record<string, string[]>>;

/** A request in parts, so that each of them can be broken. */
export interface FuzzRequest {
  operationId: string;
  method: string;
  /** With parameters in braces. */
  path: string;
  pathValues: Record<string, string>;
  /** Names can repeat. */
  query: [string, string][];
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
  const { operationId, method, path, body } = operation;
  const request: FuzzRequest = { operationId, method, path, pathValues: {}, query: [], headers: {} };
  for (const parameter of operation.parameters) {
    if (!parameter.required && chance(random, 0.7)) continue;
    const value = valueOf(parameter, operation, sources);
    if (parameter.in === 'path') request.pathValues[parameter.name] = value;
    else if (parameter.in === 'query') request.query.push([parameter.name, value]);
    else request.headers[parameter.name] = value;
  }
  if (body) {
    const [type, { schema, example }] = pick(random, Object.entries(body));
    request.headers['Content-Type'] = type;
    // The schema of a body of lines says no more than that it is text.
    const isExample = schema['type'] === 'string' || (example !== undefined && chance(random, 0.3));
    request.body = isExample ? structuredClone(example) : generate(schema, 'scenarios', sources);
  }
  return request;
}

function valueOf({ name, schema, example }: Parameter, { path }: Operation, sources: Sources): string {
  const { random, ids } = sources;
  // Lists of ids are text to the schema.
  if (name === 'ids') return [pick(random, ids['scenarios'] ?? []), pick(random, ids['scenarios'] ?? [])].join(',');
  // An id belongs to the resource whose name precedes it, a header or query parameter to the one in
  // its name.
  const owner = new RegExp(`/([\\w-]+)/\\{${name}\\}`).exec(path)?.[1];
  const resource = owner ?? (/user/i.test(name) ? 'users' : 'scenarios');
  const names = owner === undefined || schema['format'] === 'uuid' ? [] : (ids[owner] ?? []);
  if (names.length > 0 && chance(random, 0.7)) return pick(random, names);
  const isExample = example !== undefined && schema['format'] !== 'uuid' && chance(random, 0.7);
  return String(isExample ? example : generate(schema, resource, sources));
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
  const usable = [...breaks, ...(request.body === undefined ? [] : bodyBreaks)];
  for (let times = pick(random, [1, 1, 2, 3]); times > 0; times -= 1) pick(random, usable)(request, random);
}

type Break = (request: FuzzRequest, random: Random) => void;

const breaks: readonly Break[] = [
  ({ pathValues }, random) => {
    const [name] = Object.keys(pathValues);
    // An empty value would be another path.
    if (name !== undefined) pathValues[name] = chance(random, 0.5) ? randomUUID() : pick(random, oddTexts) || 'x';
  },
  ({ query }, random) => {
    const names = [...query.map(([name]) => name), ...oddNames, 'page', 'limit', 'cursor', 'page[]'];
    if (query.length > 0 && chance(random, 0.5)) pick(random, query)[1] = pick(random, oddTexts);
    else query.push([pick(random, names), pick(random, oddTexts)]);
  },
  ({ headers }, random) => {
    const [name, values] = pick(random, Object.entries(oddHeaders));
    headers[name] = pick(random, values);
  },
  ({ headers }, random) => {
    delete headers[pick(random, ['', ...Object.keys(headers)])];
  },
  (request, random) => {
    if (request.method === 'GET') request.method = pick(random, ['HEAD', 'OPTIONS']);
  },
];

const bodyBreaks: readonly Break[] = [
  (request, random) => {
    request.body = changeSomewhere(request.body, random);
  },
  (request, random) => {
    request.body = pick(random, oddBodies);
  },
  (request, random) => {
    const text = typeof request.body === 'string' ? request.body : (JSON.stringify(request.body) ?? '');
    request.body = text.slice(0, Math.floor(random() * text.length)) + pick(random, oddTexts);
  },
  (request) => {
    delete request.body;
  },
];

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
export function addressOf({ path, pathValues, query }: FuzzRequest): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => escape(pathValues[name] ?? ''));
  const search = query.map(([name, value]) => `${escape(name)}=${escape(value)}`).join('&');
  return search === '' ? filled : `${filled}?${search}`;
}

/**
 * Escapes text for an address. Malformed escapes stay as they are, and lone surrogates become
 * U+FFFD.
 */
const escape = (text: string): string =>
  text.startsWith('%') ? text : encodeURIComponent(text.toWellFormed()).replaceAll('.', '%2E');
