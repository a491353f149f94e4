import { type OpenApiObject, toOpenApi } from "../http/openapi.ts";
import type { Param } from "../http/route.ts";
import type { AnyPlugin } from "../plugin.ts";
import { Type } from "../shape_type.ts";
import { VERSION } from "../version.ts";
import { bundleRoutes } from "./bundle.ts";
import { checkRoutes } from "./checks.ts";
import { callbackRoutes } from "./callbacks.ts";
import { eventRoutes } from "./events.ts";
import { expectRoutes } from "./expect.ts";
import { faultRoutes } from "./faults.ts";
import { rejectedRoutes } from "./rejected.ts";
import { serviceRoutes } from "./service.ts";
import { storyRoutes } from "./stories.ts";

/** Base path of all read-back routes. */
export const API_BASE = "/api/v1";

/** Routes of the service itself. */
export const coreRoutes = [
  ...serviceRoutes,
  ...eventRoutes,
  ...checkRoutes,
  ...storyRoutes,
  ...expectRoutes,
  ...faultRoutes,
  ...callbackRoutes,
  ...rejectedRoutes,
  ...bundleRoutes,
];

/**
 * Describes one plugin's read-back routes, or the events API if no plugin is named, as OpenAPI 3.1. `undefined` for an
 * unknown plugin and for one without routes.
 */
export function describeApi(
  plugins: readonly AnyPlugin[],
  plugin?: string,
): OpenApiObject | undefined {
  if (plugin === undefined) {
    return toOpenApi({
      title: "Standin events API v1",
      description: "The captured events of all plugins.",
      version: VERSION,
      basePath: API_BASE,
    }, coreRoutes.map((route) => withFilters(route, plugins)));
  }
  const found = plugins.find((candidate) => candidate.id === plugin);
  if (found === undefined || found.routes.length === 0) return undefined;
  return toOpenApi({
    title: `Standin ${found.title} API v1`,
    description: found.about,
    version: VERSION,
    basePath: `${API_BASE}/${found.id}`,
  }, found.routes);
}

/** Adds the filters of every plugin to a route that takes those of the named plugin. */
function withFilters(
  route: typeof coreRoutes[number],
  plugins: readonly AnyPlugin[],
): typeof coreRoutes[number] {
  if (route.takesFilters === undefined) return route;
  const params = new Map<string, Param<unknown>>();
  for (const { id, filters } of plugins) {
    for (const [name, param] of Object.entries(filters?.query ?? {})) {
      const known = params.get(name);
      const about = `With plugin or type of ${id}: ${param.about}`;
      if (known === undefined) params.set(name, { ...param, about });
      else params.set(name, { ...known, about: `${known.about}. ${about}`, schema: Type.String() });
    }
  }
  return { ...route, query: { ...Object.fromEntries(params), ...route.query } };
}
