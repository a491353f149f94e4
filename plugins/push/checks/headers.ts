import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import type { CheckTopic, Found } from "../../../core/plugin.ts";
import type { PushEvent } from "../views.ts";
import { at } from "./aps.ts";

const SENDING =
  "https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns";

/** Topic suffix by push type. */
const SUFFIXES: Readonly<Record<string, string>> = {
  location: ".location-query",
  voip: ".voip",
  complication: ".complication",
  fileprovider: ".pushkit.fileprovider",
  liveactivity: ".push-type.liveactivity",
  pushtotalk: ".voip-ptt",
  widgets: ".push-type.widgets",
  controls: ".push-type.controls",
};

/**
 * Checks of Apple's headers: contradictions with each other or the payload, and times in the past.
 */
export const headersTopic: CheckTopic<PushEvent> = {
  checks: [
    {
      id: "push.background_priority",
      level: "error",
      about: "A background push has priority 10: Apple calls that an error, and may drop it",
      source: SENDING,
    },
    {
      id: "push.background_alert",
      level: "warning",
      about: "A background push has an alert, a badge or a sound, which would not show",
      source: SENDING,
    },
    {
      id: "push.alert_missing",
      level: "warning",
      about: "The push type is alert, but the push shows nothing",
      source: SENDING,
    },
    {
      id: "push.push_type",
      level: "warning",
      about:
        "apns-push-type is missing: watchOS 6 and later require it, and others may delay or drop the push",
      source: SENDING,
    },
    {
      id: "push.topic",
      level: "error",
      about: "The topic does not end as its push type requires",
      source: SENDING,
    },
    {
      id: "push.expired",
      level: "warning",
      about: "The push expired before it was sent: delivery is tried once, and it is not stored",
      source: SENDING,
    },
    {
      id: "push.provider_token",
      level: "error",
      about:
        "The provider token was older than an hour: Apple refuses the push with ExpiredProviderToken",
      source:
        "https://developer.apple.com/documentation/usernotifications/establishing-a-token-based-connection-to-apns",
    },
  ],
  *find(event) {
    const { payload: { delivery: { expiry } }, received_at: receivedAt, provider } = event;
    if (expiry?.at !== undefined && Date.parse(expiry.at) < receivedAt.getTime()) {
      yield {
        id: "push.expired",
        message: `It expired at ${expiry.at}`,
        ...(provider === "push2" ? headerPlace("apns-expiration") : {}),
      };
    }
    const { stale, issued_at: issuedAt } = (event.meta.jwt ?? {}) as Readonly<
      Record<string, unknown>
    >;
    if (provider === "push2" && stale === true) {
      yield {
        id: "push.provider_token",
        message: `The provider token was issued at ${issuedAt}, over an hour before the push`,
        ...headerPlace("authorization"),
      };
    }
    if (provider === "push2") yield* ofApple(event);
    if (provider === "push1") yield* ofFcm(event);
  },
};

function* ofApple({ payload }: PushEvent): Generator<Found> {
  const { push_type: type, delivery, alert, kind, app = "", target } = payload;
  if (type === undefined) {
    yield {
      id: "push.push_type",
      message: "apns-push-type is missing",
      ...headerPlace("apns-push-type"),
    };
  } else if (type === "background") {
    if (delivery.priority_raw === "10") {
      yield {
        id: "push.background_priority",
        message: "apns-priority is 10; expected 5",
        ...headerPlace("apns-priority"),
      };
    }
    if (alert !== undefined && Object.keys(alert).length > 0) {
      yield {
        id: "push.background_alert",
        message: `A background push with ${
          Object.keys(alert).join(", ")
        }; use the type alert to show it`,
        where: { part: "payload", path: "aps" },
      };
    }
  } else if (type === "alert" && kind !== "notification") {
    yield {
      id: "push.alert_missing",
      message: "The push type is alert and aps has no alert, badge or sound; use background",
      where: { part: "payload", path: "aps" },
    };
  }
  // A broadcast has the app's id in its path.
  const suffix = target.kind === "channel" ? undefined : SUFFIXES[type ?? ""];
  if (suffix !== undefined && app !== "" && !app.endsWith(suffix)) {
    yield {
      id: "push.topic",
      message: `The topic of a ${type} push ends in ${suffix}; got ${JSON.stringify(app)}`,
      ...headerPlace("apns-topic"),
    };
  }
}

function headerPlace(name: string): Pick<Found, "where"> {
  return { where: { part: "headers", path: name } };
}

/** The same contradictions in the `apns` part of an FCM message. */
function* ofFcm({ payload: { payloads = [] } }: PushEvent): Generator<Found> {
  const json = payloads.find(({ format }) => format === "push1.v1.message")?.json;
  const headers = at(json, "message.apns.headers");
  if (!isJsonObject(headers)) return;
  const sent = new Map(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
  const aps = at(json, "message.apns.payload.aps");
  const shown = [
    ...["title", "body"].filter((name) => at(json, `message.notification.${name}`) !== undefined),
    ...["alert", "badge", "sound"].filter((name) => at(aps, name) !== undefined),
  ];
  const where = (name: string) => ({ part: "payload", path: `message.apns.headers.${name}` });
  const type = sent.get("apns-push-type");
  if (type === "background" && sent.get("apns-priority") === "10") {
    yield {
      id: "push.background_priority",
      message: "apns-priority is 10; expected 5",
      where: where("apns-priority"),
    };
  }
  if (type === "background" && shown.length > 0) {
    yield {
      id: "push.background_alert",
      message: `A background push with ${shown.join(", ")}; use the type alert to show it`,
      where: where("apns-push-type"),
    };
  }
  if (type === "alert" && shown.length === 0) {
    yield {
      id: "push.alert_missing",
      message: "The push type is alert, and there is no notification, alert, badge or sound",
      where: where("apns-push-type"),
    };
  }
}
