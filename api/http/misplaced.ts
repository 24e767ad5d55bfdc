import type { Method, Route } from './route.ts';

type Address = Pick<Route, 'method' | 'path' | 'isDocumented'>;

const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '');

const isParameter = (segment: string) => segment.startsWith('{');

/**
 * Finds the route that a request without a route means: `/api/v1/ingest` is `/ingest`, and
 * `/api/v2/scenarios/{id}/start` is that of version 1.
 * @returns its method and its path with the parameters of the request.
 */
export function findMisplaced(
  method: string,
  path: string,
  routes: readonly Address[],
): { method: Method; path: string } | undefined {
  const sent = segmentsOf(path.replace(/^\/(?:api\/?)?(?:v\d+\/)?/i, '/'));
  if (sent.length === 0) return undefined;
  const found = routes.filter((route) => route.isDocumented !== false && endsWith(segmentsOf(route.path), sent));
  const route = found.find((one) => one.method === method) ?? found[0];
  if (!route) return undefined;
  const segments = segmentsOf(route.path);
  return { method: route.method, path: `/${[...segments.slice(0, segments.length - sent.length), ...sent].join('/')}` };
}

/** Whether a path ends with these segments, the first of which is not the value of a parameter. */
function endsWith(segments: readonly string[], sent: readonly string[]): boolean {
  const last = segments.slice(-sent.length);
  return (
    last.length === sent.length &&
    last[0] === sent[0] &&
    last.every((segment, index) => segment === sent[index] || isParameter(segment)) &&
    !segments.slice(0, -sent.length).some(isParameter)
  );
}
