import { randomUUID } from 'node:crypto';
import type { FuzzRequest } from './generate-request.ts';
import {
  chance,
  draw,
  oddBodies,
  oddHeaders,
  oddMediaTypes,
  oddNames,
  oddTexts,
  oddValue,
  pick,
  type Random,
} from './odd-values.ts';

/** Changes a request, mostly to one that the document does not permit. */
type Break = (request: FuzzRequest, random: Random) => void;

/** Breaks a request in one to three ways. */
export function breakRequest(request: FuzzRequest, random: Random): void {
  const usable = [...breaks, ...(request.body === undefined ? [] : bodyBreaks)];
  for (let times = pick(random, [1, 1, 2, 3]); times > 0; times -= 1) pick(random, usable)(request, random);
}

const breaks: readonly Break[] = [
  ({ pathValues }, random) => {
    const [name] = Object.keys(pathValues);
    // An empty value would be another path.
    if (name !== undefined) pathValues[name] = chance(random, 0.5) ? randomUUID() : pick(random, oddTexts) || 'x';
  },
  ({ query }, random) => {
    if (query.length > 0) pick(random, query)[1] = pick(random, oddTexts);
  },
  ({ query }, random) => {
    const names = [...query.map(([name]) => name), ...oddNames, 'page', 'limit', 'cursor', 'page[]'];
    query.push([pick(random, names), pick(random, oddTexts)]);
  },
  ({ headers }, random) => {
    const [name, values] = pick(random, Object.entries(oddHeaders));
    headers[name] = pick(random, values);
  },
  ({ headers }, random) => {
    const names = Object.keys(headers);
    if (names.length > 0) delete headers[pick(random, names)];
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
    const position = Math.floor(random() * text.length);
    const inserted = chance(random, 0.5) ? pick(random, oddTexts) + text.slice(position) : '';
    request.body = text.slice(0, position) + inserted;
  },
  ({ headers }, random) => {
    headers['Content-Type'] = pick(random, oddMediaTypes);
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
