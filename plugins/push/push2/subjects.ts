/** Future captures of a call, for fault rules. */
import type { FaultSubject, IngressCall } from "../../../core/plugin.ts";
import { toSubject } from "../capture.ts";
import { readHeaders, toDelivery } from "./headers.ts";
import { readPayload } from "./request.ts";

export function subjectsOf(
  { body, path, rawHeaders, params: { token, bundle } }: IngressCall,
): readonly Omit<FaultSubject, "raw">[] {
  const headers = readHeaders(rawHeaders);
  if (headers === "duplicate" || path.startsWith("/1/")) return [];
  const { draft } = readPayload(body);
  const pushType = headers["push-type"];
  const target = token === undefined
    ? { kind: "channel", value: headers["channel-id"] ?? "", source: "channel" } as const
    : { kind: "device", value: token, source: "path" } as const;
  const delivery = toDelivery(headers);
  return [
    toSubject({ ...draft, app: bundle ?? headers.topic ?? "", pushType, target, delivery }),
  ];
}
