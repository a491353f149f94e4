import type { IngressCall } from "../../../core/plugin.ts";

/** Key of a call; empty without one. */
export function keyOf({ headers }: Pick<IngressCall, "headers">): string {
  return headers.get("api-key")?.trim() ?? "";
}
