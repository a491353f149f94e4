import { ConfigError } from "../../errors.ts";
import type { Settings } from "../../options/settings.ts";
import type { Finding } from "./finding.ts";

/** Checks the engine that keeps events for several instances; nothing without one. */
export async function checkLogEngine(
  { core: { storage: { events, nats } } }: Settings,
): Promise<readonly Finding[]> {
  if (events !== "nats") return [];
  const { checkEngine } = await import("../../nats/engine.ts");
  try {
    return [
      { mark: "ok", text: await checkEngine(nats) },
      {
        mark: "note",
        text: "NATS does not show its clients how it syncs to disk",
        advice: "Set sync_interval: always in jetstream {} of each server",
      },
    ];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [{ mark: "bad", text: error.message }];
  }
}
