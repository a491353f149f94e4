/** Future captures of a call, for fault rules. */
import type { FaultSubject, IngressCall } from "../../../core/plugin.ts";
import { toSubject } from "../capture.ts";
import { readPush } from "./request.ts";
import { decodeToken } from "./subscription.ts";

export function subjectsOf(
  { body, headers, params: { token = "" } }: IngressCall,
): readonly Omit<FaultSubject, "raw">[] {
  const keys = decodeToken(token);
  const known = typeof keys === "string" ? undefined : keys;
  const request = readPush({ body, headers, keys: known });
  if (!request.ok) return [];
  const target = { kind: "device", value: token, source: "path" } as const;
  return [toSubject({ ...request.value.draft, app: "", target })];
}
