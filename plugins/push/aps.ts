/**
 * The `aps` dictionary of a push to Apple devices: what it shows, what it wakes, and the rest of it
 * (https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification).
 *
 * @module
 */
import { isJsonObject } from "../../core/codec/json_lenient.ts";
import { toAlert, toLocalization, words } from "./alert.ts";
import type { PushAlert } from "./model.ts";

type Json = Readonly<Record<string, unknown>>;

/** What a payload for Apple devices says. */
export interface Aps {
  /** Absent when nothing of an alert is there. */
  readonly alert?: PushAlert;
  /** `content-available` is 1: the app is to run in the background. */
  readonly wakes: boolean;
  /** Whether `aps` itself carries something for the app, such as the state of a Live Activity. */
  readonly carries: boolean;
  /** Documented keys that the model has no place for, as `aps_<key>`. */
  readonly meta: Readonly<Record<string, unknown>>;
}

/** Keys that only say how something is shown; they carry nothing on their own. */
const PRESENTATION = [
  "thread-id",
  "interruption-level",
  "relevance-score",
  "filter-criteria",
  "target-content-id",
  "mutable-content",
  "content-available",
] as const;

/** Keys whose value is for the app or its extensions. */
const CONTENT = [
  "timestamp",
  "event",
  "content-state",
  "stale-date",
  "dismissal-date",
  "attributes-type",
  "attributes",
  "input-push-token",
  "input-push-channel",
  "content-changed",
] as const;

/** Keys of `aps.alert` that the model has no place for. */
const ALERT_EXTRAS = ["launch-image", "action", "action-loc-key", "summary-arg"] as const;

/** Reads the dictionary of a payload; anything that is none reads as an empty one. */
export function readAps(payload: unknown): Aps {
  const aps = isJsonObject(payload) && isJsonObject(payload.aps) ? payload.aps : {};
  const alert = readAlert(aps);
  return {
    ...(alert === undefined ? {} : { alert }),
    wakes: aps["content-available"] === 1 || aps["content-available"] === true,
    carries: CONTENT.some((key) => aps[key] !== undefined && aps[key] !== null),
    meta: readMeta(aps),
  };
}

function readAlert(aps: Json): PushAlert | undefined {
  const alert: Json = isJsonObject(aps.alert) ? aps.alert : { body: aps.alert };
  return toAlert({
    title: alert.title,
    subtitle: alert.subtitle,
    body: alert.body,
    category: aps.category,
    sound: isJsonObject(aps.sound) ? aps.sound.name : aps.sound,
    badge: aps.badge,
    localization: toLocalization({
      title_key: alert["title-loc-key"],
      title_args: words(alert["title-loc-args"]),
      subtitle_key: alert["subtitle-loc-key"],
      subtitle_args: words(alert["subtitle-loc-args"]),
      body_key: alert["loc-key"],
      body_args: words(alert["loc-args"]),
    }),
  });
}

function readMeta(aps: Json): Readonly<Record<string, unknown>> {
  const sound = isJsonObject(aps.sound) ? aps.sound : {};
  const alert = isJsonObject(aps.alert) ? aps.alert : {};
  const found = [
    ...[...PRESENTATION, ...CONTENT].map((key) => [key, aps[key]] as const),
    ...ALERT_EXTRAS.map((key) => [key, alert[key]] as const),
    ["critical-sound", sound.critical === 1 || sound.critical === true || undefined] as const,
    ["sound-volume", sound.volume] as const,
  ];
  return Object.fromEntries(
    found.filter(([, value]) => value !== undefined && value !== null)
      .map(([key, value]) => [`aps_${key.replaceAll("-", "_")}`, value]),
  );
}
