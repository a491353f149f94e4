import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import type { CheckTopic, Found } from "../../../core/plugin.ts";
import type { PushEvent } from "../views.ts";

const APPLE = "https://developer.apple.com/documentation/usernotifications/" +
  "sending-web-push-notifications-in-web-apps-and-browsers";

/**
 * Checks for web pushes that one of the services would refuse, or that no browser could decrypt.
 */
export const webTopic: CheckTopic<PushEvent> = {
  checks: [
    {
      id: "push.vapid",
      level: "warning",
      about: "A web push has no VAPID token: Chrome and Safari require one",
      source: "https://www.rfc-editor.org/rfc/rfc8292",
    },
    {
      id: "push.vapid_subject",
      level: "error",
      about: "The subject of the VAPID token is not a mailto: or https: URL: Apple refuses it",
      source: APPLE,
    },
    {
      id: "push.undecryptable",
      level: "error",
      about: "The payload was not encrypted for its subscription: a browser discards it",
      source: "https://www.rfc-editor.org/rfc/rfc8291",
    },
    {
      id: "push.urgency",
      level: "warning",
      about: "The urgency is not defined in RFC 8030",
      source: "https://www.rfc-editor.org/rfc/rfc8030#section-5.3",
    },
    {
      id: "push.records",
      level: "error",
      about: "The payload is encrypted as more than one record: browsers discard it",
      source: "https://www.rfc-editor.org/rfc/rfc8291#section-4",
    },
    {
      id: "push.encoding",
      level: "warning",
      about:
        "The payload is encrypted as aesgcm, a draft that browsers need not support: use aes128gcm",
      source: "https://www.w3.org/TR/push-api/#pushmanager-interface",
    },
    {
      id: "push.ttl",
      level: "info",
      about:
        "TTL is 0, so only a connected browser gets the push, or it exceeds the four weeks for which Chrome's " +
        "service stores a push",
      source: "https://www.rfc-editor.org/rfc/rfc8030#section-5.2",
    },
  ],
  *find({ provider, payload, meta }) {
    if (provider !== "push3") return;
    const { vapid } = meta;
    if (!isJsonObject(vapid)) {
      yield { id: "push.vapid", message: "There is no VAPID token" };
    } else if (typeof vapid.sub !== "string" || !SUBJECT.test(vapid.sub)) {
      const got = vapid.sub === undefined ? "none" : JSON.stringify(vapid.sub);
      yield { id: "push.vapid_subject", message: `Expected mailto:ada@example.org; got ${got}` };
    }
    const { delivery, payloads = [] } = payload;
    if (meta.subscription !== "made elsewhere" && payloads.length === 1) {
      yield { id: "push.undecryptable", message: "The payload cannot be decrypted" };
    }
    if (delivery.priority_raw !== undefined && delivery.priority === undefined) {
      yield {
        id: "push.urgency",
        message: `Urgency is ${
          JSON.stringify(delivery.priority_raw)
        }; expected very-low, low, normal or high`,
      };
    }
    yield* ofEncryption(payloads[0]?.data ?? "", meta.encoding);
    yield* ofTtl(delivery);
  },
};

/** Octets before the first record: a salt, the size of records, and the sender's key with its length (RFC 8188). */
const [SALT, SIZE, KEY_LENGTH] = [16, 4, 1];

/** RFC 8291 section 4: one record, whose size covers the whole. */
function* ofEncryption(base64: string, encoding: unknown): Generator<Found> {
  if (encoding === "aesgcm") {
    yield { id: "push.encoding", message: "Content-Encoding is aesgcm; expected aes128gcm" };
  }
  if (encoding !== "aes128gcm") return;
  const body = fromBase64(base64);
  if (body.length < SALT + SIZE + KEY_LENGTH) return;
  const size = new DataView(body.buffer).getUint32(SALT);
  const content = body.length - SALT - SIZE - KEY_LENGTH - body[SALT + SIZE]!;
  if (content <= size) return;
  yield {
    id: "push.records",
    message: `Records of ${size} bytes, and ${content} bytes of content; expected one record`,
  };
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.fromBase64(text);
  } catch {
    return new Uint8Array();
  }
}

/** Four weeks: https://firebase.google.com/docs/cloud-messaging/concept-options#lifetime */
const MAX_KEPT_S = 28 * 24 * 60 * 60;

function* ofTtl({ expiry }: PushEvent["payload"]["delivery"]): Generator<Found> {
  if (expiry?.immediate === true) {
    yield { id: "push.ttl", message: "TTL is 0: a browser that is not connected misses the push" };
  }
  const seconds = Number(expiry?.raw ?? expiry?.ttl_seconds);
  if (!(seconds > MAX_KEPT_S)) return;
  yield {
    id: "push.ttl",
    message: `TTL is ${seconds} seconds; Chrome's service keeps a push for at most ${MAX_KEPT_S}`,
    source: "https://firebase.google.com/docs/cloud-messaging/concept-options#lifetime",
  };
}

/** Without spaces and angle brackets, which Apple rejects. */
const SUBJECT = /^(mailto:[^\s<>@]+@[^\s<>@]+|https:\/\/[^\s<>]+)$/;
