/** The parts of the service that checks can use. They connect only to a server that an option of the plugin names. */
import type { BlobStore } from "../blobs/blob.ts";
import { mayConnect, parseOriginPattern } from "../callbacks/allow.ts";
import type { CheckContext } from "../checks/check.ts";
import { CheckRunner, type ContextOf } from "../checks/runner.ts";
import type { Logger } from "../log.ts";
import { Dialer } from "../net/outgoing.ts";
import type { Settings } from "../options/settings.ts";
import type { AnyPlugin } from "../plugin.ts";
import type { OpenedPlugin } from "./open.ts";

/** Parts of the service that checks need. */
export interface CheckParts {
  readonly plugins: readonly AnyPlugin[];
  readonly settings: Settings;
  readonly blobs: BlobStore;
  now(): Date;
  /** The running plugins. */
  opened(): readonly OpenedPlugin[];
}

/** Returns the runner of the checks of all plugins. */
export function createChecks(
  { log, ...parts }: CheckParts & { readonly log: Logger },
): CheckRunner {
  return new CheckRunner({ plugins: parts.plugins, contextOf: checkContexts(parts), log });
}

function checkContexts({ plugins, settings, blobs, now, opened }: CheckParts): ContextOf {
  return (plugin) => ({
    blobs,
    now,
    values: settings.plugins.get(plugin)?.values ?? {},
    state: opened().find((one) => one.plugin.id === plugin)?.state,
    connect: connecting(plugins, settings, plugin),
  });
}

function connecting(
  plugins: readonly AnyPlugin[],
  settings: Settings,
  plugin: string,
): CheckContext["connect"] {
  const dialer = new Dialer();
  return async (option, limits) => {
    const spec = plugins.find(({ id }) => id === plugin)?.options?.[option];
    const server = settings.plugins.get(plugin)?.values[option];
    if (spec?.dials === undefined || typeof server !== "string") {
      throw new RangeError(`Cannot connect: no setting ${plugin}.${option} names a server`);
    }
    const address = `${spec.dials}://${server}`;
    const allowed = settings.core.callbacks.allow.map(parseOriginPattern);
    if (!mayConnect(address, allowed)) {
      throw new RangeError(`Cannot connect to ${server}: it is not in [callbacks] allow`);
    }
    return await dialer.connect(address, limits);
  };
}
