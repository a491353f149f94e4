import type { IngressCall } from "../../../core/plugin.ts";

/** Sending domain of a call. */
export function domainOf({ params }: Pick<IngressCall, "params">): string {
  return (params.domain ?? "").toLowerCase();
}
