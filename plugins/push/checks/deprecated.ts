import type { CheckTopic } from "../../../core/plugin.ts";
import type { PushEvent } from "../views.ts";

/** Keys of `aps.alert` that Apple's systems ignore since 2021 (iOS 15). */
const IGNORED = ["summary-arg", "summary-arg-count"];

/** Checks for keys that the vendors have deprecated. */
export const deprecatedTopic: CheckTopic<PushEvent> = {
  checks: [
    {
      id: "push.deprecated",
      level: "warning",
      about: "The alert has a key that Apple's systems ignore since iOS 15",
      source:
        "https://developer.apple.com/documentation/usernotifications/unnotificationcontent/summaryargument",
    },
  ],
  *find({ payload: { payloads = [] } }) {
    for (const { json } of payloads) {
      for (const { alert, path } of alertsOf(json)) {
        for (const key of IGNORED) {
          if (!Object.hasOwn(alert, key)) continue;
          yield {
            id: "push.deprecated",
            message: `${key} is ignored since iOS 15; remove it`,
            where: { part: "payload", path: `${path}.${key}` },
          };
        }
      }
    }
  },
};

/** Alerts of a push to Apple, or of the `apns` part of an FCM message. */
function* alertsOf(json: unknown): Generator<{ readonly alert: object; readonly path: string }> {
  for (const path of ["aps.alert", "message.apns.payload.aps.alert"]) {
    const alert = path.split(".").reduce<unknown>(
      (value, key) =>
        typeof value === "object" && value !== null
          ? (value as Readonly<Record<string, unknown>>)[key]
          : undefined,
      json,
    );
    if (typeof alert === "object" && alert !== null) yield { alert, path };
  }
}
