import type { IngressCall } from "../../../core/plugin.ts";

/** Server token of a call; empty without one. */
export function tokenOf({ headers }: Pick<IngressCall, "headers">): string {
  return headers.get("x-postmark-server-token")?.trim() ?? "";
}
