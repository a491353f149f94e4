import { patternKey } from "../http/router.ts";
import { isServicePath } from "../api/mount.ts";
import { ConfigError } from "../errors.ts";
import { LIST_PARAMS } from "../http/list.ts";
import type { AnyPlugin } from "../plugin.ts";
import { aliasProblems } from "../provider_names.ts";

/** Reserved plugin names: pages, routes or commands of the service. */
const RESERVED = new Set([
  "events",
  "expect",
  "check",
  "callbacks",
  "inbound",
  "faults",
  "fault",
  "stories",
  "rejected",
  "assets",
  "stream",
  "health",
  "blobs",
  "namespaces",
  "plugins",
  "tls",
  "serve",
  "providers",
  "openapi",
  "ca",
  "demo",
  "ready",
  "doctor",
  "completions",
  "version",
  "help",
  "metrics",
  "snapshot",
  "diff",
  "export",
  "import",
  "report",
  "mcp",
]);

/** Reserved filter names: every list or expectation takes them. */
const COMMON_NAMES = new Set([...Object.keys(LIST_PARAMS), "match", "order", "none", "timeoutMs"]);

/** Checks a set of plugins. Throws `ConfigError` with all conflicts and the names involved. */
export function checkPlugins(plugins: readonly AnyPlugin[]): void {
  const problems = [
    ...idProblems(plugins),
    ...aliasProblems(plugins),
    ...routeProblems(plugins),
  ];
  if (problems.length > 0) throw new ConfigError(problems);
}

function* idProblems(plugins: readonly AnyPlugin[]): Generator<string> {
  const seen = new Set<string>();
  for (const plugin of plugins) {
    if (seen.has(plugin.id)) yield `Cannot use plugin "${plugin.id}" twice: ids must differ`;
    seen.add(plugin.id);
    if (RESERVED.has(plugin.id) || !/^[a-z][a-z0-9]*$/.test(plugin.id)) {
      yield `Cannot use plugin id "${plugin.id}": expected lower-case letters and digits, and none of ` +
        [...RESERVED].join(", ");
    }
    for (const name of Object.keys(plugin.filters?.query ?? {})) {
      if (COMMON_NAMES.has(name)) {
        yield `Cannot use filter "${name}" of plugin "${plugin.id}": every list already has it`;
      }
    }
    for (const type of plugin.eventTypes) {
      if (!type.startsWith(`${plugin.id}.`)) {
        yield `Cannot use event type "${type}" in plugin "${plugin.id}": expected the prefix "${plugin.id}."`;
      }
    }
    const providers = new Set<string>();
    for (const { id } of plugin.providers) {
      if (providers.has(id)) {
        yield `Cannot use provider "${plugin.id}/${id}" twice: ids must differ`;
      }
      providers.add(id);
    }
  }
}

/** A route belongs to one provider, or to several if all but one recognize their clients by the request head. */
function* routeProblems(plugins: readonly AnyPlugin[]): Generator<string> {
  const claimed = new Map<string, string>();
  for (const plugin of plugins) {
    for (const provider of plugin.providers) {
      if (provider.kind !== "ingress") continue;
      const claimant = `${plugin.id}/${provider.id}`;
      for (const { method, path } of provider.routes) {
        if (isServicePath(path, method) || path.startsWith("/_service/")) {
          yield `Cannot mount ${method} ${path} of ${claimant}: the path belongs to the service's own UI and API`;
        }
        const key = `${method} ${patternKey(path)}`;
        const own = `${claimant} ${key}`;
        const other = claimed.get(own) ?? claimed.get(key);
        if (provider.claims === undefined || claimed.has(own)) {
          if (other !== undefined) {
            yield `Cannot mount ${method} ${path}: both ${other} and ${claimant} claim it`;
          }
          claimed.set(key, claimant);
        }
        claimed.set(own, claimant);
      }
    }
  }
}
