// The address of the page: `#/scenarios/ID/design?period=day`. The period, the chart and the filter
// of a list are part of it, so that a copied address opens the same.
import { signal } from '@preact/signals';
import { useHashLocation } from 'wouter-preact/use-hash-location';

const query = signal(readQuery());

addEventListener('hashchange', () => {
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

/**
 * Changes parameters of the query; undefined removes one.
 * @param isStep whether the browser's Back undoes it.
 */
export function changeQuery(changes: Readonly<Record<string, string | undefined>>, isStep = false): void {
  const params = addressQuery();
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) params.delete(name);
    else params.set(name, value);
  }
  // Readable in an address as they are.
  query.value = params.toString().replaceAll('%3A', ':');
  showQuery(isStep);
}

/** Removes all parameters. */
export function clearQuery(): void {
  query.value = '';
  showQuery(false);
}

function showQuery(isStep: boolean): void {
  const link = linkTo(location.hash.slice(1).split('?')[0] ?? '/');
  if (link === location.hash) return;
  if (isStep) history.pushState(null, '', link);
  else history.replaceState(history.state, '', link);
}

function readQuery(): string {
  return location.hash.split('?')[1] ?? '';
}
