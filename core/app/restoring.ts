import type { Restoring } from "../api/state.ts";
import type { Stores } from "./stores.ts";

/** Takes in what another instance captured. */
export function restoringOf(
  { blobs, events, expectations }: Stores,
  about: Pick<Restoring, "seeded" | "plugins">,
): Restoring {
  return {
    ...about,
    blob: (ref, bytes) => blobs.restore(ref, bytes),
    events: (restored) => events.restore(restored),
    expectations: (records) => expectations.restore(records),
  };
}
