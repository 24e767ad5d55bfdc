import type { Route, RouteSettings } from '../routing/route.ts';
import * as resources from './resources.ts';

/** Every route of the service. */
export function allRoutes(settings: RouteSettings): Route[] {
  return Object.values(resources).flatMap((routesOf) => routesOf(settings));
}
