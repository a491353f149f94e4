import { readBasic } from "../../../core/http/auth.ts";
import type { IngressCall } from "../../../core/plugin.ts";

/** Returns the account of a call to an API whose paths have none: the user name, unless it is that of an API key. */
export function accountOfCall({ headers }: Pick<IngressCall, "headers">): string {
  const username = readBasic(headers.get("authorization") ?? "")?.username ?? "";
  return username.startsWith("AC") ? username : `AC${"0".repeat(32)}`;
}
