/** Repeatable runs: the clock and the seed of the settings. */
import type { Clock } from "../clock.ts";
import { compact } from "../compact.ts";
import { ConfigError } from "../errors.ts";
import type { Settings } from "../options/settings.ts";
import type { AnyPlugin } from "../plugin.ts";

/** Clock and seed of the settings, which the program may override. */
export function repeatOf(
  { core: { repeat: { seed, time } } }: Settings,
): { readonly clock?: Clock; readonly seed?: string } {
  return {
    ...compact({ seed, clock: time === undefined ? undefined : { now: () => new Date(time) } }),
  };
}

/** Throws `ConfigError` if events or plugin state outlast the run: the ids of two runs would clash. */
export function checkSeed(
  plugins: readonly AnyPlugin[],
  { seed, settings }: { readonly seed?: string; readonly settings: Settings },
): void {
  const { plugins: stores, events } = settings.core.storage;
  const kept = events !== "memory"
    ? "events"
    : plugins.find(({ id, persists }) => persists && stores[id]?.folder !== undefined)?.id;
  if (seed === undefined || kept === undefined) return;
  throw new ConfigError(
    `Cannot keep ${kept} across runs with a seed: their ids would repeat; ` +
      `remove the seed, or keep ${kept} in memory`,
  );
}
