import type { CheckTopic } from "../../../core/plugin.ts";
import type { PushEvent } from "../views.ts";

const APNS =
  "https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification";
const FCM = "https://firebase.google.com/docs/cloud-messaging/concept-options";
const WEB = "https://www.rfc-editor.org/rfc/rfc8030#section-7.2";

/** Largest payload in bytes; 5 KB for VoIP pushes. */
const MAX = { push1: 4096, push2: 4096, voip: 5120 };
/** Share of the limit from which one more long name exceeds it. */
const NEAR = 0.9;

/** Checks how close a payload is to its limit. Larger ones were refused. */
export const sizeTopic: CheckTopic<PushEvent> = {
  checks: [{
    id: "push.size",
    level: "info",
    about: "The payload exceeds nine tenths of what the gateway accepts",
    source: APNS,
  }],
  *find({ provider, payload: { payloads = [], push_type: type } }) {
    // For a web push, the encrypted body counts.
    const isWhole = provider !== "push1";
    const isApple = provider === "push2";
    const max = type === "voip" ? MAX.voip : isApple ? MAX.push2 : MAX.push1;
    const payload = payloads[0];
    const bytes = isWhole ? sizeOf(payload?.data ?? "") : fcmSize(payload?.json);
    if (bytes < NEAR * max) return;
    yield {
      id: "push.size",
      message: `The payload takes ${bytes} of ${max} bytes; ${Math.max(0, max - bytes)} are left`,
      source: isApple ? APNS : isWhole ? WEB : FCM,
    };
  },
};

function sizeOf(base64: string): number {
  return Math.floor(base64.replace(/=+$/, "").length * 3 / 4);
}

/** Names and values of notification and data, as the gateway counts them. */
function fcmSize(json: unknown): number {
  const message = (json as { message?: Record<string, unknown> } | undefined)?.message ?? json;
  const { notification, data } = (message ?? {}) as Record<string, unknown>;
  const encoder = new TextEncoder();
  let bytes = 0;
  for (const part of [notification, data]) {
    for (const [name, value] of Object.entries(part ?? {})) {
      if (typeof value === "string") bytes += encoder.encode(name + value).length;
    }
  }
  return bytes;
}
