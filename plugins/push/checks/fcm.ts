import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import type { CheckTopic, Found } from "../../../core/plugin.ts";
import type { PushEvent } from "../views.ts";
import { type Field, SEND_REQUEST } from "../fcm_fields.ts";
import { at } from "./aps.ts";

/** Four weeks. */
const MAX_TTL_S = 28 * 24 * 60 * 60;
const MESSAGES = "https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages";

/** Reserved keys of data, besides `from`, which is refused. */
const RESERVED = /^(?:message_type$|google\.|gcm\.)/;

/** Checks of FCM messages: what their target platforms would not show. */
export const fcmTopic: CheckTopic<PushEvent> = {
  checks: [
    {
      id: "push.image_apple",
      level: "warning",
      about:
        "An FCM message has an image for Apple devices, but not mutable-content: 1, without which no image is shown",
      source: "https://firebase.google.com/docs/cloud-messaging/ios/send-image",
    },
    {
      id: "push.web_link",
      level: "warning",
      about: "The link of a web notification is not https, which FCM requires",
      source: `${MESSAGES}#WebpushFcmOptions`,
    },
    {
      id: "push.unknown_field",
      level: "error",
      about:
        "A message has a field that FCM does not know: it refuses the request with INVALID_ARGUMENT",
      source: MESSAGES,
    },
    {
      id: "push.data_key",
      level: "warning",
      about:
        "A key of data is reserved: message_type, or one that starts with google. or gcm.; FCM may refuse it",
      source: MESSAGES,
    },
    {
      id: "push.ttl_fcm",
      level: "warning",
      about: "The time to live of an Android message is more than the four weeks that FCM supports",
      source: `${MESSAGES}#AndroidConfig`,
    },
    {
      id: "push.android_data",
      level: "info",
      about:
        "An FCM message with normal priority has nothing to show: Android may delay it until the device wakes",
      source: "https://firebase.google.com/docs/cloud-messaging/android/message-priority",
    },
  ],
  *find({ provider, payload: { payloads = [], kind, delivery } }) {
    if (provider !== "push1") return;
    const json = payloads.find(({ format }) => format === "push1.v1.message")?.json;
    yield* unknownFields(json, SEND_REQUEST, "");
    const where = (path: string) => ({ part: "payload", path });
    const image = "message.apns.fcm_options.image";
    if (at(json, image) !== undefined) {
      const mutable = at(json, "message.apns.payload.aps.mutable-content");
      if (mutable !== 1) {
        yield {
          id: "push.image_apple",
          message: "aps has no mutable-content: 1, so no extension adds the image",
          where: where(image),
        };
      }
    }
    const link = "message.webpush.fcm_options.link";
    const address = at(json, link);
    if (typeof address === "string" && !/^https:\/\//i.test(address)) {
      yield {
        id: "push.web_link",
        message: `${JSON.stringify(address.slice(0, 100))} is not https`,
        where: where(link),
      };
    }
    for (const path of ["message.data", "message.android.data"]) {
      const data = at(json, path);
      const reserved = Object.keys(isJsonObject(data) ? data : {}).find((key) =>
        RESERVED.test(key)
      );
      if (reserved === undefined) continue;
      yield {
        id: "push.data_key",
        message: `${JSON.stringify(reserved.slice(0, 100))} is reserved`,
        where: where(`${path}.${reserved}`),
      };
    }
    const seconds = delivery.expiry?.ttl_seconds ?? 0;
    if (seconds > MAX_TTL_S) {
      yield {
        id: "push.ttl_fcm",
        message: `ttl is ${seconds} seconds; FCM keeps a message for at most ${MAX_TTL_S}`,
        where: where("message.android.ttl"),
      };
    }
    const isUrgent = delivery.priority === "high";
    if (kind === "silent" && !isUrgent && isJsonObject(at(json, "message.data"))) {
      yield {
        id: "push.android_data",
        message: "A message with data only, of normal priority, arrives when the device wakes",
        where: where("message.data"),
      };
    }
  },
};

/** Fields of messages that Standin does not read: https://firebase.google.com/docs/cloud-messaging/send/v2-api */
const MORE = new Set(["message.android_v2", "message.androidV2"]);

function* unknownFields(value: unknown, field: Field, path: string): Generator<Found> {
  if (field.kind !== "message" || !isJsonObject(value)) return;
  const known = new Map(
    Object.entries(field.fields).flatMap(([name, inner]) =>
      [[name, inner], [toCamelCase(name), inner]] as const
    ),
  );
  for (const [name, inner] of Object.entries(value)) {
    const own = path === "" ? name : `${path}.${name}`;
    const of = known.get(name);
    if (of !== undefined) yield* unknownFields(inner, of, own);
    if (of !== undefined || MORE.has(own)) continue;
    yield {
      id: "push.unknown_field",
      message: `FCM has no ${JSON.stringify(name.slice(0, 100))} in ${
        path === "" ? "a request" : path
      }`,
      where: { part: "payload", path: own },
    };
  }
}

/** The other spelling of a name that the JSON form of protocol buffers has. */
function toCamelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
