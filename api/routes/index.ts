import type { Route, RouteSettings } from '../routing/route.ts';
import * as registry from './registry.ts';

/** Every route of the service. */
export function allRoutes(settings: RouteSettings): Route[] {
  return Object.values(registry).flatMap((routesOf) => routesOf(settings));
}
