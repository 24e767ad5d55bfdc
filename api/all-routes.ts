import type { Route, RouteSettings } from './http/route.ts';
import * as registry from './routes.ts';

/** Every route of the service. */
export function allRoutes(settings: RouteSettings): Route[] {
  return Object.values(registry).flatMap((routesOf) => routesOf(settings));
}
