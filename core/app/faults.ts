/** Faults of a running service: those of its settings, and those that a program adds. */
import { ConfigError } from "../errors.ts";
import { type EngineOptions, Faults } from "../faults/engine.ts";
import { type FaultPlace, faultPlaces } from "../faults/places.ts";
import type { FaultRule } from "../faults/model.ts";
import { type ReadRule, readRule } from "../faults/rule.ts";
import type { Server } from "../net/server.ts";
import type { Settings } from "../options/settings.ts";
import type { AnyPlugin } from "../plugin.ts";
import type { OpenedPlugin } from "./open.ts";
import type { AddedFault } from "./service.ts";

/** Faults without rules. */
export function openFaults(
  { serverOf, ...options }: Omit<EngineOptions, "elapsedMs" | "prepareResets"> & {
    /** The listener of a provider; `undefined` if it has none yet. */
    serverOf(on: string): Server | undefined;
  },
): Faults {
  return new Faults({
    ...options,
    elapsedMs: () => performance.now(),
    async prepareResets(on) {
      for (const name of on.flatMap((one) => [one, `${one}/tls`])) {
        await serverOf(name)?.makeResettable?.();
      }
    },
  });
}

/**
 * Adds the rules of the settings, which may name any plugin. Throws `ConfigError` with every
 * problem found.
 */
export async function addFromFile(
  faults: Faults,
  settings: Settings,
  plugins: readonly AnyPlugin[],
): Promise<void> {
  const places = faultPlaces(plugins);
  const { faultsFile } = settings;
  const problems: string[] = [];
  const rules: ReadRule[] = [];
  for (const [index, rule] of settings.core.root.faults.entries()) {
    try {
      const place = `[[faults]] ${index + 1}${faultsFile === undefined ? "" : ` of ${faultsFile}`}`;
      rules.push(readRule(rule, { place, places }));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      problems.push(error.message);
    }
  }
  if (problems.length > 0) throw new ConfigError(problems);
  try {
    await faults.add(rules, "file");
  } catch (error) {
    throw error instanceof RangeError ? new ConfigError(error.message) : error;
  }
}

/** Returns the places where the running plugins can fail. */
export function placesOf(opened: readonly OpenedPlugin[]): FaultPlace[] {
  return faultPlaces(opened.map(({ plugin: { id }, providers }) => ({
    id,
    providers: providers.map(({ provider }) => provider),
  })));
}

/** Adds a rule; disposing of the result removes it. Rejects with `RangeError` for a rule that cannot be read. */
export async function addFault(
  faults: Faults,
  rule: FaultRule,
  places: readonly FaultPlace[],
): Promise<AddedFault> {
  const [added] = await faults.add([readRule(rule, { place: "the fault", places })], "api");
  const { id } = added!;
  let last = 0;
  const hits = (): number => last = faults.get(id)?.hits ?? last;
  const remove = (): void => {
    hits();
    faults.remove(id);
  };
  return {
    id,
    get hits() {
      return hits();
    },
    remove,
    [Symbol.dispose]: remove,
  };
}
