import { randomUUID } from 'node:crypto';
import { chance, pick } from './choices.ts';
import type { FuzzRequest } from './generate-request.ts';
import { oddBodies, oddHeaders, oddMediaTypes, oddNames, oddTexts, oddValues } from './odd-values.ts';

/** Changes a request, mostly to one that the document does not permit. */
type Break = (request: FuzzRequest, random: () => number) => void;

/** Breaks a request in one to three ways. */
export function breakRequest(request: FuzzRequest, random: () => number): void {
  const times = pick(random, [1, 1, 2, 3]);
  const usable = [...breaks, ...(request.body === undefined ? [] : bodyBreaks)];
  for (let time = 0; time < times; time += 1) pick(random, usable)(request, random);
}

const breaks: readonly Break[] = [
  function breakPath({ pathValues }, random) {
    const [name] = Object.keys(pathValues);
    // An empty value would be another path.
    if (name !== undefined) pathValues[name] = chance(random, 0.5) ? randomUUID() : pick(random, oddTexts) || 'x';
  },
  function breakQueryValue({ query }, random) {
    if (query.length > 0) pick(random, query)[1] = pick(random, oddTexts);
  },
  function repeatQueryParameter({ query }, random) {
    const [name, value] = query.length > 0 ? pick(random, query) : ['page', '1'];
    query.push([name, chance(random, 0.5) ? value : pick(random, oddTexts)]);
  },
  function addQueryParameter({ query }, random) {
    const names = [...oddNames, 'page', 'limit', 'cursor', 'from', 'search', 'page[]', 'sort_by'];
    query.push([pick(random, names), pick(random, oddTexts)]);
  },
  function addHeader({ headers }, random) {
    const [name, value] = pick(random, oddHeaders);
    headers[name] = value;
  },
  function removeHeader({ headers }, random) {
    const names = Object.keys(headers);
    if (names.length > 0) delete headers[pick(random, names)];
  },
  function changeMethod(request, random) {
    if (request.method === 'GET') request.method = pick(random, ['HEAD', 'OPTIONS']);
  },
];

const bodyBreaks: readonly Break[] = [
  function replaceValue(request, random) {
    request.body = changeSomewhere(request.body, random, () => pick(random, oddValues));
  },
  function replaceValue(request, random) {
    request.body = changeSomewhere(request.body, random, () => pick(random, oddTexts));
  },
  function addField(request, random) {
    request.body = changeSomewhere(request.body, random, (value) =>
      isObject(value)
        ? // Unlike an assignment, `fromEntries` makes `__proto__` a field.
          Object.fromEntries([...Object.entries(value), [pick(random, oddNames), pick(random, oddValues)]])
        : [value, value],
    );
  },
  function removeField({ body }, random) {
    if (!isObject(body)) return;
    const names = Object.keys(body);
    if (names.length > 0) delete body[pick(random, names)];
  },
  function replaceText(request, random) {
    request.body = pick(random, oddBodies);
  },
  function cutText(request, random) {
    const text = textOf(request.body);
    request.body = text.slice(0, Math.floor(random() * text.length));
  },
  function insertText(request, random) {
    const text = textOf(request.body);
    const position = Math.floor(random() * text.length);
    request.body = text.slice(0, position) + pick(random, oddTexts) + text.slice(position);
  },
  function changeMediaType({ headers }, random) {
    headers['Content-Type'] = pick(random, oddMediaTypes);
  },
  function omitBody(request) {
    delete request.body;
  },
];

const textOf = (body: unknown): string => (typeof body === 'string' ? body : (JSON.stringify(body) ?? ''));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);

/** Copies a JSON value with one part, at a random depth, changed. */
function changeSomewhere(value: unknown, random: () => number, change: (part: unknown) => unknown): unknown {
  if (Array.isArray(value) && value.length > 0 && chance(random, 0.8)) {
    const position = Math.floor(random() * value.length);
    return value.map((part, index) => (index === position ? changeSomewhere(part, random, change) : part));
  }
  if (isObject(value) && chance(random, 0.8)) {
    const names = Object.keys(value);
    if (names.length > 0) {
      const name = pick(random, names);
      return Object.fromEntries(
        Object.entries(value).map(([key, part]) => [key, key === name ? changeSomewhere(part, random, change) : part]),
      );
    }
  }
  return change(value);
}
