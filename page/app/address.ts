// The address of the page: `#/scenarios/ID/what-if?period=day&region=eu-west-1`. All that a view
// shows is part of it, so that a copied address opens the same.
import { signal } from '@preact/signals';
import { useHashLocation } from 'wouter-preact/use-hash-location';

/**
 * In characters. A longer query is not one that the page has written, and is not read: the longest
 * search has 500 characters, of which each can be nine.
 */
const maxQueryLength = 8_000;

/** In ms: browsers refuse or ignore addresses that change more often than a few times a second. */
const writeAfter = 250;

type Changes = Readonly<Record<string, string | undefined>>;

const query = signal(readQuery());
let timer: ReturnType<typeof setTimeout> | undefined;

addEventListener('hashchange', () => {
  clearTimeout(timer);
  query.value = readQuery();
});

/** The path of the address, without its query, for the router. */
export function usePageLocation(): ReturnType<typeof useHashLocation> {
  const [location, go] = useHashLocation();
  return [location.split('?')[0] ?? '', go];
}

/** The query of the address. Components that read it are rendered again when it changes. */
export const addressQuery = (): URLSearchParams => new URLSearchParams(query.value);

/** A link to a path with the present query: `#/scenarios/ID/design?period=day`. */
export const linkTo = (path: string): string => `#${path}${query.value === '' ? '' : `?${query.value}`}`;

/** Changes parameters of the query; undefined removes one. The browser's Back does not undo it. */
export function changeQuery(changes: Changes): void {
  query.value = changedQuery(changes);
  clearTimeout(timer);
  timer = setTimeout(writeQuery, writeAfter);
}

type Filter = Readonly<Record<string, string>>;

/** The filter of a list, as the address has it. @param initial the values that it does not name. */
export function filterOf<Names extends Filter>(initial: Names): Names {
  const params = addressQuery();
  return Object.fromEntries(
    Object.entries(initial).map(([name, value]) => [name, params.get(name) ?? value]),
  ) as unknown as Names;
}

/** Changes the filter of a list in the address. */
export function changeFilter<Names extends Filter>(initial: Names, changes: Partial<Names>): void {
  changeQuery(
    Object.fromEntries(
      Object.entries(changes).map(([name, value]) => [name, value === initial[name] ? undefined : value]),
    ),
  );
}

/** The number of a page of a list. A malformed one is the first. */
export const pageOf = (text: string): number => (/^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1);

/** As `changeQuery`, and the browser's Back undoes it. */
export function pushQuery(changes: Changes): void {
  flushQuery();
  query.value = changedQuery(changes);
  history.pushState(null, '', presentLink());
}

/** Removes all parameters. */
export function clearQuery(): void {
  query.value = '';
  flushQuery();
}

/** The whole address, to be copied. */
export function fullAddress(): string {
  flushQuery();
  return location.href;
}

function flushQuery(): void {
  clearTimeout(timer);
  writeQuery();
}

function writeQuery(): void {
  if (presentLink() !== location.hash) history.replaceState(history.state, '', presentLink());
}

const presentLink = () => linkTo(location.hash.slice(1).split('?')[0] ?? '/');

function changedQuery(changes: Changes): string {
  const params = addressQuery();
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) params.delete(name);
    else params.set(name, value);
  }
  // Readable in an address as they are.
  return params.toString().replaceAll('%3A', ':').replaceAll('%2C', ',');
}

function readQuery(): string {
  const text = location.hash.split('?')[1] ?? '';
  return text.length > maxQueryLength ? '' : text;
}
